"""The state of the queues, mails and jobs: overdue ones are logged as errors, and `/metrics` shows all.

Each web process watches the queues, because a worker that does not run cannot report itself.
"""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Count, Min, Q
from django.utils import timezone

from sailing import outages
from sailing.background import BackgroundThread
from sailing.jobs.queue import MAX_ATTEMPTS
from sailing.models import UNFINISHED, Job, JobState, MailState, OutboxEmail

CHECK_SECONDS = 60.0
REPEAT = timedelta(hours=1)
"""Between two log lines about a queue that stays overdue."""

MAILS_OVERDUE = timedelta(minutes=10)
JOBS_OVERDUE = timedelta(minutes=30)
"""Longer than a large import takes, which others wait for."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class QueueState:
    """`waiting`: not finished. `failed`: finally, since a time. `due_since`: of the oldest due one."""

    waiting: int
    failed: int
    due_since: datetime | None

    def is_overdue(self, limit: timedelta) -> bool:
        return self.due_since is not None and self.due_since < timezone.now() - limit

    @property
    def due_seconds(self) -> int:
        """How long the oldest one has been due."""
        return round((timezone.now() - self.due_since).total_seconds()) if self.due_since else 0


def read_mails(failed_since: datetime) -> QueueState:
    """Return the state of the outbox."""
    is_waiting = Q(state=MailState.WAITING)
    is_failed = Q(state=MailState.FAILED, next_attempt_at__gt=failed_since)
    return QueueState(
        **OutboxEmail.objects.filter(is_waiting | is_failed).aggregate(
            waiting=Count("pk", filter=is_waiting),
            failed=Count("pk", filter=is_failed),
            due_since=Min("next_attempt_at", filter=is_waiting & Q(next_attempt_at__lt=timezone.now())),
        )
    )


def read_jobs(failed_since: datetime) -> QueueState:
    """Return the state of the jobs. A job that was refused, as for a bad file, has not failed."""
    is_waiting = Q(state__in=UNFINISHED)
    is_failed = Q(state=JobState.FAILED, attempts__gte=MAX_ATTEMPTS, finished_at__gt=failed_since)
    return QueueState(
        **Job.objects.filter(is_waiting | is_failed).aggregate(
            waiting=Count("pk", filter=is_waiting),
            failed=Count("pk", filter=is_failed),
            due_since=Min("next_attempt_at", filter=is_waiting & Q(next_attempt_at__lt=timezone.now())),
        )
    )


class QueueMonitor(BackgroundThread):
    """The thread that watches the queues."""

    def __init__(self) -> None:
        super().__init__("queue-monitor", run, join_seconds=1.0)


def run(stop: threading.Event) -> None:
    """Log overdue queues until `stop` is set. No outage of the database ends it."""
    logged_at: dict[str, datetime] = {}
    while not stop.wait(CHECK_SECONDS):
        try:
            log_overdue(logged_at)
        except (DatabaseError, InterfaceError) as error:
            outages.report(error)
        finally:
            connection.close()
        outages.log_progress()


def log_overdue(logged_at: dict[str, datetime]) -> None:
    """Log an error for each overdue queue, and repeat it after a while. `logged_at` keeps the last times."""
    now = timezone.now()
    mails, jobs = read_mails(now), read_jobs(now)
    for event, state, limit in (
        ("mails_overdue", mails, MAILS_OVERDUE),
        ("jobs_overdue", jobs, JOBS_OVERDUE),
    ):
        if not state.is_overdue(limit):
            logged_at.pop(event, None)
        elif event not in logged_at or now >= logged_at[event] + REPEAT:
            logged_at[event] = now
            logger.error(event, waiting=state.waiting, due_seconds=state.due_seconds)
