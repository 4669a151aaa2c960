"""The page "System": what is wrong with the site, and the numbers of states. It shows what the watches read.

Each watch needs the permission to view its model.
"""

from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from sailing import __version__, status
from sailing.admin.lists import StrictListMixin
from sailing.mail import installation

SYSTEM_MODELS = ("jobs.Job", "mail.OutboxEmail")
"""Who may view one of them may open the page."""


class SystemListMixin(StrictListMixin):
    """A list that belongs to the page."""

    def get_parent(self, request: HttpRequest) -> tuple[str, Any] | None:
        return (reverse("admin:system"), _("System")) if is_visible(request, self.admin_site) else None


def is_visible(request: HttpRequest, site: AdminSite) -> bool:
    """Return whether the user may open the page."""
    return any(_can_view(request, site, model) for model in SYSTEM_MODELS)


def list_problems(request: HttpRequest, site: AdminSite) -> list[tuple[str, str]]:
    """Return what is wrong, with the address of the list where it can be seen."""
    return [
        (str(reading.watch.problem), _get_list_url(reading.watch.model))
        for reading in status.find_problems()
        if _can_view(request, site, reading.watch.model)
    ]


def render(request: HttpRequest, site: AdminSite) -> TemplateResponse:
    """Return the page. Raises PermissionDenied for an admin who may not open it."""
    if not is_visible(request, site):
        raise PermissionDenied
    common = site.each_context(request)
    readings = status.read(each for each in status.watches if _can_view(request, site, each.model))
    rows = [(reading, _get_list_url(reading.watch.model)) for reading in readings]
    may_resume = common["is_copy"] and request.user.is_superuser
    context = {
        **common,
        "title": _("System"),
        "health": [row for row in rows if row[0].watch.limit is not None],
        "numbers": [row for row in rows if row[0].watch.limit is None],
        "version": __version__,
        "restored_work": installation.stop_restored_work(is_trial=True) if may_resume else None,
    }
    return TemplateResponse(request, "admin/system.html", context)


def _can_view(request: HttpRequest, site: AdminSite, model: str) -> bool:
    return bool(site.get_model_admin(apps.get_model(model)).has_view_permission(request))


def _get_list_url(model: str) -> str:
    return reverse(f"admin:{model.lower().replace('.', '_')}_changelist")
