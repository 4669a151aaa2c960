"""What is watched of the outbox (see `sailing.status`)."""

from datetime import timedelta
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.mail import installation
from sailing.mail.models import MailState, OutboxEmail
from sailing.status import OVERDUE_SECONDS, measure_wait, watch

watch_mails = partial(watch, model="mail.OutboxEmail")


@watch_mails(
    "mails_due_seconds",
    label=_("Longest wait of an email"),
    problem=_("Emails wait. Either the worker cannot keep up, or the mail server is down or too slow."),
    limit=OVERDUE_SECONDS,
)
def measure_waiting_mails() -> float:
    """Return how long a mail is due; while the mail server is unavailable, since it was due first."""
    waiting = OutboxEmail.objects.filter(state=MailState.WAITING)
    given_back = waiting.filter(attempts=0).exclude(last_error="")
    return max(measure_wait(waiting), measure_wait(given_back, "due_at"))


@watch_mails(
    "sending_stopped",
    label=_("Identity of the database"),
    problem=_("Nothing is sent, because the database was restored or copied: run manage.py after_restore."),
    limit=0,
)
def is_sending_stopped() -> int:
    return int(installation.is_copy())


@watch_mails("mails", label=_("Emails outside campaigns"))
def count_mails() -> dict[MailState, int]:
    return {state: OutboxEmail.objects.filter(state=state).count() for state in MailState}


@watch_mails("mails_failed", label=_("Emails that failed in the last 24 hours"))
def count_failed_mails() -> int:
    since = timezone.now() - timedelta(days=1)
    return OutboxEmail.objects.filter(state=MailState.FAILED, next_attempt_at__gt=since).count()
