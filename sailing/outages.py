"""Log that the database is unavailable: an error at the start, and a line at the end with its length.

Every request and background thread that meets an outage reports it here, in each process for itself. A line
with a traceback for each of them would say the same a thousand times.
"""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.utils import timezone

QUIET = timedelta(seconds=10)
"""An outage ends when nothing has failed for so long: a full disk fails some statements and not others."""

logger = structlog.get_logger(__name__)


@dataclass
class Outage:
    """An outage that goes on."""

    began_at: datetime
    failed_at: datetime


current: Outage | None = None
_lock = threading.Lock()


def report(error: BaseException) -> None:
    """Log the first failure of an outage with its traceback, and note when the last one was."""
    global current
    now = timezone.now()
    with _lock:
        if current:
            current.failed_at = now
            return
        current = Outage(now, now)
    logger.error("database_failed", exc_info=error)


def end() -> None:
    """Log the end of an outage, unless something has failed lately. The database must have just answered."""
    global current
    with _lock:
        outage = current
        if not outage or timezone.now() - outage.failed_at < QUIET:
            return
        current = None
    seconds = round((outage.failed_at - outage.began_at).total_seconds())
    logger.warning("database_recovered", seconds=seconds)
