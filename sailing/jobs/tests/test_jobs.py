"""Background jobs: the queue, steps and failures."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.jobs import queue, runner
from sailing.jobs.models import Job, JobState
from sailing.jobs.queue import JobFailed, JobStopped, RunningJob
from sailing.mail.models import Mailbox
from tests.jobs import Killed, run_pending_jobs

Run = Callable[[RunningJob], Iterator[timedelta | None]]


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_kinds")]


def register(run: Run, name: str = "count", **options: Any) -> None:
    queue.register(name, label=name, **options)(run)


def enqueue(kind: str = "count", **options: Any) -> Job:
    job = queue.enqueue(kind, **options)
    assert job
    return job


def claim() -> RunningJob:
    job = queue.claim_next("count")
    assert job
    return job


def run(job: Job) -> Job:
    """Run jobs until none is due; return the job as it is stored then."""
    run_pending_jobs()
    job.refresh_from_db()
    return job


def register_failing(error: BaseException) -> None:
    def fail(_job: RunningJob) -> Iterator[None]:
        yield from ()
        raise error

    register(fail)


def store_row(number: int) -> None:
    """Do the work of a step that must happen once: the second time violates a constraint."""
    Mailbox.objects.create(address_hash=str(number), changed_at=timezone.now())


def store_rows(job: RunningJob) -> Iterator[None]:
    """Store `count` rows, one in each step."""
    job.total_rows = job.arguments["count"]
    for number in range(job.cursor or 0, job.arguments["count"]):
        with job.step():
            store_row(number)
            job.cursor = job.finished_rows = number + 1
        yield


def count_rows() -> int:
    return Mailbox.objects.count()


class TestRun:
    def test_job_runs_to_its_end_and_keeps_its_progress(self) -> None:
        register(store_rows)
        job = run(enqueue(count=3))
        assert (job.state, job.finished_rows, job.total_rows, job.cursor) == (JobState.DONE, 3, 3, 3)
        assert job.started_at
        assert job.finished_at
        assert count_rows() == 3

    def test_kinds_take_turns_and_jobs_of_a_kind_follow_each_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runner, "TURN_SECONDS", 0)
        order: list[str] = []

        def record(job: RunningJob) -> Iterator[None]:
            order.append(f"{job.kind} begins")
            for _step in range(job.arguments["count"]):
                order.append(job.kind)
                yield

        register(record, "export")
        register(record, "request")
        enqueue("export", count=3)
        for _number in range(2):
            enqueue("request", count=1)
        run_pending_jobs()
        # The second turn of `export` comes before the end of the first request.
        first_turns = ["export begins", "export", "request begins", "request"]
        assert order == [*first_turns, "export", "export", "request begins", "request"]

    def test_language_of_a_job_does_not_reach_another(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(runner, "TURN_SECONDS", 0)
        seen = []

        def record(job: RunningJob) -> Iterator[None]:
            with translation.override(job.arguments["language"]):
                for _step in range(2):
                    yield
                    seen.append(translation.get_language())

        register(record, "one")
        register(record, "other")
        enqueue("one", language="cs")
        enqueue("other", language="en")
        run_pending_jobs()
        assert seen == ["cs", "en", "cs", "en"]
        assert translation.get_language() == "en"

    def test_stopped_worker_releases_the_job_after_the_step(self) -> None:
        stop = threading.Event()
        closed: list[bool] = []

        def stopping(job: RunningJob) -> Iterator[None]:
            try:
                for _ in store_rows(job):
                    stop.set()
                    yield
            finally:
                closed.append(True)

        register(stopping)
        job = enqueue(count=3)
        run_pending_jobs(stop)
        job.refresh_from_db()
        assert (job.state, job.cursor, closed) == (JobState.WAITING, 1, [True])
        assert job.next_attempt_at <= timezone.now()

    def test_job_that_asks_for_a_pause_continues_after_it(self, time_machine: TimeMachineFixture) -> None:
        def pausing(job: RunningJob) -> Iterator[timedelta]:
            for _step in store_rows(job):
                yield timedelta(hours=1)

        time_machine.move_to(timezone.now(), tick=False)
        register(pausing)
        job = run(enqueue(count=2))
        assert (job.state, job.cursor) == (JobState.WAITING, 1)
        time_machine.shift(timedelta(hours=1))
        assert run(job).cursor == 2

    def test_job_of_an_unknown_kind_is_left_to_a_worker_that_knows_it(self) -> None:
        register(store_rows)
        job = enqueue(count=1)
        kind = queue.kinds.pop("count")
        run(job)
        assert (job.state, job.attempts) == (JobState.WAITING, 0)
        queue.kinds["count"] = kind
        assert run(job).state == JobState.DONE


class TestKill:
    @pytest.mark.parametrize(("killed_at", "in_step"), [(0, True), (1, False), (2, True), (2, False)])
    def test_killed_job_continues_after_its_last_whole_step(
        self, time_machine: TimeMachineFixture, killed_at: int, in_step: bool
    ) -> None:
        kills = [(killed_at, in_step)]

        def kill_once(*here: object) -> None:
            if here in kills:
                kills.clear()
                raise Killed

        def killable(job: RunningJob) -> Iterator[None]:
            for number in range(job.cursor or 0, 3):
                with job.step():
                    store_row(number)
                    job.cursor = number + 1
                    kill_once(number, True)
                kill_once(number, False)
                yield

        register(killable)
        job = enqueue()
        with pytest.raises(Killed):
            run_pending_jobs()
        assert run(job).state == JobState.RUNNING  # the claim of the killed worker
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        assert run(job).state == JobState.DONE
        assert count_rows() == 3

    def test_worker_that_lost_its_claim_changes_nothing(self, time_machine: TimeMachineFixture) -> None:
        register(store_rows)
        enqueue(count=2)
        slow = claim()
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        claim()
        with pytest.raises(JobStopped):
            next(store_rows(slow))
        assert count_rows() == 0
        for end in (slow.release, lambda: slow.finish(JobState.DONE), lambda: slow.record_failure("x")):
            with pytest.raises(JobStopped):
                end()


class TestFailure:
    def test_job_that_ends_its_worker_every_time_is_given_up(
        self, time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture
    ) -> None:
        register_failing(Killed())
        job = enqueue()
        for _attempt in range(queue.MAX_ATTEMPTS):
            with pytest.raises(Killed):
                run_pending_jobs()
            time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        run(job)
        assert (job.state, job.error) == (JobState.FAILED, "The job ended its worker several times.")
        assert caplog.records[-1].levelname == "ERROR"

    def test_failure_at_the_commit_of_a_step_is_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        register(store_rows)
        job = enqueue(count=1)

        @contextmanager
        def failing_commit() -> Iterator[None]:
            with atomic():
                yield
                raise IntegrityError

        atomic = transaction.atomic
        claimed = claim()
        with monkeypatch.context() as patch:
            patch.setattr(transaction, "atomic", failing_commit)
            with pytest.raises(IntegrityError):
                next(store_rows(claimed))
        assert not claimed.record_failure("IntegrityError")
        job.refresh_from_db()
        assert (job.state, job.attempts, job.error) == (JobState.WAITING, 1, "IntegrityError")

    @pytest.mark.parametrize("error", [JobFailed("Stop here."), ValueError()])
    def test_cancelled_job_that_fails_stays_cancelled(self, error: Exception) -> None:
        def failing(_job: RunningJob) -> Iterator[None]:
            yield from ()
            queue.cancel(job)
            raise error

        register(failing)
        job = enqueue()
        run(job)
        assert (job.state, job.error) == (JobState.CANCELLED, "")

    @pytest.mark.parametrize(
        ("error", "reason", "level"),
        [
            (
                ValueError("jana@example.org"),
                "Something unexpected went wrong. The site's log has the details.",
                "ERROR",
            ),
            (OperationalError(), "The database was unavailable.", "WARNING"),
        ],
    )
    def test_unexpected_failure_is_repeated_later_and_final_after_many(
        self,
        time_machine: TimeMachineFixture,
        caplog: pytest.LogCaptureFixture,
        error: Exception,
        reason: str,
        level: str,
    ) -> None:
        time_machine.move_to(timezone.now(), tick=False)
        register_failing(error)
        job = run(enqueue())
        for attempt in range(1, queue.MAX_ATTEMPTS):
            assert (job.state, job.attempts, job.error) == (JobState.WAITING, attempt, reason)
            assert run(job).attempts == attempt, "repeated at once"
            time_machine.shift(queue.FIRST_BACKOFF if attempt == 1 else queue.LONGEST_BACKOFF)
            run(job)
        assert (job.state, job.attempts) == (JobState.FAILED, queue.MAX_ATTEMPTS)
        assert job.finished_at
        levels = [record.levelname for record in caplog.records if "job_" in str(record.msg)]
        assert levels == (queue.MAX_ATTEMPTS - 1) * [level] + ["ERROR"]

    @pytest.mark.parametrize(
        ("is_progress", "state", "attempts"),
        [(True, JobState.WAITING, 1), (False, JobState.FAILED, queue.MAX_ATTEMPTS)],
    )
    def test_finished_step_resets_the_failures_if_it_is_progress(
        self, is_progress: bool, state: JobState, attempts: int
    ) -> None:
        def failing_after_a_step(job: RunningJob) -> Iterator[None]:
            with job.step(is_progress=is_progress):
                pass
            yield
            raise ValueError

        register(failing_after_a_step)
        job = enqueue()
        Job.objects.update(attempts=queue.MAX_ATTEMPTS - 1)
        run(job)
        assert (job.state, job.attempts) == (state, attempts)

    def test_refused_job_fails_at_once_with_its_reason_and_continues_when_retried(self) -> None:
        def refused_once(job: RunningJob) -> Iterator[None]:
            for _ in store_rows(job):
                if job.cursor == 2 and not retried:
                    raise JobFailed("The file is full.")
                yield

        retried: list[bool] = []
        register(refused_once)
        job = run(enqueue(count=3))
        assert (job.state, job.error, job.attempts) == (JobState.FAILED, "The file is full.", 0)
        assert not queue.cancel(job)
        retried.append(queue.retry(job))
        assert retried == [True]
        run(job)
        assert (job.state, job.error) == (JobState.DONE, "")
        assert not queue.retry(job)


def test_cancelled_job_stops_before_its_next_step() -> None:
    def cancelled(running: RunningJob) -> Iterator[None]:
        for _ in store_rows(running):
            queue.cancel(job)
            yield

    register(cancelled)
    job = enqueue(count=3)
    run(job)
    assert (job.state, job.finished_rows) == (JobState.CANCELLED, 1)
    assert count_rows() == 1


def test_step_locks_the_admin_before_the_job() -> None:
    """Erasing an admin locks in this order too."""
    register(store_rows)
    enqueue(count=1, created_by_id=User.objects.create_user("jana@example.com").pk)
    job = claim()
    with CaptureQueriesContext(connection) as queries:
        next(store_rows(job))
    selects = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert "accounts_user" in selects[0]
    assert "jobs_job" in selects[1]


class TestUniqueKey:
    def test_second_unfinished_job_with_the_same_key_is_not_stored(self) -> None:
        register(store_rows)
        first = enqueue(unique_key="one", count=0)
        assert queue.enqueue("count", unique_key="one", count=0) is None
        enqueue(unique_key="two", count=0)
        assert run(first).state == JobState.DONE
        enqueue(unique_key="one", count=0)

    def test_job_is_not_retried_beside_an_unfinished_one_with_its_key(self) -> None:
        register(store_rows)
        first = enqueue(unique_key="one", count=0)
        queue.cancel(first)
        enqueue(unique_key="one", count=0)
        assert not queue.retry(first)
