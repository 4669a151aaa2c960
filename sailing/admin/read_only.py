"""Pages of Django admin that nobody can change."""

from typing import Any

from django.http import HttpRequest


class ReadOnlyMixin:
    """A ModelAdmin whose rows are only shown."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
