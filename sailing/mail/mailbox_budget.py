"""Limit on the unsolicited mails to one mailbox.

Anyone can type somebody else's address into a form. All mails that such requests cause share one budget per
mailbox: 5 in any 24 hours, and none after 5 unanswered ones. The owner answers by confirming, verifying,
asking for a new link or choosing a password on a page that a mail links to. Unsubscribing is not an answer:
it asks for fewer mails, and mail providers do it automatically (RFC 8058). Mails caused by an answer are not
counted, nor those to a member that an admin sends; an admin who sends a verification mail again resets the
budget.

Rows without a change for 90 days are purged, which also ends a block. A refused request changes nothing, so
it does not prolong a block.

Call these functions inside the transaction that stores the mail, after locking the row of the member or
subscriber: they lock the mailbox's row, and one order of locks prevents deadlocks.
"""

import json
import re
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from sailing.jobs import retention
from sailing.mail import address_hash
from sailing.mail.models import MailboxBudget

MAX_MAILS_A_DAY = 5
MAX_UNANSWERED = 5
DAY_SECONDS = 24 * 3600
RETENTION = timedelta(days=90)
retention.periods["mailCounts"] = RETENTION

INSERT = f"""
    INSERT INTO {MailboxBudget._meta.db_table} (mailbox, sent_at, unanswered, is_blocked, changed_at)
    VALUES (%s, %s, 1, FALSE, %s) ON CONFLICT (mailbox) DO NOTHING
"""
"""As SQL, because `get_or_create` takes five statements for a new mailbox (docs/decisions/005)."""

PROVIDERS = {
    "gmail.com": "gmail.com googlemail.com",
    "proton.me": "proton.me protonmail.com protonmail.ch pm.me",
    "yandex.ru": "yandex.ru yandex.com yandex.by yandex.kz yandex.ua yandex.com.tr ya.ru narod.ru",
    "icloud.com": "icloud.com me.com mac.com",
    "fastmail.com": "fastmail.com fastmail.fm",
}
"""The domains that lead to the same mailboxes, each under the first of them."""

FIRST_DOMAINS = {domain: first for first, domains in PROVIDERS.items() for domain in domains.split()}


def reserve(email: str) -> bool:
    """Count one mail to an address; return False, and count nothing, if the budget is used up."""
    now = timezone.now()
    mailbox = hash_mailbox(email)
    if _insert(mailbox, now):
        return True
    budget, _is_new = MailboxBudget.objects.select_for_update().get_or_create(
        mailbox=mailbox, defaults={"changed_at": now}
    )
    sent_at = [at for at in budget.sent_at if at > now.timestamp() - DAY_SECONDS]
    if budget.is_blocked or budget.unanswered >= MAX_UNANSWERED or len(sent_at) >= MAX_MAILS_A_DAY:
        return False
    budget.sent_at = [*sent_at, now.timestamp()]
    budget.unanswered += 1
    budget.changed_at = now
    budget.save()
    return True


def next_free_at(email: str) -> datetime | None:
    """Return when a used up budget allows a mail again; None while the owner has to answer one first."""
    budget = find(email).first()
    if budget is None:
        return timezone.now()
    if budget.is_blocked or budget.unanswered >= MAX_UNANSWERED:
        return None
    counted = sorted(budget.sent_at)[-MAX_MAILS_A_DAY:]
    return datetime.fromtimestamp(counted[0] + DAY_SECONDS, tz=UTC) if counted else timezone.now()


def is_blocked(email: str) -> bool:
    """Return whether no mail is allowed until the owner answers one, or an admin resets the budget."""
    return find(email).filter(Q(is_blocked=True) | Q(unanswered__gte=MAX_UNANSWERED)).exists()


def record_answer(email: str) -> None:
    """Record an answer of the owner: reset the unanswered mails and unblock the mailbox."""
    find(email).update(unanswered=0, is_blocked=False, changed_at=timezone.now())


def block(email: str) -> None:
    """Block unsolicited mails to a mailbox, whose owner has said "This was not me"."""
    MailboxBudget.objects.update_or_create(
        mailbox=hash_mailbox(email), defaults={"is_blocked": True, "changed_at": timezone.now()}
    )


def find(email: str) -> QuerySet[MailboxBudget]:
    """Return the budget of a mailbox, if there is one."""
    return MailboxBudget.objects.filter(mailbox=hash_mailbox(email))


def clear(email: str) -> None:
    """Reset the budget of a mailbox, at an admin's request."""
    find(email).delete()


@retention.register
def purge_expired() -> bool:
    """Delete a batch of the rows without a change for 90 days; return whether more are left."""
    return retention.delete_batch(MailboxBudget.objects.filter(changed_at__lt=timezone.now() - RETENTION))


def canonical_mailbox(email: str) -> str:
    """Return the canonical form of a normalized address: all spellings of a mailbox have the same.

    A plus starts a tag of the owner's choice, and providers ignore dots, hyphens or underscores. The few
    mailboxes that differ in nothing else share a budget, which is the smaller harm.
    """
    local, _, domain = email.rpartition("@")
    user, _, host = domain.partition(".")
    if FIRST_DOMAINS.get(host) == "fastmail.com":  # anything@user.fastmail.com
        local, domain = user, host
    elif domain.startswith("yahoo."):  # a hyphen starts the tag
        local = local.partition("-")[0]
    local = re.sub("[._-]", "", local.partition("+")[0])
    return f"{local}@{FIRST_DOMAINS.get(domain, domain)}"


def hash_mailbox(email: str) -> str:
    """Return the hash of the mailbox of a normalized address, the same for all its spellings."""
    return address_hash.compute(canonical_mailbox(email))


def _insert(mailbox: str, now: datetime) -> bool:
    """Store the first mail of a mailbox; return False if the mailbox already has a row."""
    values = [mailbox, json.dumps([now.timestamp()]), connection.ops.adapt_datetimefield_value(now)]
    with connection.cursor() as cursor:
        cursor.execute(INSERT, values)
        return bool(cursor.rowcount)
