"""How many mails one mailbox gets that its owner did not ask for.

Anyone can type somebody else's address into our forms. So all mails that such a request causes, of whatever
kind, share one budget for each mailbox: 5 in any 24 hours, and none after 5 that nobody answered. A mailbox
answers when its owner confirms, verifies, asks for a new link or chooses a password on a page behind one of
our mails' links. Unsubscribing is no answer: it asks for fewer mails, and mail providers do it by themselves
(RFC 8058). A mail that was asked for by an answer, or sent by an admin, is not counted. An admin who sends a
verification mail again begins the mailbox's budget anew.

Rows that nothing happened to for 90 days are purged. That is also how "none after 5 unanswered" and
"this was not me" end: a request that is refused changes nothing and does not prolong them.

Call these functions inside the transaction that stores the mail. They lock the mailbox's row, and are called
after the row of the member or subscriber was locked, so that no two transactions wait for each other.
"""

import json
from datetime import datetime, timedelta
from math import ceil

from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sailing.models import MailboxBudget
from sailing.privacy.retention import BATCH_SIZE

MAX_MAILS_A_DAY = 5
MAX_UNANSWERED = 5
DAY_SECONDS = 24 * 3600
RETENTION = timedelta(days=90)

INSERT = f"""
    INSERT INTO {MailboxBudget._meta.db_table} (mailbox, sent_at, unanswered, is_blocked, changed_at)
    VALUES (%s, %s, 1, FALSE, %s) ON CONFLICT (mailbox) DO NOTHING
"""
"""As SQL, because Django's `bulk_create` does not return whether the row is new."""

GMAIL = ("gmail.com", "googlemail.com")


def reserve(email: str) -> int:
    """Count one mail to an address.

    Return 0, or, when the budget is used up, the seconds until the next mail; then nothing is counted.
    """
    now = timezone.now()
    mailbox = _mailbox_key(email)
    if _insert(mailbox, now):
        return 0
    budget = MailboxBudget.objects.select_for_update().filter(mailbox=mailbox).first()
    if budget is None:  # purged between the two statements
        return reserve(email)
    if budget.is_blocked or budget.unanswered >= MAX_UNANSWERED:
        return max(1, ceil((budget.changed_at + RETENTION - now).total_seconds()))
    sent_at = [at for at in budget.sent_at if at > now.timestamp() - DAY_SECONDS]
    if len(sent_at) >= MAX_MAILS_A_DAY:
        return max(1, ceil(float(sent_at[0]) + DAY_SECONDS - now.timestamp()))
    budget.sent_at = [*sent_at, now.timestamp()]
    budget.unanswered += 1
    budget.changed_at = now
    budget.save()
    return 0


def record_answer(email: str) -> None:
    """Note that the owner of a mailbox answered: its unanswered mails and a block are void."""
    MailboxBudget.objects.filter(mailbox=_mailbox_key(email)).update(
        unanswered=0, is_blocked=False, changed_at=timezone.now()
    )


def block(email: str) -> None:
    """Note that the owner of a mailbox did not cause a mail: no more such mails go there."""
    MailboxBudget.objects.update_or_create(
        mailbox=_mailbox_key(email), defaults={"is_blocked": True, "changed_at": timezone.now()}
    )


def clear(email: str) -> None:
    """Begin a mailbox's budget anew: an admin vouches for who asks for mails there."""
    MailboxBudget.objects.filter(mailbox=_mailbox_key(email)).delete()


def purge_expired() -> bool:
    """Delete a batch of the rows that nothing happened to for 90 days; return whether more are left."""
    with transaction.atomic():
        expired = MailboxBudget.objects.filter(changed_at__lt=timezone.now() - RETENTION)
        keys = list(expired.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH_SIZE])
        MailboxBudget.objects.filter(pk__in=keys).delete()
    return len(keys) == BATCH_SIZE


def canonical_mailbox(email: str) -> str:
    """Return the one name of the mailbox behind the spellings of a normalised address.

    What follows a plus is a tag of its owner's choice; Gmail ignores dots and has two domains.
    """
    local, _, domain = email.rpartition("@")
    local = local.partition("+")[0]
    if domain in GMAIL:
        local, domain = local.replace(".", ""), GMAIL[0]
    return f"{local}@{domain}"


def _mailbox_key(email: str) -> str:
    """Return the key of a mailbox: no address in clear. A new SECRET_KEY begins all budgets anew."""
    return salted_hmac("sailing.mailbox_budget", canonical_mailbox(email), algorithm="sha256").hexdigest()


def _insert(mailbox: str, now: datetime) -> bool:
    """Store a mailbox's first mail; return False when the mailbox has a row already."""
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT,
            [mailbox, json.dumps([now.timestamp()]), connection.ops.adapt_datetimefield_value(now)],
        )
        return bool(cursor.rowcount)
