"""The operator's page in Django admin: who came, which mails wait or failed, what went wrong lately.

It reads the database alone, so it tells the same whichever process answers. Each part is for those who
may see what it counts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, Min, Model, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from post_office.models import STATUS, Email, Log

from sailing.admin.charts import Chart
from sailing.models import Failure

SHOWN = 20
"""Failures, and failed mails, that the page lists."""

OVERDUE = timedelta(minutes=10)
"""A mail that has been due for so long says that no sender is at work."""


@dataclass(frozen=True)
class Daily:
    """Something that is counted by the day, and the model whose list shows it row by row."""

    title: Any
    model: type[Model]
    draw: Callable[[], Chart]


@dataclass(frozen=True)
class Mails:
    """The state of the outbox. `overdue_since`: when the oldest was due that should have gone out by now."""

    waiting: int
    requeued: int
    failed: int
    sent: int
    last_sent_at: datetime | None
    overdue_since: datetime | None
    last_failed: list[Email]


_daily: list[Daily] = []


def show_daily(title: Any, model: type[Model], draw: Callable[[], Chart]) -> None:
    """Add a chart of an app's own to the page. For the app's `ready`."""
    _daily.append(Daily(title, model, draw))


def may_look(request: HttpRequest, site: AdminSite) -> bool:
    """Whether any part of the page is for who asks."""
    models = [Email, *(daily.model for daily in _daily)]
    return _may_see_failures(request) or any(_may_see(request, site, model) for model in models)


def page(request: HttpRequest, site: AdminSite) -> TemplateResponse:
    """The page. Raises PermissionDenied for an admin of whom none of it is any business."""
    if not may_look(request, site):
        raise PermissionDenied
    context = {
        **site.each_context(request),
        "title": _("Operations"),
        "charts": [
            {"title": daily.title, "options": daily.model._meta, "chart": daily.draw()}
            for daily in _daily
            if _may_see(request, site, daily.model)
        ],
        "mails": mails() if _may_see(request, site, Email) else None,
        "statuses": STATUS,
        "may_see_failures": _may_see_failures(request),
        "failures": last_failures() if _may_see_failures(request) else [],
    }
    return TemplateResponse(request, "admin/operations.html", context)


def mails() -> Mails:
    """What the outbox holds: counted in one query, the last failed ones in another."""
    now = timezone.now()
    due = {"status__in": [STATUS.queued, STATUS.requeued], "due_at__lt": now - OVERDUE}
    counts = Email.objects.annotate(due_at=Coalesce("scheduled_time", "last_updated")).aggregate(
        waiting=Count("pk", filter=Q(status=STATUS.queued)),
        requeued=Count("pk", filter=Q(status=STATUS.requeued)),
        failed=Count("pk", filter=Q(status=STATUS.failed)),
        sent=Count("pk", filter=Q(status=STATUS.sent, last_updated__gte=now - timedelta(days=1))),
        last_sent_at=Max("last_updated", filter=Q(status=STATUS.sent)),
        overdue_since=Min("due_at", filter=Q(**due)),
    )
    error = Log.objects.filter(email=OuterRef("pk"), status=STATUS.failed).order_by("-date", "-pk")
    failed = (
        Email.objects.filter(status=STATUS.failed)
        .only("subject", "last_updated")
        .annotate(kind=Subquery(error.values("exception_type")[:1]))
        .order_by("-last_updated")
    )
    return Mails(**counts, last_failed=list(failed[:SHOWN]))


def last_failures() -> list[Failure]:
    """What went wrong, the latest first."""
    return list(Failure.objects.order_by("-last_at", "-pk")[:SHOWN])


def _may_see(request: HttpRequest, site: AdminSite, model: type[Model]) -> bool:
    return bool(site._registry[model].has_view_permission(request))


def _may_see_failures(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("sailing.view_failure"))
