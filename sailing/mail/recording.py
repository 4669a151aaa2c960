"""Record in the outbox what came of its mails."""

from collections.abc import Sequence
from datetime import timedelta
from random import uniform

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from sailing.jobs import claims
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.results import DeliveryAttempt, DeliveryResult

FIRST_BACKOFF = timedelta(minutes=1)
LONGEST_BACKOFF = timedelta(hours=1)
MAX_ATTEMPTS = 30
"""With this backoff, about a day. Time during which no sender or mail server was there does not count."""

mail_bounced = Signal()
"""A mail was refused for good because its address does not work. Sent with `email` and the `reason` of the
mail server, in the transaction that records it, perhaps more than once. A provider reports no `reason`."""

logger = structlog.get_logger(__name__)


def get_backoff(attempts: int) -> timedelta:
    """Return how long a mail waits after so many failed attempts.

    With jitter, so that mails postponed together do not come back together.
    """
    backoff: timedelta = min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF)
    return backoff * uniform(1, 1.2)  # noqa: S311 - no secret


def report_bounce(email: str, reason: str = "") -> None:
    """Tell the apps that an address does not work. A receiver that fails is logged."""
    try:
        with transaction.atomic():
            mail_bounced.send(sender=OutboxEmail, email=email, reason=reason)
    except (OperationalError, InterfaceError):  # the database is unavailable; recorded later
        raise
    except Exception:  # must not keep the other results from being recorded
        logger.exception("bounce_not_recorded")


def record(attempts: Sequence[DeliveryAttempt]) -> int:
    """Record attempts to deliver mails of the outbox; return how many were accepted.

    Recording one twice changes nothing.
    """
    accepted = [each.mail.pk for each in attempts if each.result is DeliveryResult.ACCEPTED]
    if accepted:
        OutboxEmail.objects.filter(pk__in=accepted).exclude(state=MailState.SENT).update(
            state=MailState.SENT,
            sent_at=timezone.now(),
            attempts=F("attempts") + 1,
            last_error="",
            text="",
            html="",
            headers={},
        )
    for attempt in attempts:
        if attempt.result in (DeliveryResult.NOT_STARTED, DeliveryResult.UNREACHABLE):
            _release(attempt)
        elif attempt.result is DeliveryResult.REFUSED:
            _fail(attempt)
        elif attempt.result is not DeliveryResult.ACCEPTED:
            _postpone(attempt)
    return len(accepted)


def _claimed(mail: OutboxEmail) -> QuerySet[OutboxEmail]:
    """Return the row of a mail as this sender claimed it; none if it was changed meanwhile."""
    return OutboxEmail.objects.filter(
        pk=mail.pk, state=MailState.WAITING, next_attempt_at=mail.next_attempt_at
    )


def _release(attempt: DeliveryAttempt) -> None:
    """End the claim of a mail that was not tried: it is due again."""
    changes = {"last_error": attempt.error} if attempt.error else {}
    _claimed(attempt.mail).update(next_attempt_at=claims.now(), **changes)


def _postpone(attempt: DeliveryAttempt) -> None:
    """Record a failed attempt: try again later, or never if it was the last one."""
    attempts = attempt.mail.attempts + 1
    if attempts >= MAX_ATTEMPTS:
        _fail(attempt)
        return
    due_at = claims.now() + get_backoff(attempts)
    changes = {"attempts": attempts, "next_attempt_at": due_at, "last_error": attempt.error}
    if _claimed(attempt.mail).update(**changes):
        logger.warning("mail_postponed", mail=attempt.mail.pk, attempts=attempts, error=attempt.reason)


def _fail(attempt: DeliveryAttempt) -> None:
    """Record that a mail is not tried again. An admin can still send it: the text is kept."""
    mail = attempt.mail
    with transaction.atomic():
        if attempt.is_bounced:
            # First, because receivers lock the owner of the address, who is always locked before mails.
            report_bounce(mail.recipient, attempt.error)
        is_recorded = _claimed(mail).update(
            state=MailState.FAILED,
            attempts=mail.attempts + 1,
            last_error=attempt.error,
            next_attempt_at=timezone.now(),
        )
    if is_recorded:
        logger.error("mail_failed", mail=mail.pk, attempts=mail.attempts + 1, error=attempt.reason)
