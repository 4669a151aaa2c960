"""Helpers of the import tests."""

from typing import Any

from django.contrib.auth import get_user_model

from newsletter.imports import services, uploads
from newsletter.imports.models import ImportBatch
from sailing.jobs import files
from sailing.jobs.models import Job, JobFile
from tests.jobs import run_pending_jobs

MAPPING = {"email": "column:0", "user_type": "column:1"}
ALL = MAPPING | {"source": "column:2", "language": "column:3", "state": "column:4"}


def get_admin() -> Any:
    """Return the superuser who starts the imports."""
    users = get_user_model()._default_manager
    return users.get_or_create(email="admin@example.com", is_staff=True, is_superuser=True)[0]


def upload(content: str | bytes, name: str = "list.csv") -> JobFile:
    data = content.encode() if isinstance(content, str) else content
    file = files.create_upload(name=name, size=len(data), created_by_id=get_admin().pk)
    for number, start in enumerate(range(0, len(data), files.CHUNK_BYTES)):
        assert files.store_slice(file, number, data[start : start + files.CHUNK_BYTES])
    uploads.request_reading(file)
    run_pending_jobs()
    return file


def start(content: str | bytes, mapping: dict[str, str] = MAPPING) -> ImportBatch:
    return services.start(file=upload(content), mapping=mapping)[0]


def import_rows(content: str | bytes, mapping: dict[str, str] = MAPPING) -> ImportBatch:
    """Import a file and return its batch."""
    batch = start(content, mapping)
    run_pending_jobs()
    batch.refresh_from_db()
    return batch


def counts(batch: ImportBatch) -> tuple[int, int, int]:
    batch.refresh_from_db()
    return batch.added_count, batch.duplicate_count, batch.invalid_count


def get_job(batch: ImportBatch) -> Job:
    assert batch.job
    batch.job.refresh_from_db()
    return batch.job


def read_bad_rows(batch: ImportBatch) -> str:
    file = JobFile.objects.get(pk=get_job(batch).result["bad_rows"])
    return b"".join(files.read_chunks(file)).decode("utf-8-sig")


def make_rows(number: int) -> str:
    return "email,user_type\n" + "".join(f"person{row}@example.com,sailor\n" for row in range(number))
