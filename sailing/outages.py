"""Log that the database is unavailable: one traceback at the start, and a line at the end with its length."""

import threading
from datetime import datetime, timedelta

import structlog
from django.utils import timezone

# An outage ends when nothing has failed for so long: a full disk fails some statements and not others.
QUIET = timedelta(seconds=10)

logger = structlog.get_logger(__name__)

current: tuple[datetime, datetime] | None = None  # when an outage began, and when something last failed
_lock = threading.Lock()


def report(error: BaseException) -> None:
    """Log the first failure of an outage with its traceback, and note when the last one was."""
    global current
    now = timezone.now()
    with _lock:
        is_first = current is None
        current = (current[0] if current else now, now)
    if is_first:
        logger.error("database_failed", exc_info=error)


def end() -> None:
    """Log the end of an outage, unless something has failed lately. The database must have just answered."""
    global current
    with _lock:
        if not current or timezone.now() - current[1] < QUIET:
            return
        (began_at, failed_at), current = current, None
    logger.warning("database_recovered", seconds=round((failed_at - began_at).total_seconds()))
