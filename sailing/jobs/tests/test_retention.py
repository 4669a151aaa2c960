"""Deletion of expired data: once an hour, in bounded batches."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

import accounts.retention
import newsletter.retention
from sailing.jobs import retention
from sailing.jobs.models import Job, JobFile, JobState
from sailing.mail import sender
from sailing.mail.models import MailboxBudget
from sailing.ratelimit import counters
from tests.jobs import purge_expired

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
                MailboxBudget.objects.create(mailbox=name, changed_at=timezone.now())
                raise error
            return self.calls.count(name) < batches

        step.__module__, step.__qualname__ = "tests", name
        retention.register(step)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    monkeypatch.setattr(retention, "_steps", [])
    return Steps()


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
        purge_expired()
        assert steps.calls == ["long", "short", "long", "long"]

    def test_failing_step_is_logged_and_rolled_back_and_does_not_stop_the_others(
        self, steps: Steps, caplog: pytest.LogCaptureFixture
    ) -> None:
        steps.add("broken", error=ValueError("jana@example.org"))
        steps.add("next", batches=2)
        purge_expired()
        assert steps.calls == ["broken", "next", "next"]
        (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
        assert isinstance(line.msg, dict)
        assert (line.msg["event"], line.msg["step"]) == ("retention_step_failed", "tests.broken")
        assert Job.objects.get().state == JobState.DONE
        assert not MailboxBudget.objects.exists()

    def test_batches_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(retention, "BATCH_SIZE", 2)
        for number in range(3):
            MailboxBudget.objects.create(mailbox=str(number), changed_at=timezone.now())
        assert retention.delete_batch(MailboxBudget.objects.all())
        assert MailboxBudget.objects.count() == 1
        assert not retention.delete_batch(MailboxBudget.objects.all())
        assert not MailboxBudget.objects.exists()

    def test_row_that_is_renewed_meanwhile_stays(self) -> None:
        now = timezone.now()
        MailboxBudget.objects.create(mailbox="jana", changed_at=now - SECOND)

        def renew(execute: Any, sql: str, *arguments: Any) -> Any:
            result = execute(sql, *arguments)
            if sql.startswith("SELECT"):
                MailboxBudget.objects.update(changed_at=now)
            return result

        with connection.execute_wrapper(renew):
            retention.delete_batch(MailboxBudget.objects.filter(changed_at__lt=now))
        assert MailboxBudget.objects.exists()


@pytest.mark.django_db
def test_jobs_and_their_files_are_deleted_after_their_retention() -> None:
    now = timezone.now()

    def store(state: JobState, age: timedelta) -> JobFile:
        job = Job.objects.create(kind="import", state=state, created_at=now - age, finished_at=now - age)
        return JobFile.objects.create(job=job, name="a.csv")

    day = retention.JOB_FILE_RETENTION
    kept = [
        store(JobState.DONE, day - SECOND),
        JobFile.objects.create(name="uploaded.csv", created_at=now - day + SECOND),
    ]
    without_file = store(JobState.FAILED, day + SECOND)
    JobFile.objects.create(name="uploaded.csv", created_at=now - day - SECOND)
    store(JobState.DONE, retention.JOB_RETENTION + SECOND)
    while retention.purge_expired_jobs():
        pass
    assert set(JobFile.objects.all()) == set(kept)
    assert set(Job.objects.all()) == {kept[0].job, without_file.job}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_steps_continue_after_one_that_lost_the_connection(
    steps: Steps, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # SQLite reports every connection as usable.
    monkeypatch.setattr(type(connections["default"]), "is_usable", lambda _connection: False)

    def lose_connection() -> bool:
        assert connection.connection
        connection.connection.close()
        return bool(MailboxBudget.objects.exists())

    retention.register(lose_connection)
    retention.register(counters.purge_expired)
    purge_expired()
    failed = [record.msg["step"] for record in caplog.records if "step" in record.msg]  # type: ignore[index]
    assert [name.rpartition(".")[2] for name in failed] == ["lose_connection"]
