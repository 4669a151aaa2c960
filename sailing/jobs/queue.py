"""The queue of background jobs: a table that any number of workers on any number of machines share.

A kind of job is a generator function. It does its work in steps, and yields after each:

    @register("newsletter.count", label=_("Count"))
    def count(job: RunningJob) -> Iterator[None]:
        for batch in batches(after=job.cursor):
            with job.step():
                ...
                job.cursor = batch[-1].pk
            yield

A step is one transaction, which stores its work together with the cursor. So a job that is killed, at any
point, continues after its last whole step, and does nothing twice. If a job yields a time, it continues after
that time, and other jobs run until then.

A worker runs one job of each kind at a time, in turns (`sailing.jobs.runner`). So no kind waits for another:
requests of visitors, which may be many, do not hold up the jobs of admins, nor the reverse.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Case, F, IntegerField, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise

from sailing.jobs import claims
from sailing.jobs.models import UNFINISHED, Job, JobState

CLAIM_LIFETIME = timedelta(minutes=1)
"""Longest time between two steps of a job; after that, its worker counts as killed and another continues."""

MAX_ATTEMPTS = 8
"""Failures in a row, without a finished step between them, after which a job has failed."""

FIRST_BACKOFF = timedelta(seconds=5)
LONGEST_BACKOFF = timedelta(minutes=5)

woken = threading.Event()
"""Wakes the worker of this process, if it has one."""


class JobFailed(Exception):
    """The job cannot succeed. The message tells the admin why, in plain words."""


class JobStopped(Exception):
    """The job was cancelled, or another worker has taken it over. Its function must not catch this."""


class RunningJob:
    """A claimed job, as the function that runs it sees it.

    `cursor`, `finished_rows`, `total_rows` and `result` are stored at the end of each step. They hold JSON.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self.pk = job.pk
        self.kind = job.kind
        self.arguments: dict[str, Any] = job.arguments
        self.created_by_id: int | None = job.created_by_id
        self.cursor: Any = job.cursor
        self.finished_rows = job.finished_rows
        self.total_rows = job.total_rows
        self.result: dict[str, Any] = job.result

    @contextmanager
    def step(self, *, is_progress: bool = True) -> Iterator[None]:
        """Open the transaction of one step, which must end well within `CLAIM_LIFETIME`.

        `is_progress`: an interrupted job does not repeat the step. Progress resets the number of failures in
        a row. A job that only skips what is done, or that always begins again, makes none.
        Raises JobStopped, before the step and without a change, if the job is no longer this worker's.
        """
        with transaction.atomic():
            self._lock()
            yield
            values = {
                "cursor": self.cursor,
                "finished_rows": self.finished_rows,
                "total_rows": self.total_rows,
                "result": self.result,
                "attempts": 0 if is_progress else self._job.attempts,
                "next_attempt_at": claims.now() + CLAIM_LIFETIME,
            }
            Job.objects.filter(pk=self.pk).update(**values)
        self._set_fields(values)  # not before the commit, which may fail

    def finish_others(self, limit: int) -> list[dict[str, Any]]:
        """Finish up to `limit` other due jobs of this kind; return the arguments of each.

        For many small jobs: the caller does their work in the same step. A job that has failed runs alone, so
        that it holds up no other for long.
        """
        if self._job.attempts:
            return []
        due = _due().filter(kind=self.kind, state=JobState.WAITING, attempts=0)
        now = timezone.now()
        others = claims.claim(
            due.order_by("next_attempt_at", "pk"),
            limit=limit,
            state=JobState.DONE,
            started_at=now,
            finished_at=now,
        )
        return [job.arguments for job in others]

    def release(self, *, after: timedelta = timedelta()) -> None:
        """Let any worker continue the job, at once by default."""
        self._end(state=JobState.WAITING, next_attempt_at=claims.now() + after)

    @property
    def has_used_its_attempts(self) -> bool:
        """Whether the job has failed as often as it may, without a step in between."""
        return self._job.attempts >= MAX_ATTEMPTS

    def finish(self, state: JobState, *, error: str = "") -> None:
        """Store the final state."""
        self._end(state=state, error=error, finished_at=timezone.now())

    def record_failure(self, error: str) -> bool:
        """Count an unexpected failure; return whether it was the last one, or the job runs again later."""
        attempts = self._job.attempts + 1
        if attempts >= MAX_ATTEMPTS:
            self._end(state=JobState.FAILED, attempts=attempts, error=error, finished_at=timezone.now())
            return True
        backoff = min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF)
        self._end(
            state=JobState.WAITING, attempts=attempts, error=error, next_attempt_at=claims.now() + backoff
        )
        return False

    def _end(self, **values: Any) -> None:
        with transaction.atomic():
            self._lock()
            Job.objects.filter(pk=self.pk).update(**values)
        self._set_fields(values)

    def _lock(self) -> None:
        # The admin first: erasing an admin locks the admin, then the jobs.
        users = get_user_model()._default_manager.filter(pk=self.created_by_id or 0)
        list(users.select_for_update(no_key=True).values_list("pk"))
        # Every step renews `next_attempt_at`, so its value also identifies the claim.
        mine = Job.objects.filter(
            pk=self.pk, state=JobState.RUNNING, next_attempt_at=self._job.next_attempt_at
        )
        if not mine.select_for_update().exists():
            raise JobStopped

    def _set_fields(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self._job, name, value)


