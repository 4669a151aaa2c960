"""The page "System": what the watches read. Each needs the permission to view its model."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from sailing import __version__, history, status
from sailing.mail import installation
from sailing.mail.models import Installation


def is_visible(request: HttpRequest) -> bool:
    """Return whether the admin may open the page: who may view jobs or the outbox."""
    return _can_view(request, "jobs.Job") or _can_view(request, "mail.OutboxEmail")


def list_problems(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what is wrong, with the address of the list where it can be seen."""
    return [
        (str(reading.watch.problem), _get_list_url(reading.watch.model))
        for reading in status.find_problems()
        if _can_view(request, reading.watch.model)
    ]


def show(request: HttpRequest) -> TemplateResponse:
    if not is_visible(request):
        raise PermissionDenied
    common = admin.site.each_context(request)
    readings = status.read(each for each in status.watches if _can_view(request, each.model))
    rows = [(reading, _get_list_url(reading.watch.model)) for reading in readings]
    checks = [row for row in rows if row[0].watch.limit is not None]
    context = {
        **common,
        "title": _("System"),
        "problems": [row for row in checks if row[0].is_problem],
        "passed": [row for row in checks if not row[0].is_problem],
        "numbers": [row for row in rows if row[0].watch.limit is None],
        "version": __version__,
        "may_resume": common["is_copy"] and request.user.is_superuser,
    }
    return TemplateResponse(request, "admin/system.html", context)


def end_restored_work(request: HttpRequest) -> HttpResponse:
    """Do what `manage.py after_restore` does, by POST."""
    if not request.user.is_superuser:
        raise PermissionDenied
    if request.method == "POST" and installation.is_copy():
        report = installation.stop_restored_work()
        text = gettext_noop("Ended the work that waited in the backup.")
        history.record(request.user, Installation, _("System"), text)
        messages.success(request, _("The site sends emails from this database."))
        for label, count in report:
            messages.info(request, f"{label}: {count}")
    return redirect("admin:system")


def _can_view(request: HttpRequest, model: str) -> bool:
    user: Any = request.user
    return bool(user.has_perm(model.lower().replace(".", ".view_")))


def _get_list_url(model: str) -> str:
    return reverse(f"admin:{model.lower().replace('.', '_')}_changelist")
