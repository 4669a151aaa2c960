"""What the pages of imports share."""

from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from newsletter.admin.filters import has_import_permission
from newsletter.imports import uploads
from sailing.admin.lists import StrictListMixin
from sailing.admin.read_only import ReadOnlyMixin


TEMPLATES = "admin/newsletter/imports"


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

        return super().route(pattern, check_permission, name)


def get_user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)
