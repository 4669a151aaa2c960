"""The page "System": what the watches read. Each needs the permission to view its model."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from sailing import __version__, history, status
from sailing.admin.lists import find_model_admin
from sailing.mail import installation
from sailing.mail.models import Installation


def is_visible(request: HttpRequest) -> bool:
    """Return whether the admin may open the page: who may view jobs or the outbox."""
    return bool({"jobs.Job", "mail.OutboxEmail"} & _find_visible(request).keys())


def list_problems(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what is wrong, with the address of the list where it can be seen."""
    visible = _find_visible(request)
    return [
        (str(reading.watch.problem), visible[reading.watch.model])
        for reading in status.find_problems()
        if reading.watch.model in visible
    ]


def show(request: HttpRequest) -> TemplateResponse:
    common, visible = admin.site.each_context(request), _find_visible(request)
    if not common["has_system"]:
        raise PermissionDenied
    shown = [each for each in status.watches if each.is_on_system_page and each.model in visible]
    rows = [(reading, visible[reading.watch.model]) for reading in status.read(shown)]
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


def _find_visible(request: HttpRequest) -> dict[str, str]:
    """Return the addresses of the lists that the admin may view, by the models of the watches."""
    admins = {each.model: find_model_admin(each.model) for each in status.watches}
    return {
        model: found.get_url("changelist")
        for model, found in admins.items()
        if found.has_view_permission(request)
    }
