"""Send the mails of the outbox, from a background thread of each web process.

The library (django-post-office) stores the mails, their states and errors, and hands one to the mail server.
This module decides when to send, lets one sender work at a time, and retries with a growing pause. The
body of a mail is deleted when it is sent, because its links open accounts and subscriptions; the rest of
the row is deleted after `RETENTION`.

Each mail is claimed before it is handed over, and an accepted mail is remembered until the database records
it, so an outage sends nothing twice. Only a sender killed between the two repeats its mail, with the same
Message-ID.
"""

import threading
from contextlib import suppress
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import get_connection
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from post_office.mail import get_queued
from post_office.models import STATUS, Email

from sailing.background import BackgroundThread
from sailing.errors import describe_outage
from sailing.retention import delete_batch

POLL_SECONDS = 2.0
"""Longest wait of a mail stored by another process; one of this process wakes the sender."""

RETENTION = timedelta(days=14)
"""Of sent and failed mails. By then their links have expired."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
MAX_RETRIES = 30
"""With these pauses, about a day."""

CLAIM_LIFETIME = timedelta(minutes=5)
"""How long a claimed mail is left to its sender; after that, the sender counts as killed."""

JOIN_SECONDS = 20.0
"""How long an ending process waits for the mail under way; gunicorn allows 25 s."""

logger = structlog.get_logger(__name__)
_wake = threading.Event()
_accepted: set[int] = set()
"""Keys of mails that the mail server accepted and the database does not yet record as sent."""


def wake_after_commit() -> None:
    """Wake the sender of this process, if it has one, after the transaction."""
    transaction.on_commit(_wake.set)


def send_pending(stop: threading.Event | None = None) -> int:
    """Send every mail that is due; return how many the mail server accepted.

    Returns 0 at once while another process is sending. A mail that fails is retried after 1, 2, 4, ...
    minutes, at most an hour. After `stop` is set, no further mail is started.
    Raises what the database raises when it is away; the next call records the mails accepted until then.
    """
    total = 0
    _record_accepted()
    while not (stop and stop.is_set()):
        email = next(iter(get_queued()), None)
        if email is None:
            break
        if _claim(email):
            total += _send(email)
            _record_accepted()
    return total


def purge_expired() -> bool:
    """Delete a batch of old mails, sent or not; return whether more are left."""
    return delete_batch(Email.objects.filter(created__lt=timezone.now() - RETENTION))


def run(stop: threading.Event) -> None:
    """Send mails until `stop` is set. No outage of the database, the mail server or the disk ends it."""
    while not stop.is_set():
        _wake.clear()
        try:
            send_pending(stop)
        except Exception as error:  # noqa: BLE001 - the thread must outlive any failure
            logger.warning("outbox_waits", error=type(error).__name__, reason=describe_outage(error))
        finally:
            close_old_connections()
        _wake.wait(POLL_SECONDS)
    connection.close()


class OutboxThread(BackgroundThread):
    """The sender beside a web process."""

    def __init__(self) -> None:
        super().__init__("outbox", run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        """Start no further mail. `shutdown` waits for the one under way, which would be sent twice."""
        super().stop()
        _wake.set()


def _claim(email: Email) -> bool:
    """Reserve a mail for this sender; return whether it was free.

    The outbox lock ends with its database connection, which may drop while a mail is being sent.
    """
    unchanged = Email.objects.filter(pk=email.pk, status=email.status, scheduled_time=email.scheduled_time)
    return bool(unchanged.update(scheduled_time=timezone.now() + CLAIM_LIFETIME))


def _send(email: Email) -> bool:
    """Hand a mail to the mail server; return whether it was accepted. A refused one is postponed."""
    mail_server = get_connection(settings.POST_OFFICE["BACKENDS"]["default"])  # type: ignore[index]
    try:
        mail_server.open()
        email.dispatch(commit=False, disconnect_after_delivery=False, connection=mail_server)
        _accepted.add(email.pk)
    except Exception as error:  # noqa: BLE001 - a mail that fails must not block the next
        _postpone(email, error)
        return False
    finally:
        with suppress(Exception):  # the mail is accepted or postponed already
            mail_server.close()
    return True


def _record_accepted() -> None:
    """Mark the accepted mails as sent and delete their bodies."""
    if _accepted:
        sent = Email.objects.filter(pk__in=_accepted)
        sent.update(
            status=STATUS.sent, last_updated=timezone.now(), message="", html_message="", headers=None
        )
        _accepted.clear()


def _postpone(email: Email, error: Exception) -> None:
    now = timezone.now()
    retries = email.number_of_retries or 0
    is_final = retries >= MAX_RETRIES
    pause = min(FIRST_PAUSE * 2**retries, LONGEST_PAUSE)
    with transaction.atomic():
        is_stored = Email.objects.filter(pk=email.pk).update(
            status=STATUS.failed if is_final else STATUS.requeued,
            scheduled_time=now + pause,
            number_of_retries=retries if is_final else retries + 1,
            last_updated=now,
        )
        if is_stored:  # not cancelled meanwhile
            email.logs.create(status=STATUS.failed, message=str(error), exception_type=type(error).__name__)
    log = logger.error if is_final else logger.warning  # errors go to Sentry
    log("mail_not_sent", final=is_final, error=type(error).__name__)
