"""Watch what runs in the background: the log, `/metrics`, and the operations page say what stalls.

An app states once what to watch, by a function that is decorated with `watch`. Each process watches
everything, because a worker that does not run cannot report itself.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Max, Min, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sailing import database, outages
from sailing.jobs import claims, heartbeats, retention
from sailing.jobs.background import BackgroundThread
from sailing.jobs.models import UNFINISHED, Job, JobState
from sailing.mail.models import MailState, OutboxEmail

CHECK_SECONDS = 60.0
REPEAT = timedelta(hours=1)
"""Between two log lines about something that stays overdue."""

OVERDUE = timedelta(minutes=8)
"""Of a queue. With the pauses between checks, and between scrapes of the metrics, 10 minutes."""

WORKER_OVERDUE = timedelta(minutes=3)
RETENTION_OVERDUE = 2 * retention.INTERVAL

logger = structlog.get_logger(__name__)

ReadSince = Callable[[], datetime | None]


@dataclass(frozen=True)
class Watch:
    """What must go on. `read` returns since when it waits, or None if it does not.

    The metric is `sailing_<name>_seconds` with its `description`, the log event `<name>_overdue`, without
    `_due` in the name. `label` and `problem` are for admins. `limit`: how long it may wait.
    """

    name: str
    read: ReadSince
    description: str
    label: str | Promise
    problem: str | Promise
    limit: timedelta = OVERDUE


@dataclass(frozen=True)
class WatchState:
    """A watch as of now. `since`: when it began to wait; None if it does not."""

    watch: Watch
    since: datetime | None
    seconds: int

    @property
    def is_overdue(self) -> bool:
        return self.seconds > self.watch.limit.total_seconds()


_watches: list[Watch] = []


def watch(name: str, **options: Any) -> Callable[[ReadSince], ReadSince]:
    """Register the decorated function as the `read` of a `Watch`. Its module is imported in `ready`."""

    def register(read: ReadSince) -> ReadSince:
        _watches.append(Watch(name, read, **options))
        return read

    return register


def read_watches() -> list[WatchState]:
    """Return the state of all watches. Ages are by the database's clock, as the times that they begin at."""
    now = claims.now()
    states = [(each, each.read()) for each in _watches]
    return [
        WatchState(each, since, max(0, round((now - since).total_seconds())) if since else 0)
        for each, since in states
    ]


@watch(
    "worker_heartbeat",
    description="Time since the part of the worker that has been silent for longest last worked.",
    label=_("Worker"),
    problem=_("No worker is running, or it is stuck: no emails are sent, or no jobs run."),
    limit=WORKER_OVERDUE,
)
def read_oldest_heartbeat() -> datetime | None:
    """Return when the most silent part of the worker last worked."""
    return heartbeats.read_oldest()


@watch(
    "mails_due",
    description="How long the oldest due mail has waited.",
    label=_("Email queue"),
    problem=_("Emails wait. Either the worker cannot keep up, or the mail server is down or too slow."),
)
def read_oldest_mail() -> datetime | None:
    """Return since when the oldest mail of the outbox is due.

    A mail that was given back because the mail server is unavailable is due anew each time, but waits since
    it was due first.
    """
    waiting = OutboxEmail.objects.filter(state=MailState.WAITING)
    given_back = waiting.filter(attempts=0).exclude(last_error="").aggregate(oldest=Min("due_at"))
    return min(filter(None, [_read_oldest_due(waiting), given_back["oldest"]]), default=None)


@watch(
    "jobs_due",
    description="How long the oldest due job has waited, while no other of its kind ran.",
    label=_("Background jobs"),
    problem=_("Background jobs wait."),
)
def read_oldest_job() -> datetime | None:
    """Return since when the oldest job is due. A job that waits for another of its kind does not count."""
    running = Job.objects.filter(state=JobState.RUNNING, next_attempt_at__gt=claims.now())
    waiting = Job.objects.filter(state__in=UNFINISHED).exclude(kind__in=running.values("kind"))
    return _read_oldest_due(waiting)


@watch(
    "retention",
    description="Time since expired data was last deleted.",
    label=_("Deletion of expired data"),
    problem=_("Expired data is no longer deleted."),
    limit=RETENTION_OVERDUE,
)
def read_last_retention() -> datetime | None:
    """Return when expired data was last deleted, or since when that has been tried in vain."""
    jobs = Job.objects.filter(kind=retention.KIND)
    times = jobs.aggregate(last=Max("finished_at", filter=Q(state=JobState.DONE)), first=Min("created_at"))
    since: datetime | None = times["last"] or times["first"]
    return since


def _read_oldest_due(waiting: QuerySet[OutboxEmail] | QuerySet[Job]) -> datetime | None:
    due = waiting.filter(next_attempt_at__lt=claims.now())
    oldest: datetime | None = due.aggregate(oldest=Min("next_attempt_at"))["oldest"]
    return oldest


class QueueMonitor(BackgroundThread):
    """The thread that watches."""

    def __init__(self) -> None:
        super().__init__("queue-monitor", run, join_seconds=1.0)


def run(stop: threading.Event) -> None:
    """Log what is wrong until `stop` is set. No error of a watch ends it."""
    logged_at: dict[str, datetime] = {}
    while not stop.wait(CHECK_SECONDS):
        try:
            log_problems(logged_at)
        except (DatabaseError, InterfaceError) as error:
            outages.report(error)
        except Exception:
            logger.exception("monitor_failed")
        finally:
            connection.close()
        outages.log_progress()


def log_problems(logged_at: dict[str, datetime]) -> None:
    """Log an error for what is overdue, and repeat it after a while. `logged_at` keeps the last times."""
    problems = {
        f"{state.watch.name.removesuffix('_due')}_overdue": {"seconds": state.seconds}
        for state in read_watches()
        if state.is_overdue
    }
    if not database.is_statement_timeout_set(connection):
        problems["statement_timeout_missing"] = {}
    if abs(seconds := claims.measure_clock_offset()) > claims.MAX_CLOCK_OFFSET_SECONDS:
        problems["clock_differs"] = {"seconds": seconds}
    for event in logged_at.keys() - problems.keys():
        del logged_at[event]
    now = timezone.now()
    for event, values in problems.items():
        if event not in logged_at or now >= logged_at[event] + REPEAT:
            logged_at[event] = now
            logger.error(event, **values)
