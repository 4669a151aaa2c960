"""Files of jobs that are uploaded in slices and read from any place."""

from typing import Any

import pytest

from sailing.jobs import files
from sailing.jobs.models import Job, JobFile

pytestmark = pytest.mark.django_db


CONTENT = bytes(range(25))


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> JobFile:
    monkeypatch.setattr(files, "CHUNK_BYTES", 10)
    return JobFile.objects.create(job=Job.objects.create(kind="count"), name="list.csv", size=25)


def store(file: JobFile, content: bytes) -> None:
    file.size = len(content)
    for number, start in enumerate(range(0, len(content), 10)):
        assert files.store_slice(file, number, content[start : start + 10])


def test_slices_make_the_file_in_any_order(file: JobFile) -> None:
    for number, content in (
        (2, CONTENT[20:]),
        (0, CONTENT[:10]),
        (0, b"x" * 10),
    ):  # a repetition changes nothing
        assert files.store_slice(file, number, content)
        assert not files.is_complete(file)
    assert files.store_slice(file, 1, CONTENT[10:20])
    assert files.is_complete(file)
    assert b"".join(files.read_chunks(file)) == CONTENT


@pytest.mark.parametrize(("number", "length"), [(0, 9), (0, 11), (2, 4), (2, 6), (3, 0), (10**9, 10)])
def test_slice_of_a_wrong_size_or_place_is_refused(file: JobFile, number: int, length: int) -> None:
    assert not files.store_slice(file, number, b"x" * length)


@pytest.mark.parametrize("length", [0, 10, 25])
def test_file_is_read_from_any_place(file: JobFile, length: int, django_assert_max_num_queries: Any) -> None:
    content = CONTENT[:length]
    store(file, content)
    with files.open_uploaded(file) as reader, django_assert_max_num_queries(3):
        assert reader.read() == content
    with files.open_uploaded(file) as reader:
        for start in range(length):
            reader.seek(start)
            assert reader.read(7) == content[start : start + 7]
        assert reader.seek(0, 2) == length


def test_file_of_which_a_part_is_missing_does_not_end_there(file: JobFile) -> None:
    store(file, CONTENT)
    file.chunks.filter(number=1).delete()
    with pytest.raises(files.DELETED):
        list(files.read_chunks(file))
    with files.open_uploaded(file) as reader, pytest.raises(files.DELETED):
        reader.read()


def test_appended_parts_follow_each_other() -> None:
    file, parts = JobFile.objects.create(name="list.csv"), [b"one", b"", b"a" * 25, b"two"]
    for part in parts:
        files.append(file, part)
    assert list(files.read_chunks(file)) == parts
    assert JobFile.objects.get().size == 31
