"""The thread that runs jobs, in each process that has a worker."""

import threading
import time

import structlog
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from sailing import outages
from sailing.jobs import heartbeats, queue
from sailing.jobs.background import BackgroundThread, Backoff

POLL_SECONDS = 2.0
"""Longest wait of a job enqueued by another process; one of this process wakes the worker."""

CHECK_SECONDS = 30.0
"""Between two heartbeats, and two looks for routine jobs that are due."""

PAUSE_SECONDS = 0.02
"""Pause after each step on SQLite, which lets other writers in."""

JOIN_SECONDS = 10.0
"""How long an ending process waits for the step under way. The database rolls back a longer one."""

logger = structlog.get_logger(__name__)


def run(stop: threading.Event) -> None:
    """Run jobs until `stop` is set. No failure ends it."""
    backoff, next_check_at = Backoff(POLL_SECONDS), 0.0
    while not stop.is_set():
        queue.woken.clear()
        try:
            if time.monotonic() >= next_check_at:
                heartbeats.touch(heartbeats.JOBS)
                queue.enqueue_routine_jobs()
                next_check_at = time.monotonic() + CHECK_SECONDS
            has_worked = queue.run_next_step()
            backoff.record(failed=False)
            if has_worked:
                if connection.vendor == "sqlite":
                    stop.wait(PAUSE_SECONDS)
                continue
        except (DatabaseError, InterfaceError) as error:  # the database is unavailable
            backoff.record(failed=True)
            outages.report(error)
            logger.warning("jobs_postponed", error=type(error).__name__)
        except Exception:
            backoff.record(failed=True)
            logger.exception("jobs_failed")
        finally:
            close_old_connections()
        queue.woken.wait(backoff.seconds)
    connection.close()


class JobThread(BackgroundThread):
    """The thread that runs jobs. Stopped, it ends after the step under way."""

    def __init__(self) -> None:
        super().__init__("jobs", run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        super().stop()
        queue.woken.set()
