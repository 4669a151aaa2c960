"""The operations dashboard: charts of new rows, and the state of the outbox, the jobs and the database.

It reads the database alone, so every process shows the same. Each part needs the permission to view the
model that it counts.
"""

from datetime import timedelta
from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Count, Max, Min, Model, Q
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing import database
from sailing.admin.charts import charts
from sailing.admin.lists import StrictListMixin
from sailing.jobs.models import Job, JobState
from sailing.mail import installation
from sailing.mail.models import MailState, OutboxEmail
from sailing.operations import release
from sailing.operations.queues import WatchState, read_watches

LAST_JOBS = 8


def is_visible(request: HttpRequest, site: AdminSite) -> bool:
    """Return whether the user may see any part of the dashboard."""
    models: list[type[Model]] = [OutboxEmail, Job, *charts]
    return any(_can_view(request, site, model) for model in models)


class OperationsListMixin(StrictListMixin):
    """A list to which the dashboard leads."""

    def get_parent(self, request: HttpRequest) -> tuple[str, Any] | None:
        if not is_visible(request, self.admin_site):
            return None
        return reverse("admin:operations"), _("Operations")


def render(request: HttpRequest, site: AdminSite) -> TemplateResponse:
    """Return the page. Raises PermissionDenied for an admin who may see no part of it."""
    if not is_visible(request, site):
        raise PermissionDenied
    common = site.each_context(request)
    context = {
        **common,
        "title": _("Operations"),
        "charts": [
            {"id": model._meta.model_name, "title": chart.title, "data": chart.draw()}
            for model, chart in charts.items()
            if _can_view(request, site, model)
        ],
        "restored_work": (
            installation.stop_restored_work(is_trial=True)
            if common["is_copy"] and request.user.is_superuser
            else None
        ),
        **_read_work(request, site),
        "system": _read_system(request, site) if _can_view(request, site, Job) else None,
    }
    return TemplateResponse(request, "admin/operations.html", context)


def _read_work(request: HttpRequest, site: AdminSite) -> dict[str, Any]:
    """Return the state of the queues, and as far as the admin may see them, the `outbox` and the `jobs`.

    `watches`: the state of each queue, with the number of what has failed in it.
    """
    if not (watches := _read_visible_watches(request, site)):
        return {}
    outbox, jobs = count_mails(), _read_jobs(site)
    failed = {"mails_due": outbox["failed"], "jobs_due": jobs["failed"]}
    return {
        "watches": [(state, failed.get(state.watch.name, 0)) for state in watches],
        "outbox": outbox if _can_view(request, site, OutboxEmail) else None,
        "jobs": jobs if _can_view(request, site, Job) else None,
    }


def list_overdue(request: HttpRequest, site: AdminSite) -> list[tuple[str, str]]:
    """Return a notice of each queue that stalls: what is wrong, and the address of the dashboard."""
    url = reverse("admin:operations")
    return [
        (str(state.watch.problem), url) for state in _read_visible_watches(request, site) if state.is_overdue
    ]


def _read_visible_watches(request: HttpRequest, site: AdminSite) -> list[WatchState]:
    return read_watches() if any(_can_view(request, site, model) for model in (OutboxEmail, Job)) else []


def count_mails() -> dict[str, Any]:
    """Count the mails of the outbox in one query.

    `retried`: those waiting after a failed attempt. `sent`: within 24 hours. `waiting_since`: when the oldest
    waiting mail was stored.
    """
    since = timezone.now() - timedelta(days=1)
    is_waiting = Q(state=MailState.WAITING)
    counts = OutboxEmail.objects.aggregate(
        waiting=Count("pk", filter=is_waiting & Q(attempts=0)),
        retried=Count("pk", filter=is_waiting & Q(attempts__gt=0)),
        failed=Count("pk", filter=Q(state=MailState.FAILED)),
        sent=Count("pk", filter=Q(sent_at__gte=since)),
        last_sent_at=Max("sent_at"),
        waiting_since=Min("due_at", filter=is_waiting),
    )
    return {**counts, "sent_since": since}


def _read_jobs(site: AdminSite) -> dict[str, Any]:
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


def _read_system(request: HttpRequest, site: AdminSite) -> dict[str, Any]:
    """Measure the database: its size in bytes, and the rows of each list in admin."""
    return {
        "size": database.read_size(connection),
        "has_statement_timeout": database.is_statement_timeout_set(connection),
        "tables": [
            {"name": model_admin.get_list_name(), "rows": model_admin.get_queryset(request).count()}
            for model in filter(site.is_registered, apps.get_models())
            if isinstance(model_admin := site.get_model_admin(model), StrictListMixin)
            and not model._meta.proxy
        ],
        "migrations": release.compare_migrations(),
        "versions": release.read_versions(),
    }


def _can_view(request: HttpRequest, site: AdminSite, model: type[Model]) -> bool:
    return bool(site.get_model_admin(model).has_view_permission(request))
