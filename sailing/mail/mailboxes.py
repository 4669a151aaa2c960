"""What is known of a mailbox, by the salted hash of its canonical address.

*Budget* of the mails that others cause by typing the address into a form: 5 in any 24 hours, none after 5
unanswered ones. Confirming, verifying, renewing an expired link and choosing a password answer; unsubscribing
does not, because providers do it (RFC 8058).
*Suppression* after erasure or a complaint: no import or reminder writes until somebody confirms or lifts it.

Call these functions in the transaction that causes the change, after locking the member or subscriber: they
lock the mailbox, and one order of locks prevents deadlocks.
"""

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sailing.jobs import retention
from sailing.mail.models import Installation, Mailbox, MailState, OutboxEmail, SuppressionReason

MAX_MAILS_A_DAY = 5
MAX_UNANSWERED = 5
DAY_SECONDS = 24 * 3600
RETENTION = timedelta(days=90)  # since the last change; a refused request is none
retention.periods["mailCounts"] = RETENTION

# The domains that lead to the same mailboxes.
PROVIDERS = (
    "gmail.com googlemail.com",
    "proton.me protonmail.com protonmail.ch pm.me",
    "yandex.ru yandex.com yandex.by yandex.kz yandex.ua yandex.com.tr ya.ru narod.ru",
    "icloud.com me.com mac.com",
    "fastmail.com fastmail.fm",
)
FIRST_DOMAINS = {domain: domains.split()[0] for domains in PROVIDERS for domain in domains.split()}


def canonicalize(email: str) -> str:
    """Return a normalized address without its tag, and without what many providers ignore."""
    local, _, domain = email.rpartition("@")
    user, _, host = domain.partition(".")
    if FIRST_DOMAINS.get(host) == "fastmail.com":  # anything@user.fastmail.com
        local, domain = user, host
    elif domain.startswith("yahoo."):  # a hyphen starts the tag
        local = local.partition("-")[0]
    local = re.sub("[._-]", "", local.partition("+")[0])
    return f"{local}@{FIRST_DOMAINS.get(domain, domain)}"


@cache
def read_salt() -> str:
    return Installation.objects.get().salt


def hash_mailbox(email: str) -> str:
    return salted_hmac("mailbox", canonicalize(email), secret=read_salt(), algorithm="sha256").hexdigest()


def find(email: str) -> QuerySet[Mailbox]:
    return Mailbox.objects.filter(address_hash=hash_mailbox(email))


def reserve(email: str, *times: datetime) -> int:
    """Count mails at some times, by default one now, as far as the budget reaches; return how many."""
    now = timezone.now()
    wanted = [each.timestamp() for each in times or (now,)]
    values = {"sent_at": wanted, "unanswered": len(wanted), "changed_at": now}
    locked = Mailbox.objects.select_for_update()
    mailbox, is_new = locked.get_or_create(address_hash=hash_mailbox(email), defaults=values)
    if is_new:
        return len(wanted)
    if mailbox.is_blocked:
        return 0
    sent_at, count = [each for each in mailbox.sent_at if each > now.timestamp() - DAY_SECONDS], 0
    for time in wanted:
        within_a_day = [each for each in sent_at if abs(each - time) < DAY_SECONDS]
        if mailbox.unanswered >= MAX_UNANSWERED or len(within_a_day) >= MAX_MAILS_A_DAY:
            break
        sent_at.append(time)
        mailbox.unanswered += 1
        count += 1
    if count:
        mailbox.sent_at, mailbox.changed_at = sent_at, now
        mailbox.save()
    return count


def is_blocked(email: str) -> bool:
    return find(email).filter(Q(is_blocked=True) | Q(unanswered__gte=MAX_UNANSWERED)).exists()


def record_answer(email: str) -> None:
    find(email).update(unanswered=0, is_blocked=False, changed_at=timezone.now())


def block(email: str) -> None:
    """Block mails that others cause, because the owner said "This was not me"."""
    values = {"is_blocked": True, "changed_at": timezone.now()}
    Mailbox.objects.update_or_create(address_hash=hash_mailbox(email), defaults=values)


def reset_budget(email: str) -> None:
    find(email).update(sent_at=[], unanswered=0, is_blocked=False, changed_at=timezone.now())


@retention.register
def purge_expired() -> bool:
    expired = Mailbox.objects.filter(changed_at__lt=timezone.now() - RETENTION)
    suppressed = expired.exclude(suppression="")
    suppressed.update(sent_at=[], unanswered=0, is_blocked=False, changed_at=None)
    return retention.delete_batch(expired.filter(suppression=""))


def suppress(email: str, reason: SuppressionReason) -> None:
    """Add a mailbox to the do-not-contact list, and delete its reminders. The first reason stays."""
    Mailbox.objects.get_or_create(address_hash=hash_mailbox(email))
    find(email).filter(suppression="").update(suppression=reason, suppressed_at=timezone.now())
    reminders = OutboxEmail.objects.filter(is_reminder=True).exclude(state=MailState.SENT)
    mailbox = canonicalize(email)
    found = [pk for pk, to in reminders.values_list("pk", "recipient") if canonicalize(to) == mailbox]
    reminders.filter(pk__in=found).delete()


def lift_suppression(email: str) -> None:
    find(email).update(suppression="", suppressed_at=None, changed_at=timezone.now())


def find_suppressed(emails: Collection[str]) -> set[str]:
    hashes = {email: hash_mailbox(email) for email in emails}
    stored = Mailbox.objects.filter(address_hash__in=hashes.values()).exclude(suppression="")
    suppressed = set(stored.values_list("address_hash", flat=True))
    return {email for email, value in hashes.items() if value in suppressed}
