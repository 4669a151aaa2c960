"""Deletion of expired data: once an hour, in bounded batches, by one process at a time."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import DatabaseError, OperationalError, connection, connections
from django.utils import timezone

import accounts.retention
import newsletter.retention
from sailing import retention
from sailing.background import Lock, try_lock
from sailing.email import sender
from sailing.email.outbox import enqueue
from sailing.models import MailboxBudget, OutboxEmail, RetentionRun
from sailing.ratelimit import counters

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


class Steps:
    """Steps that record their calls and replace the registered ones."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def add(self, name: str, *, batches: int = 1, error: Exception | None = None) -> None:
        """Register a step with a number of batches to delete, or one that raises an error."""

        def step() -> bool:
            self.calls.append(name)
            if error:
                raise error
            return self.calls.count(name) < batches

        step.__module__, step.__qualname__ = "tests", name
        retention.register(step)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    monkeypatch.setattr(retention, "_steps", [])
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)
    return Steps()


@pytest.fixture
def stop() -> threading.Event:
    return threading.Event()


def test_all_expiring_data_has_a_step() -> None:
    assert set(retention._steps) >= {
        accounts.retention.purge_expired_links,
        newsletter.retention.purge_expired_links,
        newsletter.retention.purge_unanswered,
        sender.purge_expired,
        counters.purge_expired,
    }


@pytest.mark.django_db
class TestRun:
    def test_steps_with_more_to_delete_are_repeated_in_turns(self, steps: Steps) -> None:
        steps.add("long", batches=3)
        steps.add("short")
        assert retention.purge_expired() == retention.Report(failed=[], unfinished=[])
        assert steps.calls == ["long", "short", "long", "long"]

    def test_every_step_runs_once_even_after_the_deadline(self, steps: Steps) -> None:
        steps.add("endless", batches=10**6)
        steps.add("next")
        report = retention.purge_expired(max_seconds=0)
        assert steps.calls == ["endless", "next"]
        assert report == retention.Report(failed=[], unfinished=["tests.endless"])

    def test_failing_step_is_logged_and_does_not_stop_the_others(
        self, steps: Steps, caplog: pytest.LogCaptureFixture
    ) -> None:
        steps.add("broken", error=ValueError("jana@example.org"))
        steps.add("next", batches=2)
        report = retention.purge_expired()
        assert steps.calls == ["broken", "next", "next"]
        assert report == retention.Report(failed=["tests.broken"], unfinished=[])
        (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
        assert isinstance(line.msg, dict)
        assert (line.msg["event"], line.msg["step"]) == ("retention_step_failed", "tests.broken")

    def test_stopped_run_starts_no_other_batch(self, steps: Steps, stop: threading.Event) -> None:
        def stopping() -> bool:
            stop.set()
            return True

        retention.register(stopping)
        steps.add("next")
        report = retention.purge_expired(stop)
        assert steps.calls == []
        assert report
        assert len(report.unfinished) == 2

    def test_batches_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retention, "BATCH_SIZE", 2)
        for number in range(3):
            MailboxBudget.objects.create(mailbox=str(number), changed_at=timezone.now())
        assert retention.delete_batch(MailboxBudget.objects.all())
        assert MailboxBudget.objects.count() == 1
        assert not retention.delete_batch(MailboxBudget.objects.all())
        assert not MailboxBudget.objects.exists()

    def test_old_mails_are_deleted_in_batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retention, "BATCH_SIZE", 1)
        with time_machine.travel(timezone.now() - sender.RETENTION - SECOND):
            for to in ("a@example.org", "b@example.org"):
                enqueue("newsletter/already_aboard", to=to, language="en", context={"unsubscribe_url": "x"})
        assert sender.purge_expired()
        assert OutboxEmail.objects.count() == 1


