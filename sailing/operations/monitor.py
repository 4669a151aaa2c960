"""The thread that logs what the watches find, in every process: a stuck worker cannot report itself."""

import threading
import time
from datetime import datetime, timedelta

import structlog
from django.db import connection
from django.utils import timezone

from sailing import outages, status
from sailing.errors import is_database_unavailable
from sailing.jobs.background import BackgroundThread

CHECK_SECONDS = 60.0
PROBE_SECONDS = 5.0
"""Between two attempts to reach the database during an outage."""

REPEAT = timedelta(hours=1)
"""Between two log lines about a problem that stays."""

logger = structlog.get_logger(__name__)


class StatusMonitor(BackgroundThread):
    """The thread that watches."""

    def __init__(self) -> None:
        super().__init__("status-monitor", run, join_seconds=1.0)


def run(stop: threading.Event) -> None:
    """Log what is wrong, and the end of an outage, until `stop` is set. No error ends it."""
    logged_at: dict[str, datetime] = {}
    next_check = time.monotonic() + CHECK_SECONDS
    while not stop.wait(PROBE_SECONDS):
        try:
            if outages.current:
                connection.cursor().execute("SELECT 1")
                outages.end()
            if time.monotonic() >= next_check:
                next_check = time.monotonic() + CHECK_SECONDS
                log_problems(logged_at)
        except Exception as error:
            if is_database_unavailable(error):
                outages.report(error)
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
