"""What is watched of the worker, its jobs and mails, and the database (see `sailing.status`)."""

from datetime import timedelta
from functools import cache, partial
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.database import STATEMENT_TIMEOUT_MS
from sailing.jobs import retention
from sailing.jobs.models import BACKUP, UNFINISHED, WORKER_PARTS, Job, JobState, WorkerHeartbeat
from sailing.jobs.queue import MAX_ATTEMPTS
from sailing.mail import installation
from sailing.mail.models import MailState, OutboxEmail
from sailing.status import OVERDUE_SECONDS, measure_age, measure_wait, watch

watch_work = partial(watch, model="jobs.Job")
watch_mails = partial(watch, model="mail.OutboxEmail")


@watch_work(
    "worker_heartbeat_seconds",
    label=_("Worker"),
    problem=_("No worker is running, or it is stuck: no emails are sent, or no jobs run."),
    limit=3 * 60,
)
def measure_silence() -> float | None:
    parts = WorkerHeartbeat.objects.filter(part__in=WORKER_PARTS)
    return measure_age(parts, "at") if parts.count() == len(WORKER_PARTS) else None


@watch_work(
    "jobs_due_seconds",
    label=_("Longest wait of a background job"),
    problem=_("Background jobs wait."),
    limit=OVERDUE_SECONDS,
)
def measure_waiting_jobs() -> float:
    return measure_wait(Job.objects.filter(state__in=UNFINISHED))


@watch_work(
    "retention_seconds",
    label=_("Time since expired data was deleted"),
    problem=_("Expired data is no longer deleted."),
    limit=2 * retention.INTERVAL.total_seconds(),
)
def measure_retention() -> float:
    jobs = Job.objects.filter(kind=retention.KIND)
    age = measure_age(jobs.filter(state=JobState.DONE), "finished_at", newest=True)
    return measure_wait(jobs, "created_at") if age is None else age


@watch_work("jobs", label=_("Background jobs"))
def count_jobs() -> dict[JobState, int]:
    counts = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
    return {state: counts.get(state, 0) for state in JobState}


@watch_work("jobs_failed", label="Jobs that failed in the last 24 hours", is_on_system_page=False)
def count_failed_jobs() -> int:
    # Those that were refused, as for a bad file, have no failed attempt.
    since = timezone.now() - timedelta(days=1)
    failed = Job.objects.filter(state=JobState.FAILED, attempts__gte=MAX_ATTEMPTS, finished_at__gt=since)
    return failed.count()


@watch_work(
    "backup_seconds",
    label=_("Time since the last backup"),
    problem=_("The database is no longer backed up."),
    limit=36 * 3600,
    is_optional=True,
)
def measure_backup() -> float | None:
    return measure_age(WorkerHeartbeat.objects.filter(part=BACKUP), "at")


@watch_mails(
    "mails_due_seconds",
    label=_("Longest wait of an email"),
    problem=_("Emails wait. Either the worker cannot keep up, or the mail server is down or too slow."),
    limit=OVERDUE_SECONDS,
)
def measure_waiting_mails() -> float:
    waiting = OutboxEmail.objects.filter(state=MailState.WAITING)
    # While the mail server is unavailable, since it was due first.
    given_back = waiting.filter(attempts=0).exclude(last_error="")
    return max(measure_wait(waiting), measure_wait(given_back, "due_at"))


@watch_mails(
    "sending_stopped",
    label=_("Identity of the database"),
    problem=_("Nothing is sent, because the database was restored or copied: run manage.py after_restore."),
    limit=0,
)
def is_sending_stopped() -> int:
    return int(installation.is_copy())


@watch_mails("mails", label=_("Emails outside campaigns"))
def count_mails() -> dict[MailState, int]:
    counts = dict(OutboxEmail.objects.order_by().values_list("state").annotate(Count("pk")))
    return {state: counts.get(state, 0) for state in MailState}


@watch_mails("mails_failed", label="Emails that failed in the last 24 hours", is_on_system_page=False)
def count_failed_mails() -> int:
    since = timezone.now() - timedelta(days=1)
    return OutboxEmail.objects.filter(state=MailState.FAILED, next_attempt_at__gt=since).count()


@watch_work(
    "migrations_pending",
    label=_("Migrations"),
    problem=_("The database is older than this release: run the migrations."),
    limit=0,
)
def count_pending_migrations() -> int:
    return len(_read_migrations() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _read_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release. Building their graph takes longer than a page."""
    return frozenset(MigrationLoader(None).graph.nodes)


@watch_work(
    "statement_timeout_missing",
    label=_("Limit of slow statements"),
    problem=_(
        "The database does not end slow statements: no statement timeout is in force. The guide to"
        " running the site, section PgBouncer, says how to set it."
    ),
    limit=0,
)
def is_statement_timeout_missing() -> int:
    """Behind a pooler, which has process ids of its own, the server must set it for every new session."""
    if connection.vendor != "postgresql":
        return 0
    current, default, server_pid = _select(
        "setting::int, reset_val::int, pg_backend_pid() FROM pg_settings WHERE name = 'statement_timeout'"
    )
    has_pooler = server_pid != connection.connection.info.backend_pid
    limits = (current, default) if has_pooler else (current,)
    return int(not all(0 < limit <= STATEMENT_TIMEOUT_MS for limit in limits))


@watch_work("database_bytes", label=_("Database"))
def measure_database() -> int:
    if connection.vendor == "postgresql":
        return int(_select("pg_database_size(current_database())")[0])
    return int(_select("page_count * page_size FROM pragma_page_count(), pragma_page_size()")[0])


def _select(expressions: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expressions}")
        return cursor.fetchone()
