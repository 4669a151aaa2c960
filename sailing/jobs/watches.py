"""What is watched of the worker and its jobs (see `sailing.status`)."""

from datetime import timedelta
from functools import partial

from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.jobs import retention
from sailing.jobs.models import BACKUP, UNFINISHED, WORKER_PARTS, Job, JobState, WorkerHeartbeat
from sailing.jobs.queue import MAX_ATTEMPTS
from sailing.status import OVERDUE_SECONDS, measure_age, measure_wait, watch

watch_jobs = partial(watch, model="jobs.Job")


@watch_jobs(
    "worker_heartbeat_seconds",
    label=_("Worker"),
    problem=_("No worker is running, or it is stuck: no emails are sent, or no jobs run."),
    limit=3 * 60,
)
def measure_silence() -> float | None:
    """Return how long the most silent part of the worker has not worked; None if one never has."""
    parts = WorkerHeartbeat.objects.filter(part__in=WORKER_PARTS)
    return measure_age(parts, "at") if parts.count() == len(WORKER_PARTS) else None


@watch_jobs(
    "jobs_due_seconds",
    label=_("Longest wait of a background job"),
    problem=_("Background jobs wait."),
    limit=OVERDUE_SECONDS,
)
def measure_waiting_jobs() -> float:
    return measure_wait(Job.objects.filter(state__in=UNFINISHED))


@watch_jobs(
    "retention_seconds",
    label=_("Time since expired data was deleted"),
    problem=_("Expired data is no longer deleted."),
    limit=2 * retention.INTERVAL.total_seconds(),
)
def measure_retention() -> float:
    """Return how long ago expired data was last deleted, or how long that has been tried in vain."""
    jobs = Job.objects.filter(kind=retention.KIND)
    age = measure_age(jobs.filter(state=JobState.DONE), "finished_at", newest=True)
    return measure_wait(jobs, "created_at") if age is None else age


@watch_jobs("jobs", label=_("Background jobs"))
def count_jobs() -> dict[JobState, int]:
    counts = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
    return {state: counts.get(state, 0) for state in JobState}


@watch_jobs("jobs_failed", label=_("Jobs that failed in the last 24 hours"))
def count_failed_jobs() -> int:
    # Those that were refused, as for a bad file, have no failed attempt.
    since = timezone.now() - timedelta(days=1)
    failed = Job.objects.filter(state=JobState.FAILED, attempts__gte=MAX_ATTEMPTS, finished_at__gt=since)
    return failed.count()


@watch_jobs(
    "backup_seconds",
    label=_("Time since the last backup"),
    problem=_("The database is no longer backed up."),
    limit=36 * 3600,
    is_optional=True,
)
def measure_backup() -> float | None:
    """Return how long ago `manage.py backup` last succeeded; None if the host makes the backups."""
    return measure_age(WorkerHeartbeat.objects.filter(part=BACKUP), "at")
