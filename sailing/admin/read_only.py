"""Pages and tables of Django admin that nobody can change."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ReadOnlyMixin:
    """A ModelAdmin, or an inline, whose rows are only shown."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]
    """A read-only table, visible to everybody who may view the page."""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True
