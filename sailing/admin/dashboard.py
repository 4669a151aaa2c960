"""The operations dashboard: charts of new rows, and the state of the outbox, the jobs and the database.

It reads the database alone, so every process shows the same. Each part needs the permission to view the
model that it counts.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min, Model, Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from post_office.models import STATUS, Email

from sailing.admin import system
from sailing.admin.charts import charts
from sailing.models import Job

OVERDUE = timedelta(minutes=10)
"""A mail that has been due for longer means that no sender is running."""


@dataclass(frozen=True)
class OutboxState:
    """The mails by status. `sent`: within 24 hours. `overdue_since`: when the oldest overdue one was due.

    `waiting_since`: when the oldest waiting one was stored.
    """

    waiting: int
    requeued: int
    failed: int
    sent: int
    last_sent_at: datetime | None
    overdue_since: datetime | None
    waiting_since: datetime | None


def is_visible(request: HttpRequest, site: AdminSite) -> bool:
    """Return whether the user may see any part of the dashboard."""
    return any(_can_view(request, site, model) for model in (Email, Job, *charts))


def render(request: HttpRequest, site: AdminSite) -> TemplateResponse:
    """Return the page. Raises PermissionDenied for an admin who may see no part of it."""
    if not is_visible(request, site):
        raise PermissionDenied
    context = {
        **site.each_context(request),
        "title": _("Operations"),
        "charts": [
            {"id": model._meta.model_name, "title": chart.title, "data": chart.draw()}
            for model, chart in charts.items()
            if _can_view(request, site, model)
        ],
        "outbox": count_mails() if _can_view(request, site, Email) else None,
        "statuses": STATUS,
        "jobs": system.read_jobs(site) if _can_view(request, site, Job) else None,
        "system": system.read_system(site) if _can_view(request, site, Job) else None,
    }
    return TemplateResponse(request, "admin/operations.html", context)


def count_mails() -> OutboxState:
    """Count the mails of the outbox in one query."""
    now = timezone.now()
    is_queued, is_requeued = Q(status=STATUS.queued), Q(status=STATUS.requeued)
    counts = Email.objects.annotate(due_at=Coalesce("scheduled_time", "last_updated")).aggregate(
        waiting=Count("pk", filter=is_queued),
        requeued=Count("pk", filter=is_requeued),
        failed=Count("pk", filter=Q(status=STATUS.failed)),
        sent=Count("pk", filter=Q(status=STATUS.sent, last_updated__gte=now - timedelta(days=1))),
        last_sent_at=Max("last_updated", filter=Q(status=STATUS.sent)),
        waiting_since=Min("created", filter=is_queued | is_requeued),
        overdue_since=Min("due_at", filter=(is_queued | is_requeued) & Q(due_at__lt=now - OVERDUE)),
    )
    return OutboxState(**counts)


def _can_view(request: HttpRequest, site: AdminSite, model: type[Model]) -> bool:
    return bool(site._registry[model].has_view_permission(request))
