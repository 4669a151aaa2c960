"""Delete stored data once its retention period is over (GDPR article 5(1)(e)).

Each app registers its steps in `AppConfig.ready`. A step deletes at most one batch and returns whether more
is left. A background thread of the web process or of `manage.py send_mails` runs all steps once an hour, in
one process at a time; `manage.py purge_expired` runs them at once.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import QuerySet
from django.utils import timezone

from sailing.background import BackgroundThread, Lock, try_lock
from sailing.models import RetentionRun

Step = Callable[[], bool]

BATCH_SIZE = 1000
"""Rows that one call of a step deletes at most."""

INTERVAL = timedelta(hours=1)
"""Time from the start of one run to the start of the next, even if the first failed."""

RUN_SECONDS = 20.0
"""How long a run repeats steps that have more to delete."""

PAUSE_SECONDS = 0.05
"""Pause after each batch, which lets other writers of an SQLite database in."""

CHECK_SECONDS = 300.0
"""How often each process checks whether a run is due."""

JOIN_SECONDS = 2.0
"""How long shutdown waits for the current batch. The database rolls back a longer one."""

logger = structlog.get_logger(__name__)
_steps: list[Step] = []


@dataclass(frozen=True)
class Report:
    """The steps of a run that failed, and those that have more to delete."""

    failed: list[str]
    unfinished: list[str]


def register(step: Step) -> None:
    """Add a step. It deletes at most `BATCH_SIZE` rows and returns whether more are left."""
    _steps.append(step)


def delete_batch(rows: QuerySet[Any]) -> bool:
    """Delete the first rows of a queryset, at most `BATCH_SIZE`; return whether more may be left."""
    keys = list(rows.order_by().values_list("pk", flat=True)[:BATCH_SIZE])
    rows.model._default_manager.filter(pk__in=keys).delete()
    return len(keys) == BATCH_SIZE


def purge_expired(stop: threading.Event | None = None, *, max_seconds: float | None = None) -> Report | None:
    """Run every step once, and those with more to delete again, in turns.

    Steps are repeated for `max_seconds`, or until nothing is left if it is None. A failing step is logged and
    not repeated; the others still run. Returns None if another process is running the steps.
    Raises database errors before the first step.
    """
    with try_lock(Lock.RETENTION) as is_held:
        return _run_steps(stop or threading.Event(), max_seconds) if is_held else None


def purge_if_due(stop: threading.Event) -> None:
    """Run the steps if the last run, of any process, started at least `INTERVAL` ago."""
    if not _is_due():
        return
    with try_lock(Lock.RETENTION) as is_held:
        if is_held and _is_due():  # another process may have run them since the first check
            _run_steps(stop, RUN_SECONDS)


def run(stop: threading.Event) -> None:
    """Run the steps hourly until stopped. Errors are logged."""
    while not stop.is_set():
        try:
            purge_if_due(stop)
        except (DatabaseError, InterfaceError) as error:  # the database is away
            logger.warning("retention_postponed", error=type(error).__name__)
        except Exception:
            logger.exception("retention_failed")
        finally:
            connection.close()  # frees it for requests until the next run
        stop.wait(CHECK_SECONDS)


class RetentionThread(BackgroundThread):
    """The thread that deletes expired data."""

    def __init__(self) -> None:
        super().__init__("retention", run, join_seconds=JOIN_SECONDS)


def _is_due() -> bool:
    last = RetentionRun.objects.values_list("started_at", flat=True).first()
    now = timezone.now()
    # A start in the future means that the clock has been set back since.
    return last is None or last <= now - INTERVAL or last > now


def _run_steps(stop: threading.Event, max_seconds: float | None) -> Report:
    # Recorded first, so that a run that is killed is not repeated at once.
    RetentionRun.objects.update_or_create(pk=1, defaults={"started_at": timezone.now()})
    end = None if max_seconds is None else time.monotonic() + max_seconds
    failed: list[str] = []
    waiting = deque(_steps)
    batches = 0
    while waiting and not stop.is_set():
        if batches >= len(_steps) and end is not None and time.monotonic() >= end:
            break
        batches += 1
        step = waiting.popleft()
        if _has_more(step, failed):
            waiting.append(step)
            stop.wait(PAUSE_SECONDS)
    report = Report(failed=failed, unfinished=[_name(step) for step in waiting])
    logger.info("retention_run", failed=report.failed, unfinished=report.unfinished)
    return report


def _has_more(step: Step, failed: list[str]) -> bool:
    """Run one batch of a step; return whether more is left. A failure is logged and added to `failed`."""
    try:
        return step()
    except Exception:
        logger.exception("retention_step_failed", step=_name(step))
        failed.append(_name(step))
        if connection.errors_occurred and not connection.is_usable():
            connection.close()  # the lock is lost with it, but the run is recorded
        return False


def _name(step: Step) -> str:
    return f"{step.__module__}.{getattr(step, '__qualname__', step)}"
