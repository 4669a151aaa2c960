"""Files of jobs, in slices; and the deletion of expired data: once an hour, in bounded batches."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any
from unittest import mock
from unittest.mock import call

import pytest
from django.db import connection
from django.utils import timezone
from time_machine import TimeMachineFixture

from sailing.jobs import files, queue, retention
from sailing.jobs.models import Job, JobFile, JobState
from sailing.mail.models import Mailbox
from tests.jobs import purge_expired, run_pending_jobs

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
SIZE = files.CHUNK_BYTES
CONTENT = Random(1).randbytes(5 * SIZE // 2)

pytestmark = pytest.mark.django_db


@pytest.fixture
def file() -> JobFile:
    return JobFile.objects.create(job=Job.objects.create(kind="count"), name="list.csv", size=len(CONTENT))


def store_slices(file: JobFile, content: bytes) -> None:
    file.size = len(content)
    for number, start in enumerate(range(0, len(content), SIZE)):
        assert files.store_slice(file, number, content[start : start + SIZE])


def test_slices_make_the_file_in_any_order(file: JobFile) -> None:
    for number, content in (
        (2, CONTENT[2 * SIZE :]),
        (0, CONTENT[:SIZE]),
        (0, b"x" * SIZE),
    ):  # a repetition changes nothing
        assert files.store_slice(file, number, content)
        assert not files.is_complete(file)
    assert files.store_slice(file, 1, CONTENT[SIZE : 2 * SIZE])
    assert files.is_complete(file)
    assert b"".join(files.read_chunks(file)) == CONTENT


@pytest.mark.parametrize(
    ("number", "length"),
    [(0, SIZE - 1), (0, SIZE + 1), (2, SIZE // 2 - 1), (2, SIZE // 2 + 1), (3, 0), (10**9, SIZE)],
)
def test_slice_of_a_wrong_size_or_place_is_refused(file: JobFile, number: int, length: int) -> None:
    assert not files.store_slice(file, number, b"x" * length)


@pytest.mark.parametrize("length", [0, SIZE, len(CONTENT)])
def test_file_is_read_from_any_place(file: JobFile, length: int, django_assert_max_num_queries: Any) -> None:
    content = CONTENT[:length]
    store_slices(file, content)
    with files.open_uploaded(file) as reader, django_assert_max_num_queries(3):
        assert reader.read() == content
    with files.open_uploaded(file) as reader:
        for start in range(0, length, SIZE // 4 - 1):
            reader.seek(start)
            assert reader.read(7) == content[start : start + 7]
        assert reader.seek(0, 2) == length


def test_file_of_which_a_part_is_missing_does_not_end_there(file: JobFile) -> None:
    store_slices(file, CONTENT)
    file.chunks.filter(number=1).delete()
    with pytest.raises(files.DELETED):
        list(files.read_chunks(file))
    with files.open_uploaded(file) as reader, pytest.raises(files.DELETED):
        reader.read()


@pytest.fixture
def steps() -> Iterator[mock.Mock]:
    """Return a mock with two steps, `first` and `second`, which are registered after all others."""
    steps = mock.Mock()
    with mock.patch.dict(retention.steps):
        for name in ("first", "second"):
            getattr(steps, name).configure_mock(__module__="app", __qualname__=name, return_value=False)
            retention.register(getattr(steps, name))
        yield steps


def test_apps_have_their_steps() -> None:
    queue.enqueue(retention.KIND)
    queue.run_next_step()
    steps = {"accounts.retention.purge_expired_links", "newsletter.retention.purge_expired_links"}
    assert steps | {"newsletter.retention.purge_unanswered"} <= set(Job.objects.get().cursor or ())


def test_job_is_enqueued_once_an_hour(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    # Of before the clock was set back.
    Job.objects.create(kind=retention.KIND, state=JobState.DONE, created_at=timezone.now() + 9 * HOUR)
    for expected in (2, 2, 3, 3):
        retention.enqueue_if_due()
        assert Job.objects.count() == expected
        Job.objects.update(state=JobState.FAILED)
        time_machine.shift(HOUR / 2)


def test_steps_with_more_to_delete_are_repeated_in_turns(steps: mock.Mock) -> None:
    steps.first.side_effect = [True, True, False]
    purge_expired()
    assert steps.mock_calls == [call.first(), call.second(), call.first(), call.first()]


@pytest.mark.parametrize("is_final", [True, False])
def test_failing_step_is_left_out(steps: mock.Mock, time_machine: TimeMachineFixture, is_final: bool) -> None:
    """So the last time that expired data was deleted stays the one before."""

    def fail() -> bool:
        Mailbox.objects.create(address_hash="jana", changed_at=timezone.now())
        if steps.first.call_count == 1 or is_final:
            raise ValueError("jana@example.org")
        return False

    steps.first.side_effect = fail
    queue.enqueue(retention.KIND)
    for _round in range(3):
        run_pending_jobs()
        time_machine.move_to(timezone.now() + queue.LONGEST_BACKOFF)
    assert steps.mock_calls == [call.first(), call.first(), call.second()]
    job = Job.objects.get()
    failed = (JobState.FAILED, {"failed": ["app.first"]})
    assert (job.state, job.result) == (failed if is_final else (JobState.DONE, {}))
    assert Mailbox.objects.exists() is not is_final


def test_batches_are_bounded_and_keep_what_is_renewed_meanwhile() -> None:
    now, size = timezone.now(), retention.BATCH_SIZE
    rows = (Mailbox(address_hash=str(number), changed_at=now - SECOND) for number in range(2 * size))
    Mailbox.objects.bulk_create(rows)
    expired = Mailbox.objects.filter(changed_at__lt=now)

    def renew(execute: Any, sql: str, *arguments: Any) -> Any:
        result = execute(sql, *arguments)
        if sql.startswith("SELECT"):
            Mailbox.objects.update(changed_at=now)
        return result

    assert retention.delete_batch(expired)
    assert expired.count() == size
    with connection.execute_wrapper(renew):
        retention.delete_batch(expired)
    assert Mailbox.objects.count() == size
    assert not retention.delete_batch(expired)


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
