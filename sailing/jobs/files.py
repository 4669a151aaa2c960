"""Files of jobs, in chunks, so that no process holds a whole file in memory."""

import io
from collections.abc import Iterator
from math import ceil
from typing import BinaryIO

from sailing.jobs.models import JobFile, JobFileChunk

CHUNK_BYTES = 1024 * 1024

DELETED = (JobFile.DoesNotExist, JobFileChunk.DoesNotExist)


def create_upload(*, name: str, size: int, created_by_id: int) -> JobFile:
    """Return an empty file of `size` bytes, whose slices are stored next."""
    return JobFile.objects.create(name=name[-255:], size=size, created_by_id=created_by_id)


def store_upload(content: BinaryIO, *, name: str, size: int, created_by_id: int) -> JobFile:
    file = create_upload(name=name, size=size, created_by_id=created_by_id)
    for number, start in enumerate(range(0, size, CHUNK_BYTES)):
        store_slice(file, number, content.read(min(CHUNK_BYTES, size - start)))
    return file


def append(file: JobFile, content: bytes) -> None:
    """Add a chunk of any length to the end of a file."""
    JobFileChunk.objects.create(file=file, number=file.chunks.count(), content=content)
    file.size += len(content)
    file.save(update_fields=["size"])


def store_slice(file: JobFile, number: int, content: bytes) -> bool:
    """Store a chunk of an uploaded file, perhaps again; return False if it is not the expected part."""
    start = number * CHUNK_BYTES
    if start >= file.size or len(content) != min(CHUNK_BYTES, file.size - start):
        return False
    chunk = JobFileChunk(file=file, number=number, content=content)
    JobFileChunk.objects.bulk_create([chunk], ignore_conflicts=True)
    return True


def is_complete(file: JobFile) -> bool:
    """Return whether every slice of an uploaded file is stored."""
    return file.chunks.count() == ceil(file.size / CHUNK_BYTES)


def read_chunks(file: JobFile) -> Iterator[bytes]:
    """Read a file in parts. Raises DELETED if a part is missing."""
    number = position = 0
    while position < file.size:
        content = _read_chunk(file, number)
        yield content
        number, position = number + 1, position + len(content)


def open_uploaded(file: JobFile) -> io.BufferedReader:
    """Open an uploaded file for reading from any place. Reading raises DELETED if a part is missing."""
    return io.BufferedReader(_ChunkReader(file), buffer_size=65_536)


class _ChunkReader(io.RawIOBase):
    def __init__(self, file: JobFile) -> None:
        super().__init__()
        self._file = file
        self._position = 0
        self._number, self._chunk = -1, b""

    def readable(self) -> bool:
        return True

    seekable = readable

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._file.size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        if self._position >= self._file.size:
            return 0
        number, start = divmod(self._position, CHUNK_BYTES)
        if number != self._number:
            self._number, self._chunk = number, _read_chunk(self._file, number)
        part = self._chunk[start : start + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)


def _read_chunk(file: JobFile, number: int) -> bytes:
    return bytes(file.chunks.get(number=number).content)
