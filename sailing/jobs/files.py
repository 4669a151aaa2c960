"""Files of jobs, stored in chunks, so that no process holds a whole file in memory.

A job writes a file from its start to its end (`append`). An upload stores its slices in any order, perhaps
some of them twice (`store_slice`), until `is_complete`.
"""

import io
from collections.abc import Iterator
from typing import BinaryIO

from django.db.models import Max, Sum
from django.db.models.functions import Length

from sailing.jobs.models import JobFile, JobFileChunk

CHUNK_BYTES = 1024 * 1024

DELETED = (JobFile.DoesNotExist, JobFileChunk.DoesNotExist)
"""The errors when a file, or a part of it, has been deleted."""


def create_upload(*, name: str, size: int, created_by_id: int) -> JobFile:
    """Prepare a file of `size` bytes, which is uploaded next; return it empty."""
    return JobFile.objects.create(name=name[-255:], size=size, created_by_id=created_by_id)


def store_upload(content: BinaryIO, *, name: str, size: int, created_by_id: int) -> JobFile:
    """Store a whole file that an admin has uploaded."""
    file = create_upload(name=name, size=size, created_by_id=created_by_id)
    for number, part in enumerate(iter(lambda: content.read(CHUNK_BYTES), b"")):
        store_slice(file, number, part)
    return file


def append(file: JobFile, content: bytes) -> None:
    """Add content to the end of a file."""
    last = file.chunks.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else last + 1
    starts = range(0, len(content), CHUNK_BYTES)
    JobFileChunk.objects.bulk_create(
        [
            JobFileChunk(file=file, number=number + index, content=content[start : start + CHUNK_BYTES])
            for index, start in enumerate(starts)
        ]
    )
    file.size += len(content)
    file.save(update_fields=["size"])


def read_chunks(file: JobFile) -> Iterator[bytes]:
    """Read a file in parts. Raises DELETED if a part is missing."""
    number = position = 0
    while position < file.size:
        content = _read_chunk(file, number)
        yield content
        number, position = number + 1, position + len(content)


def store_slice(file: JobFile, number: int, content: bytes) -> bool:
    """Store the chunk of an uploaded file of a known size; return False if it is not the expected part.

    Storing a slice again changes nothing.
    """
    start = number * CHUNK_BYTES
    if start >= file.size or len(content) != min(CHUNK_BYTES, file.size - start):
        return False
    JobFileChunk.objects.bulk_create(
        [JobFileChunk(file=file, number=number, content=content)], ignore_conflicts=True
    )
    return True


def is_complete(file: JobFile) -> bool:
    """Return whether every slice of an uploaded file is stored."""
    stored = file.chunks.annotate(length=Length("content")).aggregate(size=Sum("length"))
    return (stored["size"] or 0) == file.size


def open_uploaded(file: JobFile) -> io.BufferedReader:
    """Open a complete uploaded file for reading, from any place. Reading a missing part raises DELETED."""
    return io.BufferedReader(_ChunkReader(file), buffer_size=65_536)


class _ChunkReader(io.RawIOBase):
    """Reads chunks that are all CHUNK_BYTES long but the last."""

    def __init__(self, file: JobFile) -> None:
        super().__init__()
        self._file = file
        self._position = 0
        self._cached = (-1, b"")
        """The number of the last chunk, and the chunk."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._file.size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        if self._position >= self._file.size:
            return 0
        number, start = divmod(self._position, CHUNK_BYTES)
        part = self._get_chunk(number)[start : start + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)

    def _get_chunk(self, number: int) -> bytes:
        if number != self._cached[0]:
            self._cached = number, _read_chunk(self._file, number)
        return self._cached[1]


def _read_chunk(file: JobFile, number: int) -> bytes:
    return bytes(file.chunks.get(number=number).content)
