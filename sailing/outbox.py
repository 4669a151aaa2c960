"""Sends what waits in the outbox, from a side thread of a web process or from the command `send_mail`.

The library (django-post-office) keeps the mails, their states and the errors. Here is what it leaves
open: when to look, growing pauses between tries, and forgetting what a sent mail said, because the
links in it open accounts and subscriptions.
"""

import hashlib
import tempfile
import threading
from datetime import timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, transaction
from django.utils import timezone
from post_office.lockfile import FileLock, FileLocked
from post_office.mail import get_queued, send_queued
from post_office.models import STATUS, Email

LOOK_SECONDS = 2.0
"""How long another process's mail may wait; a mail of this process wakes the sender at once."""

FIRST_PAUSE: timedelta = settings.POST_OFFICE["RETRY_INTERVAL"]  # type: ignore[assignment]
LONGEST_PAUSE = timedelta(hours=1)

logger = structlog.get_logger(__name__)
_wake = threading.Event()


def wake_after_commit() -> None:
    """Let the sender of this process, if it has one, look as soon as the transaction is through."""
    transaction.on_commit(_wake.set)


def send_waiting() -> int:
    """Send every mail that is due, one after another; return how many went out.

    One sender at a time on a machine: who finds another at work returns 0. A mail that fails waits
    1, 2, 4, ... minutes (one hour at the most) and is tried again until its tries are used up.
    Raises DatabaseError when the database is away.
    """
    sent = 0
    try:
        with FileLock(_lock_path()):
            while get_queued().exists():
                sent += send_queued()[0]
                _space_out_retries()
                _forget_sent()
    except FileLocked:
        pass
    return sent


def run(stop: threading.Event) -> None:
    """Look for mails until told to stop. Outages of the database or of the mail server end nothing."""
    while not stop.is_set():
        _wake.clear()
        try:
            send_waiting()
        except (DatabaseError, OSError) as error:
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
    recently = timezone.now() - timedelta(hours=1)
    sent = Email.objects.filter(status=STATUS.sent, last_updated__gte=recently)
    sent.exclude(message="", html_message="").update(message="", html_message="", headers=None)


def _lock_path() -> str:
    # Two sites on one machine (a test run beside a running site) must not wait for each other.
    database = f"{settings.DATABASES['default']['HOST']}/{settings.DATABASES['default']['NAME']}"
    name = hashlib.sha256(database.encode()).hexdigest()[:16]
    return str(Path(tempfile.gettempdir()) / f"sailing-outbox-{name}")
