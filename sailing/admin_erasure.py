"""Erasing a person in Django admin (GDPR article 17)."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from sailing.erasure import erase


class ErasureMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """For a ModelAdmin of people: erased one page at a time, for what goes with them does not come back.

    Whoever is erased leaves no address behind, in mails and in the admin's history neither.
    """

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        erase(type(obj), [obj.pk])
