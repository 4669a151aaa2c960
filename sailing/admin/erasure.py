"""Erase persons in Django admin (GDPR article 17)."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from sailing.admin.pages import SailingModelAdmin
from sailing.mail.mailboxes import find_suppressed
from sailing.privacy import erasure

DELETE_ONLY = "delete-only"

# There is no bulk action, because it cannot be undone.
admin.site.disable_action("delete_selected")


class ErasableModelAdmin(SailingModelAdmin):
    """A ModelAdmin that erases one person at a time, by a page that lists what is erased and what is kept."""

    delete_confirmation_template = "admin/erasure.html"

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, {"title": _("Erase")})
        except erasure.ErasureRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return self.redirect("change", object_id)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return all rows that are erased. Rows of another app need its delete permission too."""
        rows = [row for obj in objs for row in erasure.plan_erasure(obj).erased]
        forbidden = {str(row._meta.verbose_name) for row in rows if not self._may(request, "delete", row)}
        return [str(row) for row in rows], {}, forbidden, []

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        plan = erasure.plan_erasure(context["object"])
        context |= {
            "is_suppressed": bool(find_suppressed([context["object"].email])),
            "delete_only": DELETE_ONLY,
            "erased_rows": [self._describe(request, row) for row in plan.erased],
            "kept_rows": [self._describe(request, row) for row in plan.kept],
        }
        return super().render_delete_form(request, context)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        others = [row for row in erasure.plan_erasure(obj).erased if row != obj]
        LogEntry.objects.log_actions(str(request.user.pk), others, DELETION)
        erasure.erase_person(obj, suppresses=request.POST.get("suppression") != DELETE_ONLY)

    def _describe(self, request: HttpRequest, row: Model) -> dict[str, Any]:
        name = f"admin:{row._meta.label_lower.replace('.', '_')}_change"
        return {
            "kind": row._meta.verbose_name,
            "name": str(row),
            "contents": erasure.registered[type(row)].contents,
            "url": reverse(name, args=[row.pk]) if self._may(request, "view", row) else "",
        }

    def _may(self, request: HttpRequest, action: str, row: Model) -> bool:
        """Return whether the admin may do something with a row of any erasable model."""
        model_admin = self.admin_site.get_model_admin(type(row))
        return bool(getattr(model_admin, f"has_{action}_permission")(request, row))
