"""Report outages of the database: once at the start, a count each minute, and once at the end.

Every request and background thread that meets an outage reports it here, in each process for itself. A line
with a traceback for each of them would say the same a thousand times.
"""

import mmap
import struct
import threading
import time
from dataclasses import dataclass, field

import structlog

from sailing.errors import STATEMENT_PROBLEMS, STORAGE_PROBLEMS, describe_outage

STORAGE_SECONDS = 60.0
"""How long the storage counts as broken after a statement that met it. Reading still works meanwhile."""

logger = structlog.get_logger(__name__)


@dataclass
class Outage:
    """An outage that goes on. `failures`: since the last line; `total`: since the start."""

    failures: int = 1
    total: int = 1
    started_at: float = field(default_factory=time.monotonic)


_outages: dict[str, Outage] = {}
_lock = threading.Lock()

_STORAGE = struct.Struct("dq")
_storage = mmap.mmap(-1, _STORAGE.size)
"""When and which storage problem occurred last, shared by the processes that gunicorn forks."""


def report(error: BaseException) -> None:
    """Log an error for the first failure of an outage, and count the others."""
    reason = describe_outage(error)
    if reason in STORAGE_PROBLEMS:
        _STORAGE.pack_into(_storage, 0, time.monotonic(), STORAGE_PROBLEMS.index(reason))
    # A restart is one outage, although its failures differ: connections cut, refused, too early.
    kind = reason if reason in STATEMENT_PROBLEMS else "database unavailable"
    with _lock:
        if outage := _outages.get(kind):
            outage.failures += 1
            outage.total += 1
            return
        _outages[kind] = Outage()
    logger.error("database_failed", reason=reason, exc_info=error)


def log_progress() -> None:
    """Log how outages go on, and which have ended: those without a failure since the last call."""
    with _lock:
        current = dict(_outages)
        for kind, outage in current.items():
            seconds = round(time.monotonic() - outage.started_at)
            if outage.failures:
                logger.warning("database_failing", reason=kind, failures=outage.failures, seconds=seconds)
                outage.failures = 0
            else:
                logger.warning("database_recovered", reason=kind, failures=outage.total, seconds=seconds)
                del _outages[kind]


def get_storage_problem() -> str | None:
    """Return which problem of the database's storage a statement of this site met in the last minute."""
    at, index = _STORAGE.unpack_from(_storage)
    return STORAGE_PROBLEMS[index] if at and time.monotonic() < at + STORAGE_SECONDS else None
