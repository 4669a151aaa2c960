"""Sends what waits in the outbox, from a side thread of each web process.

The library (django-post-office) keeps the mails, their states and the errors, and hands one to the mail
server. Here is when to look, one sender at a time, growing pauses between tries, and deletion. The body of
a mail is deleted when it is sent, because the links in it open accounts and subscriptions; the mail
itself, with its reader's address, after a fortnight.

A mail is sent once, whatever fails: it is claimed before it is handed over, and what the mail server took
is remembered until the database knows. Only a sender that is killed between the two repeats its mail, with
the same Message-ID.
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

from sailing.background import BackgroundThread, Lock, try_lock
from sailing.retention import delete_batch

LOOK_SECONDS = 2.0
"""How long another process's mail may wait; a mail of this process wakes the sender at once."""

RETENTION = timedelta(days=14)
"""Whether sent or failed: by then the links that a mail asks to open have ended."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
MAX_RETRIES = 30  # about a day

CLAIM = timedelta(minutes=5)
"""How long a mail that is being sent is nobody else's: what a sender was killed with waits so long."""

LAST_MAIL_SECONDS = 20.0
"""How long a process that ends waits for the mail that is under way; gunicorn allows it 25."""

logger = structlog.get_logger(__name__)
_wake = threading.Event()
_accepted: set[int] = set()
"""Mails that the mail server has taken and the database does not yet know as sent."""


def wake_after_commit() -> None:
    """Let the sender of this process, if it has one, look as soon as the transaction is through."""
    transaction.on_commit(_wake.set)


def send_waiting(stop: threading.Event | None = None) -> int:
    """Send every mail that is due, one after another; return how many went out.

    One sender at a time: who finds another at work returns 0. A mail that fails waits 1, 2, 4, ...
    minutes (one hour at the most) and is tried again until its tries are used up. Told to stop, it
    begins no other mail.
    Raises what the database raises when it is away; what the mail server has taken until then is
    recorded by the next call.
    """
    total = 0
    _record_accepted()
    with try_lock(Lock.OUTBOX) as is_held:
        while is_held and not (stop and stop.is_set()):
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
    """Look for mails until told to stop. No outage ends it, of the database, the mail server or the disk."""
    while not stop.is_set():
        _wake.clear()
        try:
            send_waiting(stop)
        except Exception as error:  # noqa: BLE001 - else the mails of this process wait for its restart
            logger.warning("outbox_waits", error=type(error).__name__)
        finally:
            close_old_connections()
        _wake.wait(LOOK_SECONDS)
    connection.close()


class OutboxThread(BackgroundThread):
    """The sender beside a web process."""

    def __init__(self) -> None:
        super().__init__("outbox", run, join_seconds=LAST_MAIL_SECONDS)

    def stop(self) -> None:
        """Begin no other mail. `end` waits for the one under way: cut off, it would be sent twice."""
        super().stop()
        _wake.set()


def _claim(email: Email) -> bool:
    """Whether a mail is ours to send.

    The lock below ends with its connection, which may be cut while we still send: another sender then
    must not find the same mail due.
    """
    unchanged = Email.objects.filter(pk=email.pk, status=email.status, scheduled_time=email.scheduled_time)
    return bool(unchanged.update(scheduled_time=timezone.now() + CLAIM))


def _send(email: Email) -> bool:
    """Whether the mail server took it. If not, it waits for its next try, and the reason is stored."""
    mail_server = get_connection(settings.POST_OFFICE["BACKENDS"]["default"])  # type: ignore[index]
    try:
        mail_server.open()
        email.dispatch(commit=False, disconnect_after_delivery=False, connection=mail_server)
        _accepted.add(email.pk)
    except Exception as error:  # noqa: BLE001 - a mail that cannot be sent must not hold up the next
        _postpone(email, error)
        return False
    finally:
        with suppress(Exception):  # the mail is where it is
            mail_server.close()
    return True


def _record_accepted() -> None:
    """Note what was sent, and forget what it said."""
    if _accepted:
        sent = Email.objects.filter(pk__in=_accepted)
        sent.update(
            status=STATUS.sent, last_updated=timezone.now(), message="", html_message="", headers=None
        )
        _accepted.clear()


def _postpone(email: Email, error: Exception) -> None:
    now = timezone.now()
    retries = email.number_of_retries or 0
    final = retries >= MAX_RETRIES
    pause = min(FIRST_PAUSE * 2**retries, LONGEST_PAUSE)
    with transaction.atomic():
        found = Email.objects.filter(pk=email.pk).update(
            status=STATUS.failed if final else STATUS.requeued,
            scheduled_time=now + pause,
            number_of_retries=retries if final else retries + 1,
            last_updated=now,
        )
        if found:  # it may have been withdrawn meanwhile
            email.logs.create(status=STATUS.failed, message=str(error), exception_type=type(error).__name__)
    logger.warning("mail_not_sent", final=final, error=type(error).__name__)
