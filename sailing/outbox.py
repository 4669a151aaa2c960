"""Sends what waits in the outbox, from a side thread of each web process.

The library (django-post-office) keeps the mails, their states and the errors. Here is what it leaves
open: when to look, one sender at a time, growing pauses between tries, and forgetting. What a sent mail
said is forgotten at once, because the links in it open accounts and subscriptions; the mail itself, with
its reader's address, after a fortnight.
"""

import fcntl
import hashlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db import close_old_connections, connection, transaction
from django.dispatch import Signal
from django.utils import timezone
from post_office.mail import get_queued, send_queued
from post_office.models import STATUS, Email
from post_office.utils import cleanup_expired_mails

LOOK_SECONDS = 2.0
"""How long another process's mail may wait; a mail of this process wakes the sender at once."""

TIDY_EVERY = timedelta(hours=1)
KEPT = timedelta(days=14)
"""Whether sent or failed: by then the links that a mail asks to open have ended."""

FIRST_PAUSE: timedelta = settings.POST_OFFICE["RETRY_INTERVAL"]  # type: ignore[assignment]
LONGEST_PAUSE = timedelta(hours=1)

tidying = Signal()
"""Sent by the sender's thread once an hour, for whoever keeps what is to be forgotten in time."""

LOCK = 0x5A111  # the number of our lock in PostgreSQL, where each database has locks of its own

logger = structlog.get_logger(__name__)
_wake = threading.Event()


def wake_after_commit() -> None:
    """Let the sender of this process, if it has one, look as soon as the transaction is through."""
    transaction.on_commit(_wake.set)


def send_waiting() -> int:
    """Send every mail that is due, one after another; return how many went out.

    One sender at a time: who finds another at work returns 0. A mail that fails waits 1, 2, 4, ...
    minutes (one hour at the most) and is tried again until its tries are used up.
    Raises what the database raises when it is away.
    """
    total = 0
    with _alone() as alone:
        while alone and get_queued().exists():
            sent, failed, postponed = send_queued()
            total += sent
            if failed or postponed:
                logger.warning("mail_not_sent", failed=failed, postponed=postponed)
            _space_out_retries()
            _forget_sent()
            if not sent + failed + postponed:
                break  # else it would find the same mails due without end
    return total


def tidy() -> None:
    """Forget what a sender that was killed left behind, all mails that are old, and what others keep."""
    _forget_sent()
    cleanup_expired_mails(timezone.now() - KEPT, delete_attachments=False)
    tidying.send(sender=None)


def run(stop: threading.Event) -> None:
    """Look for mails until told to stop. No outage ends it, of the database, the mail server or the disk."""
    tidy_at = timezone.now()
    while not stop.is_set():
        _wake.clear()
        try:
            send_waiting()
            if timezone.now() >= tidy_at:
                tidy()
                tidy_at = timezone.now() + TIDY_EVERY
        except Exception as error:  # noqa: BLE001 - else the mails of this process wait for its restart
            logger.warning("outbox_waits", error=type(error).__name__)
        finally:
            close_old_connections()
        _wake.wait(LOOK_SECONDS)
    connection.close()


def start_thread() -> threading.Event:
    """Run the sender beside a web process; set the returned event to end it."""
    stop = threading.Event()
    threading.Thread(target=run, args=(stop,), name="outbox", daemon=True).start()
    return stop


def _space_out_retries() -> None:
    soon = timezone.now() + FIRST_PAUSE
    for email in Email.objects.filter(
        status=STATUS.requeued, number_of_retries__gt=1, scheduled_time__lte=soon
    ):
        pause = min(FIRST_PAUSE * 2 ** (email.number_of_retries - 1), LONGEST_PAUSE)
        Email.objects.filter(pk=email.pk).update(scheduled_time=email.last_updated + pause)


def _forget_sent() -> None:
    sent = Email.objects.filter(status=STATUS.sent).exclude(message="", html_message="")
    sent.update(message="", html_message="", headers=None)


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
