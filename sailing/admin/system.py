"""The state of the background jobs and of the database, for the operations page."""

import platform
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import django
from django.apps import apps
from django.contrib.admin import AdminSite
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.text import capfirst

from sailing import database
from sailing.jobs.models import Job, JobState

LAST_JOBS = 8


@dataclass(frozen=True)
class JobRow:
    """A job as the list of jobs shows it."""

    job: Job
    label: str
    badge: str


@dataclass(frozen=True)
class JobsState:
    """The jobs by state, and the last ones. `waiting_since`: when the longest waiting one became due."""

    waiting: int
    running: int
    failed: int
    waiting_since: datetime | None
    last: tuple[JobRow, ...]


@dataclass(frozen=True)
class TableSize:
    """A table with a page in admin."""

    name: str
    rows: int


@dataclass(frozen=True)
class SystemState:
    """The database and the versions. `size` is in bytes."""

    size: int
    has_statement_timeout: bool
    tables: tuple[TableSize, ...]
    pending_migrations: int
    versions: tuple[str, ...]


def read_jobs(site: AdminSite) -> JobsState:
    """Count the jobs and read the last ones, in two queries."""
    is_due = Q(state=JobState.WAITING, next_attempt_at__lte=timezone.now())
    counts = Job.objects.aggregate(
        waiting=Count("pk", filter=Q(state=JobState.WAITING)),
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        failed=Count("pk", filter=Q(state=JobState.FAILED)),
        waiting_since=Min("next_attempt_at", filter=is_due),
    )
    job_admin: Any = site.get_model_admin(Job)
    last = Job.objects.select_related("created_by").order_by("-created_at", "-pk")[:LAST_JOBS]
    return JobsState(
        **counts, last=tuple(JobRow(job, job_admin.label(job), job_admin.state_badge(job)) for job in last)
    )


def read_system(site: AdminSite) -> SystemState:
    """Measure the database."""
    executor = MigrationExecutor(connection)
    return SystemState(
        size=_read_size(),
        has_statement_timeout=database.is_statement_timeout_set(connection),
        tables=tuple(
            TableSize(capfirst(str(model._meta.verbose_name_plural)), model._default_manager.count())
            for model in filter(site.is_registered, apps.get_models())
            if not model._meta.proxy
        ),
        pending_migrations=len(executor.migration_plan(executor.loader.graph.leaf_nodes())),
        versions=(
            f"Python {platform.python_version()}",
            f"Django {django.get_version()}",
            f"{connection.display_name} {'.'.join(map(str, connection.get_database_version()))}",
        ),
    )


def _read_size() -> int:
    query = (
        "SELECT pg_database_size(current_database())"
        if connection.vendor == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])
