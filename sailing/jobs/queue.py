"""The queue of background jobs: a table that any number of workers on any number of machines share.

A kind of job is a function that does one step from `job.cursor` on, in one transaction with it, and returns
whether more is left. So a killed job continues after its last step. Each step puts it last in the queue.
"""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

import structlog
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_noop

from sailing.database import Now
from sailing.jobs.models import UNFINISHED, Job, JobState

CLAIM_LIFETIME = timedelta(minutes=1)  # of a step; after that, its worker counts as killed
MAX_ATTEMPTS = 8  # in a row
RETRIABLE = (JobState.FAILED, JobState.CANCELLED)
FIRST_BACKOFF = timedelta(seconds=5)
LONGEST_BACKOFF = timedelta(minutes=5)

REFUSED = gettext_noop("The admin who started the job no longer has the permission.")
KILLED = gettext_noop("The worker crashed several times while it ran this job.")
UNEXPECTED = gettext_noop("Something unexpected went wrong. The site's log has the details.")

woken = threading.Event()  # wakes the worker of this process, if it has one

Step = Callable[[Job], bool]

logger = structlog.get_logger(__name__)


class JobFailed(Exception):
    """The job cannot succeed. The message tells the admin why."""


@dataclass(frozen=True)
class JobKind:
    """`permission`: what the admin who started a job needs at each step, if the step does not ask itself."""

    step: Step
    label: str | Promise
    permission: str = ""


kinds: dict[str, JobKind] = {}


def register(name: str, **options: Any) -> Callable[[Step], Step]:
    """Register the decorated function as the step of a kind of job."""

    def decorate(step: Step) -> Step:
        kinds[name] = JobKind(step, **options)
        return step

    return decorate


def enqueue(
    kind: str, *, created_by_id: int | None = None, total_rows: int | None = None, **arguments: Any
) -> tuple[Job, bool]:
    """Return the unfinished job with these values, or a new one, and whether it is new."""
    whole = json.dumps([kind, created_by_id, arguments], sort_keys=True)
    values = {"kind": kind, "created_by_id": created_by_id, "arguments": arguments, "total_rows": total_rows}
    job, is_new = _unfinished().get_or_create(
        unique_key=sha256(whole.encode()).hexdigest(), defaults={**values, "next_attempt_at": Now()}
    )
    transaction.on_commit(woken.set)
    return job, is_new


def cancel(job: Job) -> bool:
    """Cancel a job after its current step; return False if it has ended already."""
    return bool(_unfinished(pk=job.pk).update(state=JobState.CANCELLED, finished_at=timezone.now()))


def retry(job: Job) -> bool:
    """Continue a failed or cancelled job; return False if it is in another state."""
    ended = Job.objects.filter(pk=job.pk, state__in=RETRIABLE)
    values = {"state": JobState.WAITING, "attempts": 0, "error": "", "finished_at": None}
    try:
        with transaction.atomic():
            is_waiting = ended.update(**values, next_attempt_at=Now())
    except IntegrityError:  # another job with its key is unfinished
        return False
    transaction.on_commit(woken.set)
    return bool(is_waiting)


def may_continue(job: Job, user: Any) -> bool:
    """Return whether an admin may continue a job with the rights of the one who started it."""
    if job.kind not in kinds or job.created_by_id in (None, user.pk):
        return job.kind in kinds
    permission = kinds[job.kind].permission
    return user.is_superuser or bool(permission and user.has_perm(permission))


def require_admin(job: Job, *permissions: str) -> Any:
    """Return the admin who started a job. Raises JobFailed without the permissions."""
    admins = get_user_model()._default_manager.filter(is_active=True, is_staff=True)
    admin: Any = admins.filter(pk=job.created_by_id or 0).first()
    if admin is None or not admin.has_perms(permissions):
        raise JobFailed(REFUSED)
    return admin


def run_next_step() -> bool:
    """Run one step of the job that has been due for longest; return whether there was one."""
    job = _claim()
    if job is None:
        return False
    log, attempts = logger.bind(job=job.pk, kind=job.kind), job.attempts + 1
    try:
        if attempts > MAX_ATTEMPTS:
            log.error("job_failed", final=True)
            raise JobFailed(KILLED)
        _run_step(job)
    except JobFailed as failure:
        log.info("job_refused")
        _end(job, error=str(failure)[:255])
    except Exception:
        log.exception("job_failed", final=attempts == MAX_ATTEMPTS)
        if attempts == MAX_ATTEMPTS:
            _end(job, error=UNEXPECTED, attempts=attempts)
        else:
            due_at = Now() + min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF)
            values = {"state": JobState.WAITING, "next_attempt_at": due_at}
            _claimed(job).update(**values, error=UNEXPECTED, attempts=attempts)
    return True


@transaction.atomic
def _claim() -> Job | None:
    """Claim a job of a known kind. If its last worker was killed, it has failed once more."""
    due = _unfinished(kind__in=kinds, next_attempt_at__lte=Now()).order_by("next_attempt_at", "pk")
    job = due.select_for_update(skip_locked=True).first()
    if job:
        job.attempts += job.state == JobState.RUNNING
        job.started_at = job.started_at or timezone.now()
        job.state, job.next_attempt_at = JobState.RUNNING, Now() + CLAIM_LIFETIME
        job.save(update_fields=["state", "attempts", "started_at", "next_attempt_at"])
        job.refresh_from_db(fields=["next_attempt_at"])
    return job


@transaction.atomic
def _run_step(claimed: Job) -> None:
    """Run and store a step; do nothing if the job was cancelled, or its claim has expired."""
    # Erasing an admin locks in this order.
    users = get_user_model()._default_manager.filter(pk=claimed.created_by_id or 0)
    list(users.select_for_update(no_key=True).values_list("pk"))
    job = _claimed(claimed).select_for_update().first()
    if job is None:
        return
    kind = kinds[job.kind]
    if kind.permission:
        require_admin(job, kind.permission)
    has_more = kind.step(job)
    job.attempts, job.error = 0, ""
    if has_more:
        job.state, job.next_attempt_at = JobState.WAITING, Now()
    else:
        job.state, job.finished_at = JobState.DONE, timezone.now()
    job.save()


def _end(job: Job, **values: Any) -> None:
    _claimed(job).update(state=JobState.FAILED, finished_at=timezone.now(), **values)


def _claimed(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=JobState.RUNNING, next_attempt_at=job.next_attempt_at)


def _unfinished(**filters: Any) -> QuerySet[Job]:
    return Job.objects.filter(state__in=UNFINISHED, **filters)
