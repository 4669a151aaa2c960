"""Routine jobs, and workers that share the queue."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from unittest import mock

import pytest
from django.db import DatabaseError, connections
from django.utils import timezone
from time_machine import TimeMachineFixture

from sailing.jobs import heartbeats, queue, runner
from sailing.jobs.models import Job, JobState
from sailing.jobs.queue import RunningJob
from sailing.jobs.tests.test_jobs import count_rows, enqueue, register, store_row, store_rows
from tests.concurrency import run_at_once
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.usefixtures("no_kinds")


@pytest.mark.django_db
class TestRoutineJobs:
    def test_routine_job_is_enqueued_once_in_its_interval(self, time_machine: TimeMachineFixture) -> None:
        register(store_rows, "other")
        register(store_rows, interval=timedelta(hours=1))
        time_machine.move_to(timezone.now(), tick=False)
        for _ in range(2):
            queue.enqueue_routine_jobs()
            Job.objects.update(state=JobState.FAILED)
        assert [job.kind for job in Job.objects.all()] == ["count"]
        for expected in (2, 2):  # the second one stays unfinished
            time_machine.shift(timedelta(hours=1))
            queue.enqueue_routine_jobs()
            assert Job.objects.count() == expected

    def test_clock_set_back_does_not_postpone_the_next_run(self) -> None:
        register(store_rows, interval=timedelta(hours=1))
        Job.objects.create(kind="count", state=JobState.DONE, created_at=timezone.now() + timedelta(days=14))
        queue.enqueue_routine_jobs()
        assert Job.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestWorkers:
    """Each worker is a thread with a database connection of its own, as in another process."""

    def test_workers_share_the_jobs_and_run_each_once(self) -> None:
        def store_own_row(job: RunningJob) -> Iterator[None]:
            with job.step():
                store_row(job.arguments["number"])
            yield

        register(store_own_row)
        for number in range(10):
            enqueue(number=number)
        run_at_once(3, lambda _index: run_pending_jobs())
        assert set(Job.objects.values_list("state", flat=True)) == {JobState.DONE}
        assert count_rows() == 10

    def test_thread_runs_enqueued_jobs_until_it_is_shut_down(self) -> None:
        ran = threading.Event()

        def run(_job: RunningJob) -> Iterator[None]:
            ran.set()
            yield

        register(run)
        thread = runner.JobThread()
        enqueue()
        assert ran.wait(10)
        thread.shutdown()
        assert not thread._thread.is_alive()
        assert Job.objects.get().state in (JobState.DONE, JobState.WAITING)


def test_thread_outlives_failures_of_the_queue(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = threading.Event()
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 6:
            stop.set()

    errors = mock.Mock(side_effect=3 * [DatabaseError, RuntimeError])
    monkeypatch.setattr(heartbeats.Heartbeat, "renew_if_due", errors)
    monkeypatch.setattr(queue.woken, "wait", wait)
    monkeypatch.setattr(connections["default"], "close", lambda: None)
    monkeypatch.setattr(runner, "close_old_connections", lambda: None)
    runner.run(stop)
    assert waits == [2, 4, 8, 16, 30, 30]
    assert caplog.text.count("jobs_postponed") == caplog.text.count("jobs_failed") == 3
