"""The answer of Django admin to the address of a row that is gone. Django has no public method for it."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class MissingRowMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin that leads from a row that is gone to the list."""

    missing_text = _("This entry no longer exists.")

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponseRedirect:
        """Return to the list. Django returns to the home page, and names the model and the key."""
        self.message_user(request, self.missing_text, messages.WARNING)
        name = f"admin:{opts.app_label}_{opts.model_name}_changelist"
        return HttpResponseRedirect(reverse(name, current_app=self.admin_site.name))
