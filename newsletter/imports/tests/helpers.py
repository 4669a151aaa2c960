"""Files, and imports by the services."""

import io
from typing import Any

from django.contrib.auth import get_user_model

from newsletter.imports import services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from sailing.jobs import files
from sailing.jobs.models import Job, JobFile
from tests.jobs import run_pending_jobs

PLAN = Plan("utf-8", ",", ["email", "user_type", "language", "subscribed"])


def get_admin() -> Any:
    """Return the superuser who starts the imports."""
    users = get_user_model()._default_manager
    return users.get_or_create(email="admin@example.com", is_staff=True, is_superuser=True)[0]


def upload(content: str | bytes, name: str = "list.csv") -> JobFile:
    data = content.encode() if isinstance(content, str) else content
    return files.store_upload(io.BytesIO(data), name=name, size=len(data), created_by_id=get_admin().pk)


def check(content: str | bytes, plan: Plan = PLAN, /, **consent: Any) -> Job:
    """Count what the import of a file would do; return the job."""
    job = services.check(file=upload(content), plan=plan, origin="Boat show", **consent)
    run_pending_jobs()
    job.refresh_from_db()
    return job


def start(content: str | bytes, plan: Plan = PLAN, /, **consent: Any) -> ImportBatch:
    return services.start(checked=check(content, plan, **consent))[0]
