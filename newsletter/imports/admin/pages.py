"""What the pages of imports share."""

from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from newsletter.admin.filters import has_import_permission
from newsletter.imports import uploads
from sailing.admin.lists import StrictListMixin
from sailing.admin.read_only import ReadOnlyMixin


class ImportPages(ReadOnlyMixin, StrictListMixin):
    """Base of the pages of imports. All need the permission to import."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_import_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_import_permission(request)

    def has_confirm_permission(self, request: HttpRequest) -> bool:
        """Return whether the admin may import people as confirmed, without asking them."""
        user: Any = request.user
        return bool(user.has_perm(uploads.CONFIRM_PERMISSION))

    def route(self, pattern: str, view: Any, name: str) -> Any:
        """Return the route to a page of this admin."""

        @wraps(view)
        def check_permission(request: HttpRequest, **arguments: Any) -> Any:
            if not has_import_permission(request):
                raise PermissionDenied
            return view(request, **arguments)

        return path(pattern, self.admin_site.admin_view(check_permission), name=f"imports_importbatch_{name}")

    def show(self, request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
        """Return a page of imports."""
        request.current_app = self.admin_site.name
        common = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, f"admin/newsletter/imports/{template}.html", {**common, **context})


def redirect_to(name: str, *arguments: Any) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(f"admin:imports_importbatch_{name}", args=arguments))


def get_user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)
