"""Files of jobs, stored in parts, so that no process holds a whole file in memory."""

from collections.abc import Iterator

from sailing.models import JobFile, JobFileChunk

CHUNK_BYTES = 1024 * 1024


def append(file: JobFile, content: bytes) -> None:
    """Add content to the end of a file."""
    number = file.chunks.count()
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
    """Read a file in parts."""
    number = 0
    while content := file.chunks.filter(number=number).values_list("content", flat=True).first():
        yield bytes(content)
        number += 1
