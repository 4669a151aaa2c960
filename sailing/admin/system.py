"""The state of the background jobs and of the database, for the operations page."""

from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.db import connection
from django.db.models import Count, Min, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst

from sailing import database
from sailing.admin.lists import StrictListMixin
from sailing.jobs.models import Job, JobState
from sailing.operations import release

LAST_JOBS = 8


def read_jobs(site: AdminSite) -> dict[str, Any]:
    """Count the jobs and read the last ones, in two queries.

    `waiting_since`: when the longest waiting one became due.
    """
    is_due = Q(state=JobState.WAITING, next_attempt_at__lte=timezone.now())
    counts = Job.objects.aggregate(
        waiting=Count("pk", filter=Q(state=JobState.WAITING)),
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        failed=Count("pk", filter=Q(state=JobState.FAILED)),
        waiting_since=Min("next_attempt_at", filter=is_due),
    )
    job_admin: Any = site.get_model_admin(Job)
    last = Job.objects.select_related("created_by").order_by("-created_at", "-pk")[:LAST_JOBS]
    rows = [
        {
            "job": job,
            "label": job_admin.label(job),
            "subject": job_admin.subject(job),
            "badge": job_admin.state_badge(job),
            "started_by": job_admin.started_by(job),
        }
        for job in last
    ]
    return {**counts, "last": rows}


def read_system(request: HttpRequest, site: AdminSite) -> dict[str, Any]:
    """Measure the database: its size in bytes, and the rows of each list in admin."""
    return {
        "size": database.read_size(connection),
        "has_statement_timeout": database.is_statement_timeout_set(connection),
        "tables": [
            {"name": _get_list_name(model_admin), "rows": model_admin.get_queryset(request).count()}
            for model in filter(site.is_registered, apps.get_models())
            if isinstance(model_admin := site.get_model_admin(model), StrictListMixin)
            and not model._meta.proxy
        ],
        "migrations": release.compare_migrations(),
        "versions": release.read_versions(),
    }


def _get_list_name(model_admin: StrictListMixin) -> str:
    return str(model_admin.list_title or capfirst(str(model_admin.opts.verbose_name_plural)))
