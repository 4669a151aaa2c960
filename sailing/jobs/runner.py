"""The background threads of a process, and the one that runs jobs."""

import threading
import time
from collections.abc import Callable
from typing import Any

import structlog
from django.db import close_old_connections, connection

from sailing import database
from sailing.errors import is_database_unavailable
from sailing.jobs import queue, retention
from sailing.jobs.models import JOBS, WorkerHeartbeat

POLL_SECONDS = 2.0  # longest wait of work that another process has stored
LONGEST_BACKOFF_SECONDS = HEARTBEAT_SECONDS = 30.0
PAUSE_SECONDS = 0.02  # after each step on SQLite, which lets other writers in
JOIN_SECONDS = 10.0  # an ending process waits for the step under way; the database rolls back a longer one

logger = structlog.get_logger(__name__)

Run = Callable[[threading.Event], None]


class BackgroundThread:
    """A daemon thread that runs until the event that `run` gets is set. `woken` ends its pauses."""

    def __init__(self, name: str, run: Run, *, join_seconds: float, woken: Any = None) -> None:
        self._stop, self._woken, self._join_seconds = threading.Event(), woken, join_seconds
        self._thread = threading.Thread(target=run, args=(self._stop,), name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to stop, without waiting for it."""
        self._stop.set()
        if self._woken:
            self._woken.set()

    def shutdown(self) -> None:
        """Stop, and wait up to `join_seconds` for the work in progress."""
        self.stop()
        self._thread.join(self._join_seconds)


def repeat(name: str, work: Callable[[], float], stop: threading.Event, woken: threading.Event) -> None:
    """Call `work`, which returns a pause in seconds, until `stop` is set. Each failure doubles the pause."""
    backoff, next_heartbeat = POLL_SECONDS, 0.0
    while not stop.is_set():
        woken.clear()
        try:
            pause, backoff = work(), POLL_SECONDS
            if time.monotonic() >= next_heartbeat:
                WorkerHeartbeat.touch(name)
                next_heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        except Exception as error:
            pause, backoff = backoff, min(2 * backoff, LONGEST_BACKOFF_SECONDS)
            if is_database_unavailable(error):
                database.report_outage(error)
                logger.warning(f"{name}_postponed", error=type(error).__name__)
            else:
                logger.exception(f"{name}_failed")
        finally:
            close_old_connections()
        if not stop.is_set():  # which may have been set before `clear`
            woken.wait(pause)


class JobThread(BackgroundThread):
    """The thread that runs jobs. Stopped, it ends after the step under way."""

    def __init__(self) -> None:
        super().__init__(JOBS, self.run, join_seconds=JOIN_SECONDS, woken=queue.woken)

    def run(self, stop: threading.Event) -> None:
        repeat(JOBS, work, stop, queue.woken)
        connection.close()


def work() -> float:
    """Run the step that is due; return the pause in seconds before the next one."""
    retention.enqueue_if_due()
    if not queue.run_next_step():
        return POLL_SECONDS
    return PAUSE_SECONDS if connection.vendor == "sqlite" else 0.0
