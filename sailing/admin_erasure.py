"""Erasing a person in Django admin (GDPR article 17)."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.http import HttpRequest


class ErasureMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """For a ModelAdmin of people: erased one page at a time, for what goes with them does not come back.

    Whoever is erased leaves no address behind in the admin's history either.
    """

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        entries = LogEntry.objects.filter(content_type=get_content_type_for_model(obj), object_id=str(obj.pk))
        entries.update(object_repr=str(obj.pk))
        super().delete_model(request, obj)
