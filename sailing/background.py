"""Background threads, and locks that let one process at a time do a job."""

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
    """Jobs for one process at a time. The values are the keys of PostgreSQL's advisory locks."""

    OUTBOX = 0x5A111
    RETENTION = 0x5A112


@contextmanager
def try_lock(lock: Lock) -> Iterator[bool]:
    """Hold a lock for the block. Yield False at once if another process holds it.

    On PostgreSQL it is a session-level advisory lock, shared by all machines; on SQLite a file lock. Both
    end with their process, even a killed one. Raises database errors.
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
    # One file per database: a test run does not wait for a site on the same machine.
    name = hashlib.sha256(str(settings.DATABASES["default"]["NAME"]).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"sailing-{lock.name.lower()}-{name}.lock"


class BackgroundThread:
    """A daemon thread that runs a loop until it is stopped."""

    def __init__(self, name: str, run: Callable[[threading.Event], None], *, join_seconds: float) -> None:
        """Start the thread. `run` ends soon after the event that it gets is set."""
        self._stop = threading.Event()
        self._join_seconds = join_seconds
        self._thread = threading.Thread(target=run, args=(self._stop,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to stop, without waiting for it."""
        self._stop.set()

    def shutdown(self) -> None:
        """Stop the thread and wait up to `join_seconds` for the work in progress."""
        self.stop()
        self._thread.join(self._join_seconds)
