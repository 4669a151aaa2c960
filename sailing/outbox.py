"""Sends what waits in the outbox, from a side thread of each web process.

The library (django-post-office) keeps the mails, their states and the errors, and hands one to the mail
server. Here is when to look, one sender at a time, growing pauses between tries, and forgetting. What a
sent mail said is forgotten at once, because the links in it open accounts and subscriptions; the mail
itself, with its reader's address, after a fortnight.

A mail is sent once, whatever fails: it is claimed before it is handed over, and what the mail server took
is remembered until the database knows. Only a sender that is killed between the two repeats its mail, with
the same Message-ID.
"""

import fcntl
import hashlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.core.mail import get_connection
from django.db import close_old_connections, connection, transaction
from django.dispatch import Signal
from django.utils import timezone
from post_office.mail import get_queued
from post_office.models import STATUS, Email
from post_office.utils import cleanup_expired_mails

LOOK_SECONDS = 2.0
"""How long another process's mail may wait; a mail of this process wakes the sender at once."""

TIDY_EVERY = timedelta(hours=1)
KEPT = timedelta(days=14)
"""Whether sent or failed: by then the links that a mail asks to open have ended."""

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
MAX_RETRIES = 30  # about a day

CLAIM = timedelta(minutes=5)
"""How long a mail that is being sent is nobody else's: what a sender was killed with waits so long."""

LAST_MAIL_SECONDS = 20.0
"""How long a process that ends waits for the mail that is under way; gunicorn allows it 25."""

tidying = Signal()
"""Sent by the sender's thread once an hour, for whoever keeps what is to be forgotten in time."""

LOCK = 0x5A111  # the number of our lock in PostgreSQL, where each database has locks of its own

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
    with _alone() as alone:
        while alone and not (stop and stop.is_set()):
            email = next(iter(get_queued()), None)
            if email is None:
                break
            if _claim(email):
                total += _send(email)
                _record_accepted()
    return total


def tidy() -> None:
    """Forget all mails that are old, and what others keep."""
    cleanup_expired_mails(timezone.now() - KEPT, delete_attachments=False)
    tidying.send(sender=None)


def run(stop: threading.Event) -> None:
    """Look for mails until told to stop. No outage ends it, of the database, the mail server or the disk."""
    tidy_at = timezone.now()
    while not stop.is_set():
        _wake.clear()
        try:
            send_waiting(stop)
            if timezone.now() >= tidy_at:
                tidy()
                tidy_at = timezone.now() + TIDY_EVERY
        except Exception as error:  # noqa: BLE001 - else the mails of this process wait for its restart
            logger.warning("outbox_waits", error=type(error).__name__)
        finally:
            close_old_connections()
        _wake.wait(LOOK_SECONDS)
    connection.close()


class SideThread:
    """The sender beside a web process."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=run, args=(self._stop,), name="outbox", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Begin no other mail."""
        self._stop.set()
        _wake.set()

    def end(self) -> None:
        """Begin no other mail, and wait for the one under way: cut off, it would be sent twice."""
        self.stop()
        self._thread.join(LAST_MAIL_SECONDS)


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


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether nobody else sends; nobody will until the end of the block.

    The lock lies where all processes of a site see it, and ends with the process that holds it, even
    a killed one (the library's own lock file would then stay for good).
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
            (alone,) = cursor.fetchone()
        try:
            yield alone
        finally:
            if alone:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        return
    with _lock_file().open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _lock_file() -> Path:
    # Two sites on one machine (a test run beside a running site) must not wait for each other.
    name = hashlib.sha256(str(settings.DATABASES["default"]["NAME"]).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"sailing-outbox-{name}.lock"
