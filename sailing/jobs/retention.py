"""Delete stored data once its retention period is over (GDPR article 5(1)(e)), by an hourly job."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile
from sailing.jobs.queue import JobFailed

Step = Callable[[], bool]

MAX_ATTEMPTS = 2  # of a step, which is then left out
BATCH_SIZE = 1000

KIND = "retention"
INTERVAL = timedelta(hours=1)

JOB_RETENTION = timedelta(days=30)
JOB_FILE_RETENTION = timedelta(days=1)  # after the job, or the upload for one that was not started

steps: dict[str, Step] = {}

# What the privacy notice states, by the placeholders in its messages.
periods = {"purgeInterval": INTERVAL, "files": JOB_FILE_RETENTION, "jobs": JOB_RETENTION}


def register(step: Step) -> Step:
    """Add a step, as a decorator. It deletes at most `BATCH_SIZE` rows and returns whether more are left."""
    steps[f"{step.__module__}.{step.__qualname__}"] = step
    return step


def delete_batch(rows: QuerySet[Any], *, field: str = "pk") -> bool:
    """Delete at most `BATCH_SIZE` rows, identified by `field`; return whether more may be left."""
    keys = list(rows.order_by().values_list(field, flat=True)[:BATCH_SIZE])
    # Not by their keys alone: rows that are renewed meanwhile stay.
    rows.filter(**{f"{field}__in": keys}).delete()
    return len(keys) == BATCH_SIZE


def enqueue_if_due() -> None:
    """Enqueue the job if the last one was created an `INTERVAL` ago."""
    now = timezone.now()
    # One from the future means that the clock has been set back since.
    recent = Job.objects.filter(kind=KIND, created_at__gt=now - INTERVAL, created_at__lte=now)
    if not recent.exists():
        queue.enqueue(KIND)


@queue.register(KIND, label=_("Delete expired data"))
def run(job: Job) -> bool:
    """Run the next step. If one was left out, the job fails in the end, so that this is seen."""
    waiting = list(steps) if job.cursor is None else job.cursor
    if not waiting:
        if job.result:
            text = gettext_noop("Some expired data was not deleted. The site's log has the details.")
            raise JobFailed(text)
        return False
    name, *job.cursor = waiting
    if job.attempts >= MAX_ATTEMPTS:
        job.result = {"failed": [*job.result.get("failed", ()), name]}
    elif name in steps and steps[name]():  # another release has other steps
        job.cursor.append(name)
    return True


@register
def purge_expired_jobs() -> bool:
    now = timezone.now()
    old_jobs = Job.objects.filter(finished_at__lt=now - JOB_RETENTION)
    file_limit = now - JOB_FILE_RETENTION
    is_unused = Q(job=None, created_at__lt=file_limit)
    old_files = JobFile.objects.filter(Q(job__finished_at__lt=file_limit) | is_unused)
    return delete_batch(old_files) or delete_batch(old_jobs)
