"""Erase persons in Django admin (GDPR article 17)."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from sailing.admin import suppression
from sailing.mail.mailboxes import find_suppressed
from sailing.privacy import erasure

DELETE_ONLY = "delete-only"


class ErasableModelAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin that erases one person at a time. There is no bulk action, because it cannot be undone.

    The confirmation page lists the rows that are erased, and those with the same address that are kept. It
    asks whether the address goes to the suppression list.
    """

    delete_confirmation_template = "admin/erasure.html"

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, {"title": _("Erase"), **(extra_context or {})})
        except erasure.ErasureRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
            return HttpResponseRedirect(reverse(name, args=[object_id]))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Return all rows that are erased. Rows of another app need its delete permission too."""
        rows = [row for obj in objs for row in erasure.plan_erasure(obj).erased]
        forbidden = {str(row._meta.verbose_name) for row in rows if not self._may(request, "delete", row)}
        return [str(row) for row in rows], {}, forbidden, []

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        plan = erasure.plan_erasure(context["object"])
        rows = {
            "is_suppressed": bool(find_suppressed([context["object"].email])),
            "may_see_suppression": suppression.is_visible(request, self.admin_site),
            "delete_only": DELETE_ONLY,
            "erased_rows": [self._describe(request, row) for row in plan.erased],
            "kept_rows": [self._describe(request, row) for row in plan.kept],
        }
        return super().render_delete_form(request, {**context, **rows})

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        others = [row for row in erasure.plan_erasure(obj).erased if row != obj]
        if others:
            LogEntry.objects.log_actions(str(request.user.pk), others, DELETION)
        erasure.erase_person(obj, suppresses=request.POST.get("suppression") != DELETE_ONLY)

    def _describe(self, request: HttpRequest, row: Model) -> dict[str, Any]:
        options = row._meta
        name = f"admin:{options.app_label}_{options.model_name}_change"
        return {
            "kind": options.verbose_name,
            "name": str(row),
            "contents": erasure.registered[type(row)].contents,
            "url": reverse(name, args=[row.pk]) if self._may(request, "view", row) else "",
        }

    def _may(self, request: HttpRequest, action: str, row: Model) -> bool:
        """Return whether the admin may do something with a row of any erasable model."""
        model_admin = self.admin_site.get_model_admin(type(row))
        return bool(getattr(model_admin, f"has_{action}_permission")(request, row))
