"""The background threads of a process, and the one that runs jobs."""

import threading
import time
from collections.abc import Callable

import structlog
from django.db import close_old_connections, connection

from sailing import outages
from sailing.errors import is_database_unavailable
from sailing.jobs import queue, retention
from sailing.jobs.models import JOBS, WorkerHeartbeat

POLL_SECONDS = 2.0
"""Longest wait of work that another process has stored; this process wakes its own threads."""

LONGEST_BACKOFF_SECONDS = 30.0

HEARTBEAT_SECONDS = 30.0

PAUSE_SECONDS = 0.02
"""Pause after each step on SQLite, which lets other writers in."""

JOIN_SECONDS = 10.0
"""How long an ending process waits for the step under way. The database rolls back a longer one."""

logger = structlog.get_logger(__name__)


class BackgroundThread:
    """A daemon thread that runs a loop until the event that `run` gets is set."""

    def __init__(self, name: str, run: Callable[[threading.Event], None], *, join_seconds: float) -> None:
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


def repeat(name: str, work: Callable[[], float], stop: threading.Event, woken: threading.Event) -> None:
    """Call `work` until `stop` is set, with the pauses in seconds that it returns; `woken` ends a pause.

    `name`: the part of the worker whose heartbeat it is. No failure ends the loop; each further one doubles
    the pause.
    """
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
                outages.report(error)
                logger.warning(f"{name}_postponed", error=type(error).__name__)
            else:
                logger.exception(f"{name}_failed")
        finally:
            close_old_connections()
        woken.wait(pause)


class JobThread(BackgroundThread):
    """The thread that runs jobs. Stopped, it ends after the step under way."""

    def __init__(self) -> None:
        self._next_check = 0.0
        super().__init__(JOBS, self.run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        super().stop()
        queue.woken.set()

    def run(self, stop: threading.Event) -> None:
        repeat(JOBS, self.work, stop, queue.woken)
        connection.close()

    def work(self) -> float:
        if time.monotonic() >= self._next_check:
            retention.enqueue_if_due()
            self._next_check = time.monotonic() + HEARTBEAT_SECONDS
        if not queue.run_next_step():
            return POLL_SECONDS
        if connection.vendor == "sqlite":
            time.sleep(PAUSE_SECONDS)
        return 0.0
