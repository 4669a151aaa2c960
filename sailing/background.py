"""Work beside the requests: threads of a process, and locks that let one process at a time do a job."""

import fcntl
import hashlib
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

from django.conf import settings
from django.db import connection


class Lock(IntEnum):
    """The jobs that one process at a time may do. The numbers are those of PostgreSQL's advisory locks."""

    OUTBOX = 0x5A111
    RETENTION = 0x5A112


@contextmanager
def try_lock(lock: Lock) -> Iterator[bool]:
    """Take a lock until the end of the block; yield False at once when another process holds it.

    On PostgreSQL it is an advisory lock of the session, seen by all machines of a site. On SQLite it is
    a lock on a file. Both end with the process that holds them, even a killed one.
    Raises what the database raises when it is away.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [lock.value])
            (is_held,) = cursor.fetchone()
        try:
            yield is_held
        finally:
            if is_held:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [lock.value])
        return
    with _lock_file(lock).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _lock_file(lock: Lock) -> Path:
    # Two sites on one machine (a test run beside a running site) must not wait for each other.
    name = hashlib.sha256(str(settings.DATABASES["default"]["NAME"]).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"sailing-{lock.name.lower()}-{name}.lock"


class BackgroundThread:
    """A daemon thread that runs a loop until it is told to stop."""

    def __init__(self, name: str, run: Callable[[threading.Event], None], *, join_seconds: float) -> None:
        """Start the thread. `run` gets the event that tells it to stop."""
        self._stop = threading.Event()
        self._join_seconds = join_seconds
        self._thread = threading.Thread(target=run, args=(self._stop,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to stop, without waiting for it."""
        self._stop.set()

    def shutdown(self) -> None:
        """Tell the thread to stop, and wait for what it has begun, up to `join_seconds`."""
        self.stop()
        self._thread.join(self._join_seconds)