Run = Callable[[RunningJob], Iterator[timedelta | None]]
Authorize = Callable[[Job | RunningJob, int | None], object]


@dataclass(frozen=True)
class JobKind:
    """A registered kind of job. `interval`: how often a routine job runs by itself.

    `authorize`: raises JobFailed if the admin with a key may not have a job done; None if no admin starts it.
    """

    name: str
    run: Run
    label: str | Promise
    interval: timedelta | None = None
    authorize: Authorize | None = None


kinds: dict[str, JobKind] = {}


def register(name: str, **options: Any) -> Callable[[Run], Run]:
    """Register the decorated function as the `run` of a `JobKind`.

    Its module must be imported at the start, as `jobs`, `admin` and `retention` are.
    """

    def decorate(run: Run) -> Run:
        kinds[name] = JobKind(name, run, **options)
        return run

    return decorate


def enqueue(
    kind: str,
    *,
    created_by_id: int | None = None,
    unique_key: str = "",
    at: datetime | None = None,
    total_rows: int | None = None,
    **arguments: Any,
) -> Job | None:
    """Store a job, in the transaction that causes it. `arguments` hold JSON.

    `at`: when to run it, now by default.

    Returns None, and stores nothing, while an unfinished job has the same `unique_key`.
    """
    if unique_key and _unfinished().filter(unique_key=unique_key).exists():
        return None  # the constraint would log an error, and is for those who come at the same time
    job = Job(
        kind=kind,
        created_by_id=created_by_id,
        unique_key=unique_key,
        arguments=arguments,
        total_rows=total_rows,
        next_attempt_at=at or claims.now(),
    )
    try:
        with transaction.atomic():
            job.save()
    except IntegrityError:
        if not unique_key:
            raise
        return None
    _wake_after_commit()
    return job


def _wake_after_commit() -> None:
    """Wake the worker after the transaction, so that it sees what the transaction stores."""
    transaction.on_commit(woken.set)


def enqueue_once(
    kind: str, *, created_by_id: int, total_rows: int | None = None, **arguments: Any
) -> tuple[Job, bool]:
    """Store a job that an admin has asked for; return it, and whether it is new.

    It is not if an earlier click has stored the same job, which is unfinished.
    The arguments may contain an address, so the key is an HMAC.
    """
    value = f"{created_by_id} {sorted(arguments.items())}"
    key = salted_hmac(f"sailing.jobs {kind}", value, algorithm="sha256").hexdigest()
    job = enqueue(kind, created_by_id=created_by_id, unique_key=key, total_rows=total_rows, **arguments)
    return job or Job.objects.filter(kind=kind, unique_key=key).latest("created_at"), job is not None


def enqueue_routine_jobs() -> None:
    """Enqueue each routine job whose interval has passed since the last one was created."""
    for kind in kinds.values():
        if kind.interval is None:
            continue
        now = timezone.now()
        # A job from the future means that the clock has been set back since.
        recent = Job.objects.filter(kind=kind.name, created_at__gt=now - kind.interval, created_at__lte=now)
        if not recent.exists():
            enqueue(kind.name, unique_key=kind.name)


def find_due_kinds() -> list[str]:
    """Return the kinds of the jobs that are due, the longest due first.

    A kind that another release has enqueued is left to a worker of that release.
    """
    due = _due().order_by("next_attempt_at", "pk").values_list("kind", flat=True)
    return list(dict.fromkeys(due))


def claim_next(kind: str) -> RunningJob | None:
    """Claim the job of a kind that has been due for longest.

    A job whose last worker was killed has failed once more: it may have ended its worker.
    """
    now = claims.now()
    values = {
        "attempts": Case(
            When(state=JobState.RUNNING, then=F("attempts") + 1),
            default=F("attempts"),
            output_field=IntegerField(),
        ),
        "started_at": Coalesce("started_at", Value(now)),
        "state": JobState.RUNNING,
        "next_attempt_at": now + CLAIM_LIFETIME,
    }
    due = _due().filter(kind=kind).order_by("next_attempt_at", "pk")
    for job in claims.claim(due, limit=1, **values):
        job.refresh_from_db()
        return RunningJob(job)
    return None


def cancel(job: Job) -> bool:
    """Cancel a job after its current step; return False if it has ended already."""
    return bool(_unfinished().filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=timezone.now()))


def retry(job: Job) -> bool:
    """Continue a failed or cancelled job after its last step; return False if it is in another state."""
    if job.unique_key and _unfinished().filter(unique_key=job.unique_key).exists():
        return False
    ended = Job.objects.filter(pk=job.pk, state__in=(JobState.FAILED, JobState.CANCELLED))
    try:
        with transaction.atomic():
            is_waiting = ended.update(
                state=JobState.WAITING,
                attempts=0,
                error="",
                finished_at=None,
                next_attempt_at=claims.now(),
            )
    except IntegrityError:  # at the same time, another job with its key became unfinished
        return False
    _wake_after_commit()
    return bool(is_waiting)


def _due() -> QuerySet[Job]:
    return _unfinished().filter(kind__in=kinds, next_attempt_at__lte=claims.now())


def _unfinished() -> QuerySet[Job]:
    return Job.objects.filter(state__in=UNFINISHED)
