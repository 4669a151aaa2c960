"""The operations dashboard: charts of new rows, and the state of the outbox, the jobs and the database.

It reads the database alone, so every process shows the same. Each part needs the permission to view the
model that it counts.
"""

from datetime import timedelta
from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min, Model, Q
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.admin import system
from sailing.admin.charts import charts
from sailing.admin.lists import StrictListMixin
from sailing.jobs.models import Job
from sailing.mail import installation
from sailing.mail.models import MailState, OutboxEmail
from sailing.operations.queues import WatchState, read_watches


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
        "system": system.read_system(request, site) if _can_view(request, site, Job) else None,
    }
    return TemplateResponse(request, "admin/operations.html", context)


def _read_work(request: HttpRequest, site: AdminSite) -> dict[str, Any]:
    """Return the state of the queues, and as far as the admin may see them, the `outbox` and the `jobs`.

    `watches`: the state of each queue, with the number of what has failed in it.
    """
    if not (watches := _read_visible_watches(request, site)):
        return {}
    outbox, jobs = count_mails(), system.read_jobs(site)
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
        waiting_since=Min("created_at", filter=is_waiting),
    )
    return {**counts, "sent_since": since}


def _can_view(request: HttpRequest, site: AdminSite, model: type[Model]) -> bool:
    return bool(site.get_model_admin(model).has_view_permission(request))
