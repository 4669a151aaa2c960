"""Whatever happens to jobs and their workers: every step counts once, and a finished job is done once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from hypothesis.strategies import booleans, integers, sampled_from

from accounts.models import User
from sailing.jobs import queue
from sailing.jobs.models import UNFINISHED, Job, JobState
from sailing.jobs.queue import JobFailed
from sailing.mail.models import Mailbox
from tests.jobs import Killed

ERRORS = {"fails": ValueError(), "refuses": JobFailed("Stop here."), "kills its worker": Killed()}


@contextmanager
def before_statement(part: str, action: Callable[[], object]) -> Iterator[None]:
    """Let something happen right before the first statement with a part, as another worker would do it."""
    actions = [action]

    def run(execute: Any, sql: str, *arguments: Any) -> Any:
        if part in sql and actions:
            actions.pop()()
        return execute(sql, *arguments)

    with connection.execute_wrapper(run):
        yield


between_claim_and_step = partial(before_statement, "accounts_user")


class JobMachine(RuleBasedStateMachine):
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
        number = job.cursor or 0
        Mailbox.objects.create(address_hash=f"{job.pk} {number}", changed_at=timezone.now())
        job.cursor = job.finished_rows = number + 1
        if self.outcome in ERRORS:
            raise ERRORS[self.outcome]
        return bool(job.cursor < job.arguments["count"])

    def run_step(self, outcome: str = "succeeds") -> bool:
        self.outcome = outcome
        self.ran.clear()
        try:
            return queue.run_next_step()
        except Killed:
            return True
        finally:
            self.traveller.shift(timedelta(milliseconds=1))

    @rule(count=integers(1, 3))
    def enqueue(self, count: int) -> None:
        queue.enqueue("count", created_by_id=self.admin.pk, count=count, number=Job.objects.count())
        self.traveller.shift(timedelta(milliseconds=1))

    @rule(outcome=sampled_from(["succeeds", "succeeds", *ERRORS]))
    def work(self, outcome: str) -> None:
        """The job that has waited for longest has its turn."""
        due = Job.objects.filter(state__in=UNFINISHED, next_attempt_at__lte=timezone.now())
        expected = due.order_by("next_attempt_at", "pk").values_list("pk", flat=True).first()
        assert self.run_step(outcome) is (expected is not None)
        assert set(self.ran) <= {expected}

    @precondition(lambda _machine: Job.objects.exists())
    @rule(number=integers(0, 9), action=sampled_from([queue.cancel, queue.retry]), is_between=booleans())
    def press(self, number: int, action: Callable[[Job], bool], is_between: bool) -> None:
        job = Job.objects.order_by("pk")[number % Job.objects.count()]
        if is_between:
            with between_claim_and_step(lambda: action(job)):
                self.run_step()
            assert job.pk not in self.ran or action is queue.retry
        else:
            action(job)

    @rule()
    def be_too_slow(self) -> None:
        """A worker loses its claim to another one, which does the step first."""

        def overtake() -> None:
            self.traveller.shift(queue.CLAIM_LIFETIME)
            self.run_step()

        with between_claim_and_step(overtake):
            self.run_step()
        assert len(self.ran) == len(set(self.ran))

    @rule(seconds=sampled_from([5, 60, 300]))
    def wait(self, seconds: int) -> None:
        self.traveller.shift(timedelta(seconds=seconds))

    @rule(is_staff=booleans())
    def change_rights(self, is_staff: bool) -> None:
        User.objects.update(is_staff=is_staff)

    @invariant()
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


@pytest.mark.django_db
@pytest.mark.usefixtures("no_kinds")
def test_every_step_counts_once_whatever_happens() -> None:
    run_state_machine_as_test(JobMachine, settings=settings(max_examples=25, stateful_step_count=30))
