"""Helpers of the import tests: files, imports by the services, and the steps of an import in Django admin."""

import io
from typing import Any

from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from newsletter.imports import services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from sailing.jobs import files
from sailing.jobs.models import Job, JobFile
from tests.jobs import run_pending_jobs

IMPORT = "/admin/imports/importbatch/import/"
ROLES = ["email", "user_type", "language", "subscribed"]
HEADER = "email,audience,language,status\n"
CONSENT = {"consent_date": "2025-05-31", "consent_proof": "Signed sheets"}
CHOICES = {
    "column_0": "email",
    "column_1": "user_type",
    "language": "en",
    "leavers": "some",
    "origin": "Boat show",
}


def get_admin() -> Any:
    """Return the superuser who starts the imports."""
    users = get_user_model()._default_manager
    return users.get_or_create(email="admin@example.com", is_staff=True, is_superuser=True)[0]


def upload(content: str | bytes, name: str = "list.csv") -> JobFile:
    data = content.encode() if isinstance(content, str) else content
    return files.store_upload(io.BytesIO(data), name=name, size=len(data), created_by_id=get_admin().pk)


def check(content: str | bytes, plan: Plan | None = None, /, **consent: Any) -> Job:
    """Count what the import of a file would do; return the job."""
    plan = plan or Plan("utf-8", ",", ROLES)
    job = services.check(file=upload(content), plan=plan, origin="Boat show", **consent)
    run_pending_jobs()
    job.refresh_from_db()
    return job


def start(content: str | bytes, plan: Plan | None = None, /, **consent: Any) -> ImportBatch:
    return services.start(checked=check(content, plan, **consent))[0]


def import_rows(content: str | bytes, plan: Plan | None = None, /, **consent: Any) -> ImportBatch:
    """Import a file and return its batch."""
    batch = start(content, plan, **consent)
    run_pending_jobs()
    batch.refresh_from_db()
    return batch


def get_job(batch: ImportBatch) -> Job:
    assert batch.job
    batch.job.refresh_from_db()
    return batch.job


def read_bad_rows(job: Job) -> str:
    file = JobFile.objects.get(pk=job.result["bad_rows"])
    return b"".join(files.read_chunks(file)).decode("utf-8-sig")


def make_rows(number: int) -> str:
    return "email,audience\n" + "".join(f"person{row}@example.com,sailor\n" for row in range(number))


def choose(client: Client, content: str | bytes, name: str = "list.csv") -> str:
    """Post a file by the plain form; return the path of the next page."""
    data = content.encode() if isinstance(content, str) else content
    return str(client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}).headers["Location"])


def choose_roles(client: Client, path: str, **choices: str) -> str:
    """Say what the columns mean, and let the job count the rows; return the path of the totals."""
    response = client.post(path, CHOICES | choices)
    assert response.status_code == 302, response.context["form"].errors
    run_pending_jobs()
    return str(response.headers["Location"])


def import_file(client: Client, content: str | bytes, **choices: str) -> str:
    """Import a file by the pages of Django admin; return the path of its batch."""
    totals = choose_roles(client, choose(client, content), **choices)
    path = str(client.post(totals).headers["Location"])
    run_pending_jobs()
    return path


def get_messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]
