"""Background jobs: the queue, failures and workers, and whatever happens to them: every step counts once."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import settings, stateful
from hypothesis.strategies import booleans, integers, sampled_from
from time_machine import TimeMachineFixture

from accounts.models import User
from sailing.jobs import queue, runner
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState, WorkerHeartbeat
from sailing.jobs.queue import JobFailed
from sailing.mail.models import Mailbox
from tests.concurrency import run_at_once
from tests.database import before_statement, explain
from tests.jobs import Killed, run_pending_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_kinds() -> Iterator[None]:
    """Forget the kinds of jobs that a test registers."""
    with mock.patch.dict(queue.kinds):
        yield


def store_row(job: Job) -> bool:
    """Store one of `count` rows, which violates a constraint the second time."""
    job.cursor = (job.cursor or 0) + 1
    Mailbox.objects.create(address_hash=f"{job.pk} {job.cursor}", changed_at=timezone.now())
    return bool(job.cursor < job.arguments["count"])


def register(step: Callable[[Job], Any] = store_row, name: str = "count", **options: Any) -> None:
    queue.register(name, label=name, **options)(step)


def enqueue(kind: str = "count", **options: Any) -> Job:
    return queue.enqueue(kind, **options)[0]


def run(job: Job) -> Job:
    """Run jobs until none is due; return the job as it is stored then."""
    run_pending_jobs()
    job.refresh_from_db()
    return job


def raising(error: BaseException) -> Callable[[Job], bool]:
    def step(job: Job) -> bool:
        store_row(job)
        raise error

    return step


class TestQueue:
    def test_step_reads_one_row_to_find_its_job_and_locks_the_admin_before_it(self) -> None:
        """Erasing an admin locks in this order too."""
        register()
        enqueue(count=1, created_by_id=User.objects.create_user("jana@example.com").pk)
        with CaptureQueriesContext(connection) as queries:
            run_pending_jobs()
        claim, _claimed, first, second, *_rest = [
            each["sql"] for each in queries if each["sql"].startswith("SELECT")
        ]
        assert ("accounts_user" in first, "jobs_job" in second) == (True, True)
        plan = explain(claim)
        assert "job_unfinished" in plan
        assert "Sort" not in plan
        assert "TEMP B-TREE" not in plan

    def test_job_of_an_unknown_kind_is_left_to_a_worker_that_knows_it(self) -> None:
        register()
        job = enqueue(count=1)
        kind = queue.kinds.pop("count")
        assert (run(job).state, job.attempts) == (JobState.WAITING, 0)
        queue.kinds["count"] = kind
        assert run(job).state == JobState.DONE

    def test_second_unfinished_job_of_the_same_admin_and_arguments_is_not_stored(self) -> None:
        register()
        admin = User.objects.create_user("jana@example.com").pk
        first = enqueue(created_by_id=admin, count=0)
        assert queue.enqueue("count", created_by_id=admin, count=0) == (first, False)
        assert enqueue(created_by_id=admin, count=1) != enqueue(count=0) != first
        queue.cancel(first)
        assert queue.enqueue("count", created_by_id=admin, count=0)[1]
        assert not queue.retry(first)


class TestFailure:
    def test_step_is_repeated_later_and_the_job_has_failed_after_many(
        self, time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture
    ) -> None:
        time_machine.move_to(timezone.now(), tick=False)
        register(raising(OperationalError()))
        job = run(enqueue(count=1))
        for attempt in range(1, queue.MAX_ATTEMPTS):
            assert (job.state, job.attempts, job.error) == (JobState.WAITING, attempt, queue.UNEXPECTED)
            assert run(job).attempts == attempt, "repeated at once"
            time_machine.shift(queue.FIRST_BACKOFF if attempt == 1 else queue.LONGEST_BACKOFF)
            run(job)
        assert (job.state, job.attempts, job.cursor) == (JobState.FAILED, queue.MAX_ATTEMPTS, None)
        logged = [record.msg["final"] for record in caplog.records if "job_" in str(record.msg)]  # type: ignore[index]
        assert logged == (queue.MAX_ATTEMPTS - 1) * [False] + [True]

    @pytest.mark.django_db(transaction=True)
    def test_commit_that_fails_is_counted(self) -> None:
        def refer_to_nothing(_job: Job) -> bool:
            JobFile.objects.create(job_id=10**9, name="a.csv")  # the constraint is deferred
            return False

        register(refer_to_nothing)
        job = enqueue()
        Job.objects.update(attempts=queue.MAX_ATTEMPTS - 1)
        assert run(job).state == JobState.FAILED

    def test_job_that_ends_its_worker_every_time_is_given_up(
        self, time_machine: TimeMachineFixture, caplog: pytest.LogCaptureFixture
    ) -> None:
        register(raising(Killed()))
        job = enqueue(count=1)
        for _attempt in range(queue.MAX_ATTEMPTS):
            with pytest.raises(Killed):
                run_pending_jobs()
            time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        assert (run(job).state, job.error) == (JobState.FAILED, queue.KILLED)
        assert "ERROR" in [record.levelname for record in caplog.records]

    @pytest.mark.parametrize("error", [JobFailed("Stop here."), ValueError()])
    def test_cancel_in_the_instant_of_the_end_is_no_error(self, error: Exception) -> None:
        register(raising(error))
        job = enqueue(count=1)
        with before_statement('"error" =', lambda: queue.cancel(job)):
            run(job)
        assert (job.state, job.error) == (JobState.CANCELLED, "")


@pytest.mark.parametrize("lost", ["is_active", "is_staff", "is_superuser", "erased"])
def test_admin_who_lost_a_right_is_refused(lost: str) -> None:
    register(permission="accounts.view_user")
    user = User.objects.create_superuser("jana@example.com", "fair winds 2025")
    job = enqueue(created_by_id=user.pk, count=2)
    queue.run_next_step()
    if lost == "erased":
        user.delete()
    else:
        User.objects.update(**{lost: False})
    assert (run(job).state, job.error, job.cursor) == (JobState.FAILED, queue.REFUSED, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestWorkers:
    """Each worker is a thread with a database connection of its own, as in another process."""

    def test_workers_share_the_jobs_and_run_each_step_once(self) -> None:
        register()
        for number in range(5):
            enqueue(number=number, count=3)
        run_at_once(3, lambda _index: run_pending_jobs())
        assert set(Job.objects.values_list("state", flat=True)) == {JobState.DONE}
        assert Mailbox.objects.count() == 15

    def test_thread_ends_after_the_step_under_way(self) -> None:
        has_begun = threading.Event()

        def stop_within_step(job: Job) -> bool:
            has_begun.set()
            thread.stop()
            return store_row(job)

        register(stop_within_step)
        job = enqueue(count=9)
        thread = runner.JobThread()
        assert has_begun.wait(10)
        thread.shutdown()
        job.refresh_from_db()
        assert (job.state, job.cursor) == (JobState.WAITING, 1)


def test_loop_outlives_failures(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    stop, woken = threading.Event(), mock.Mock()
    waits: list[tuple[float, bool]] = []

    def wait(seconds: float) -> None:
        waits.append((seconds, WorkerHeartbeat.objects.filter(part="jobs").exists()))
        if len(waits) == 7:
            woken.clear = stop.set  # erases what `stop` has woken: no pause follows

    woken.wait = wait
    work = mock.Mock(side_effect=[*3 * [OperationalError, RuntimeError], 0.5, 60.0])
    monkeypatch.setattr(connection, "close", lambda: None)
    runner.repeat("jobs", work, stop, woken)
    assert waits == [*((seconds, False) for seconds in (2, 4, 8, 16, 30, 30)), (0.5, True)]
    assert caplog.text.count("jobs_postponed") == caplog.text.count("jobs_failed") == 3


ERRORS = {"fails": ValueError(), "refuses": JobFailed("Stop here."), "kills its worker": Killed()}


between_claim_and_step = partial(before_statement, "accounts_user")


class JobMachine(stateful.RuleBasedStateMachine):
    """Jobs that store `count` rows, one in each step, which violates a constraint the second time."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False)
        self.traveller = self.clock.start()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.admin = User.objects.create_superuser("jana@example.com")
        self.outcome = "succeeds"
        self.ran: list[int] = []
        queue.register("count", label="Count", permission="accounts.view_user")(self.store_row)

    def teardown(self) -> None:
        self.let_every_job_end()
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)
        self.clock.stop()

    def store_row(self, job: Job) -> bool:
        self.ran.append(job.pk)
        assert User.objects.get().is_staff
        has_more = store_row(job)
        job.finished_rows += 1
        if self.outcome in ERRORS:
            raise ERRORS[self.outcome]
        return has_more

    def run_step(self, outcome: str = "succeeds") -> bool:
        self.outcome = outcome
        self.ran.clear()
        try:
            return queue.run_next_step()
        except Killed:
            return True
        finally:
            self.traveller.shift(timedelta(milliseconds=1))

    @stateful.rule(count=integers(1, 3))
    def enqueue(self, count: int) -> None:
        queue.enqueue("count", created_by_id=self.admin.pk, count=count, number=Job.objects.count())
        self.traveller.shift(timedelta(milliseconds=1))

    @stateful.rule(outcome=sampled_from(["succeeds", "succeeds", *ERRORS]))
    def work(self, outcome: str) -> None:
        """The job that has waited for longest has its turn."""
        due = Job.objects.filter(state__in=UNFINISHED, next_attempt_at__lte=timezone.now())
        expected = due.order_by("next_attempt_at", "pk").values_list("pk", flat=True).first()
        assert self.run_step(outcome) is (expected is not None)
        assert set(self.ran) <= {expected}

    @stateful.precondition(lambda _machine: Job.objects.exists())
    @stateful.rule(
        number=integers(0, 9), action=sampled_from([queue.cancel, queue.retry]), is_between=booleans()
    )
    def press(self, number: int, action: Callable[[Job], bool], is_between: bool) -> None:
        job = Job.objects.order_by("pk")[number % Job.objects.count()]
        if is_between:
            with between_claim_and_step(lambda: action(job)):
                self.run_step()
            assert job.pk not in self.ran or action is queue.retry
        else:
            action(job)

    @stateful.rule()
    def be_too_slow(self) -> None:
        """A worker loses its claim to another one, which does the step first."""

        def overtake() -> None:
            self.traveller.shift(queue.CLAIM_LIFETIME)
            self.run_step()

        with between_claim_and_step(overtake):
            self.run_step()
        assert len(self.ran) == len(set(self.ran))

    @stateful.rule(seconds=sampled_from([5, 60, 300]))
    def wait(self, seconds: int) -> None:
        self.traveller.shift(timedelta(seconds=seconds))

    @stateful.rule(is_staff=booleans())
    def change_rights(self, is_staff: bool) -> None:
        User.objects.update(is_staff=is_staff)

    @stateful.invariant()
    def progress_is_what_is_stored(self) -> None:
        for job in Job.objects.all():
            rows = Mailbox.objects.filter(address_hash__startswith=f"{job.pk} ").count()
            assert (job.finished_rows, job.cursor) == (rows, rows or None)
            assert (job.state == JobState.DONE) is (rows == job.arguments["count"])
            assert (job.finished_at is None) is job.is_unfinished
            assert job.attempts <= queue.MAX_ATTEMPTS

    def let_every_job_end(self) -> None:
        User.objects.update(is_staff=True)
        for job in Job.objects.all():
            queue.retry(job)
        self.traveller.shift(timedelta(hours=1))
        while self.run_step():
            pass
        self.progress_is_what_is_stored()
        states = list(Job.objects.exclude(error__startswith="The job ended").values_list("state", flat=True))
        assert set(states) <= {JobState.DONE}


def test_every_step_counts_once_whatever_happens() -> None:
    stateful.run_state_machine_as_test(JobMachine, settings=settings(max_examples=25, stateful_step_count=30))
