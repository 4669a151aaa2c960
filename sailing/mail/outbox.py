"""The outbox: mails stored in the transaction that causes them, and what became of each."""

import re
import threading
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import make_msgid
from random import uniform
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Model
from django.dispatch import Signal
from django.template.loader import render_to_string
from django.utils import timezone, translation

from sailing.database import Now
from sailing.errors import is_database_unavailable
from sailing.jobs import retention
from sailing.mail.links import page_url
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.transport import DeliveryAttempt, DeliveryResult

CLAIM_LIFETIME = timedelta(minutes=5)  # after that, the sender counts as killed
RETENTION = timedelta(days=14)  # sent or not; the links of a mail expire before
retention.periods["mails"] = RETENTION

FIRST_BACKOFF = timedelta(minutes=1)
LONGEST_BACKOFF = timedelta(hours=1)
MAX_ATTEMPTS = 30  # about a day, beside the time without a sender or a mail server

# Sent with `email` and `reason` in the transaction that records the refusal, perhaps more than once.
mail_bounced = Signal()

logger = structlog.get_logger(__name__)

woken = threading.Event()  # wakes the sender of this process, if it has one


def wake_after_commit() -> None:
    transaction.on_commit(woken.set)


def enqueue(name: str, *, to: str, language: str, context: Mapping[str, Any], **options: Any) -> None:
    """Render `templates/mails/<name>.html` in the layout of texts and in that of HTML, and `store` both."""
    store(to=to, **render(name, language=language, context=context), **options)


def render(name: str, *, language: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the subject, the text and the HTML of a mail."""
    home_url = page_url("/", language=language)
    links = {"home_url": home_url, "privacy_url": f"{home_url}#privacy"}
    values = {**context, **links, "language": language}
    with translation.override(language):
        plain = render_to_string(f"mails/{name}.html", {**values, "layout": "mails/base.txt"})
        subject, text = re.sub(r"\n{3,}", "\n\n", plain).strip().split("\n\n", 1)
        values |= {"layout": "mails/base.html", "is_html": True, "subject": subject}
        html = render_to_string(f"mails/{name}.html", values)
    return {"subject": subject, "text": text + "\n", "html": html}


def store(*, to: str, subject: str, at: datetime | None = None, **fields: Any) -> None:
    """Store a rendered mail, to be sent `at` a time, with the `fields` of an `OutboxEmail`."""
    OutboxEmail.objects.create(
        recipient=to,
        subject=subject[: OutboxEmail.SUBJECT_LENGTH],  # names can make it longer
        message_id=make_msgid(domain=urlsplit(settings.SITE_URL).hostname),
        due_at=at or Now(),
        next_attempt_at=at or Now(),
        **fields,
    )
    wake_after_commit()


def subject_key(model: type[Model], key: Any) -> str:
    return f"{model._meta.label_lower} {key}"


def cancel_pending(subject_key: str, **which: bool) -> bool:
    """Delete the unsent mails about a row, or its reminder alone; return whether there was one."""
    mails = OutboxEmail.objects.filter(subject_key=subject_key, **which)
    return bool(mails.exclude(state=MailState.SENT).delete()[0])


def purge(subject_keys: Collection[str]) -> None:
    OutboxEmail.objects.filter(subject_key__in=subject_keys).delete()


def decide(attempt: DeliveryAttempt, *, repeats_unknown: bool) -> tuple[str, int, timedelta]:
    """Return the state of a mail, how many attempts count, and how long it waits for the next one."""
    number = attempt.mail.attempts + 1
    if attempt.result is DeliveryResult.ACCEPTED:
        return "sent", number, timedelta()
    if attempt.result is DeliveryResult.NOT_TRIED:
        return "waiting", number - 1, timedelta()
    if attempt.result is DeliveryResult.UNKNOWN and not repeats_unknown:
        return "unknown", number, timedelta()
    if attempt.result is DeliveryResult.REFUSED or number >= MAX_ATTEMPTS:
        return "failed", number, timedelta()
    backoff = min(FIRST_BACKOFF * 2 ** (number - 1), LONGEST_BACKOFF)
    # With jitter, so that mails postponed together do not come back together.
    return "waiting", number, backoff * uniform(1, 1.2)  # noqa: S311 - no secret


def report_bounce(email: str, reason: str = "") -> None:
    """Tell the apps that an address does not work."""
    try:
        with transaction.atomic():
            mail_bounced.send(sender=OutboxEmail, email=email, reason=reason)
    except Exception as error:  # must not keep the other results from being recorded
        if is_database_unavailable(error):
            raise
        logger.exception("bounce_not_recorded")


class OutboxQueue:
    is_claimed_ahead = True

    def __init__(self, priority: MailPriority) -> None:
        self.is_urgent = priority == MailPriority.URGENT
        self._due = OutboxEmail.objects.filter(
            state=MailState.WAITING, priority=priority, next_attempt_at__lte=Now()
        ).order_by("next_attempt_at", "pk")

    def claim(self, limit: int) -> list[Any]:
        # An idle sender only looks: a claim locks, on SQLite the whole database.
        if limit <= 0 or not self._due.exists():
            return []
        with transaction.atomic():
            locked = self._due.select_for_update(skip_locked=True)
            mails: list[Any] = list(locked.annotate(claimed_until=Now() + CLAIM_LIFETIME)[:limit])
            for mail in mails:  # the same time in each
                mail.next_attempt_at = mail.claimed_until
            claimed = OutboxEmail.objects.filter(pk__in=[mail.pk for mail in mails])
            claimed.update(next_attempt_at=mails[0].claimed_until if mails else Now())
        return mails

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        accepted = [each.mail.pk for each in attempts if each.result is DeliveryResult.ACCEPTED]
        if accepted:
            cleared = {"last_error": "", "text": "", "html": "", "headers": {}}
            OutboxEmail.objects.filter(pk__in=accepted).exclude(state=MailState.SENT).update(
                state=MailState.SENT, sent_at=timezone.now(), attempts=F("attempts") + 1, **cleared
            )
        for attempt in attempts:
            if attempt.result is not DeliveryResult.ACCEPTED:
                self._record_failure(attempt)

    def _record_failure(self, attempt: DeliveryAttempt) -> None:
        """Record why a mail is not sent. The text is kept, for an admin to send it again."""
        mail = attempt.mail
        state, attempts, delay = decide(attempt, repeats_unknown=True)
        error = attempt.error[: OutboxEmail.LAST_ERROR_LENGTH]
        values: dict[str, Any] = {"last_error": error} if error else {}
        # None if an admin or another sender has changed the row meanwhile.
        claimed = OutboxEmail.objects.filter(
            pk=mail.pk, state=MailState.WAITING, next_attempt_at=mail.next_attempt_at
        )
        with transaction.atomic():
            if attempt.is_bounced:
                # First, because receivers lock the owner of the address, who is always locked before mails.
                report_bounce(mail.recipient, attempt.error)
            is_recorded = claimed.update(
                state=state, attempts=attempts, next_attempt_at=Now() + delay, **values
            )
        if is_recorded and attempt.result is not DeliveryResult.NOT_TRIED:
            log = logger.error if state == MailState.FAILED else logger.warning
            log(f"mail_{state}", mail=mail.pk, attempts=attempts, error=attempt.reason)


@retention.register
def purge_expired() -> bool:
    return retention.delete_batch(OutboxEmail.objects.filter(due_at__lt=timezone.now() - RETENTION))