@pytest.mark.django_db
class TestSchedule:
    @pytest.fixture(autouse=True)
    def _one_step(self, steps: Steps) -> None:
        self.steps = steps
        steps.add("step", error=ValueError())

    def test_next_run_starts_an_hour_later_even_after_a_failure(self, stop: threading.Event) -> None:
        with time_machine.travel(timezone.now(), tick=False) as clock:
            retention.purge_if_due(stop)
            clock.shift(HOUR - SECOND)
            retention.purge_if_due(stop)
            assert len(self.steps.calls) == 1
            clock.shift(SECOND)
            retention.purge_if_due(stop)
            assert len(self.steps.calls) == 2

    def test_killed_run_is_not_repeated_at_once(
        self, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def killed() -> bool:
            raise SystemExit

        retention.register(killed)
        with pytest.raises(SystemExit):
            retention.purge_if_due(stop)
        retention.purge_if_due(stop)
        assert len(self.steps.calls) == 1

    def test_clock_set_back_does_not_postpone_the_next_run(self, stop: threading.Event) -> None:
        RetentionRun.objects.create(pk=1, started_at=timezone.now() + timedelta(days=14))
        retention.purge_if_due(stop)
        assert len(self.steps.calls) == 1

    def test_command_runs_at_once_and_reports_failures(self) -> None:
        for calls in (1, 2):
            with pytest.raises(CommandError, match=r"failed, see the log: tests\.step"):
                call_command("purge_expired")
            assert len(self.steps.calls) == calls


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestOneProcessAtATime:
    """Each process is represented by a database connection."""

    def call_while_locked(self, function: Callable[[], object]) -> None:
        """Call a function while another connection holds the lock."""
        locked, finish = threading.Event(), threading.Event()

        def other() -> None:
            try:
                with try_lock(Lock.RETENTION) as is_held:
                    assert is_held
                    locked.set()
                    finish.wait(30)
            finally:
                connections.close_all()

        thread = threading.Thread(target=other)
        thread.start()
        try:
            assert locked.wait(10)
            function()
        finally:
            finish.set()
            thread.join()

    def test_second_process_runs_nothing(self, steps: Steps, stop: threading.Event) -> None:
        steps.add("step")
        self.call_while_locked(lambda: retention.purge_if_due(stop))
        assert steps.calls == []
        retention.purge_if_due(stop)
        assert steps.calls == ["step"]

    def test_command_fails_while_another_process_runs_the_steps(self, steps: Steps) -> None:
        def run_command() -> None:
            with pytest.raises(CommandError, match="Another process"):
                call_command("purge_expired")

        self.call_while_locked(run_command)

    def test_due_date_is_checked_again_under_the_lock(
        self, steps: Steps, stop: threading.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        steps.add("step")
        due = iter([True, False])
        monkeypatch.setattr(retention, "_is_due", lambda: next(due))
        retention.purge_if_due(stop)
        assert steps.calls == []

    def test_steps_continue_after_one_that_lost_the_connection(
        self, steps: Steps, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # SQLite reports every connection as usable.
        monkeypatch.setattr(type(connections["default"]), "is_usable", lambda _connection: False)

        def lose_connection() -> bool:
            assert connection.connection
            connection.connection.close()
            return bool(MailboxBudget.objects.exists())

        retention.register(lose_connection)
        retention.register(counters.purge_expired)
        report = retention.purge_expired()
        assert report
        assert [name.rpartition(".")[2] for name in report.failed] == ["lose_connection"]

    def test_outbox_and_retention_do_not_wait_for_each_other(self, steps: Steps) -> None:
        steps.add("step")
        with try_lock(Lock.OUTBOX) as is_held:
            assert is_held
            assert retention.purge_expired()


class TestThread:
    @pytest.mark.parametrize("error", [DatabaseError(), OperationalError(), RuntimeError()])
    def test_errors_are_logged_and_the_thread_goes_on(
        self,
        error: Exception,
        stop: threading.Event,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        waits: list[float | None] = []

        def fail(_stop: threading.Event) -> None:
            raise error

        def wait(seconds: float | None = None) -> bool:
            waits.append(seconds)
            if len(waits) == 2:
                stop.set()
            return stop.is_set()

        monkeypatch.setattr(retention, "purge_if_due", fail)
        monkeypatch.setattr(connection, "close", lambda: None)
        monkeypatch.setattr(stop, "wait", wait)
        retention.run(stop)
        assert waits == [retention.CHECK_SECONDS] * 2
        assert caplog.text.count("retention_") == 2

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("shared_database")
    def test_thread_runs_the_steps_and_shuts_down_between_runs(self, steps: Steps) -> None:
        ran = threading.Event()

        def step() -> bool:
            ran.set()
            return False

        retention.register(step)
        thread = retention.RetentionThread()
        assert ran.wait(10)
        thread.shutdown()
        assert not thread._thread.is_alive()
        assert RetentionRun.objects.count() == 1
