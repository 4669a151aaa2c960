"""The background threads of a process: they send mails, run jobs, and log what the watches find."""

import threading
import time
from datetime import datetime, timedelta

import structlog
from django.db import connection
from django.utils import timezone

from sailing import database, status
from sailing.errors import is_database_unavailable
from sailing.jobs.runner import BackgroundThread, JobThread
from sailing.mail.sender import MailThread

CHECK_SECONDS = 60.0
PROBE_SECONDS = 5.0  # between two attempts to reach the database during an outage
REPEAT = timedelta(hours=1)  # between two log lines about a problem that stays

logger = structlog.get_logger(__name__)


class Worker:
    """The threads of `manage.py worker`, or of a web process, where others may do the work."""

    def __init__(self, *, has_work: bool = True) -> None:
        # Each process watches, because a stuck worker cannot report itself.
        work = (JobThread(), MailThread()) if has_work else ()
        self._threads = (*work, BackgroundThread("status-monitor", monitor, join_seconds=1.0))

    def stop(self) -> None:
        """Start no further mail, job or step, without waiting for those under way."""
        for thread in self._threads:
            thread.stop()

    def shutdown(self) -> None:
        self.stop()
        for thread in self._threads:
            thread.shutdown()


def monitor(stop: threading.Event) -> None:
    """Log what is wrong, and the end of an outage, until `stop` is set. No error ends it."""
    logged_at: dict[str, datetime] = {}
    next_check = time.monotonic() + CHECK_SECONDS
    while not stop.wait(PROBE_SECONDS):
        try:
            if database.outage:
                connection.cursor().execute("SELECT 1")
                database.end_outage()
            if time.monotonic() >= next_check:
                next_check = time.monotonic() + CHECK_SECONDS
                log_problems(logged_at)
        except Exception as error:
            if is_database_unavailable(error):
                database.report_outage(error)
            else:
                logger.exception("monitor_failed")
        finally:
            connection.close()


def log_problems(logged_at: dict[str, datetime]) -> None:
    """Log an error for each problem, and repeat it after a while. `logged_at` keeps the last times."""
    now = timezone.now()
    problems = {reading.watch.name: reading for reading in status.find_problems()}
    for name in logged_at.keys() - problems.keys():
        del logged_at[name]
    for name, found in problems.items():
        if name not in logged_at or now >= logged_at[name] + REPEAT:
            logged_at[name] = now
            logger.error(name, value=found.value, limit=found.watch.limit, problem=str(found.watch.problem))
