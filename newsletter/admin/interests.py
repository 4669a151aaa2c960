"""The interests that readers can choose."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from newsletter.models import Interest, Subscription
from sailing.admin.lists import StrictListMixin, render_badge


def list_names() -> list[str]:
    """Return the columns of a name in both languages, that of the page first: it leads to the row."""
    return ["name_cs", "name_en"] if get_language() == "cs" else ["name_en", "name_cs"]


@admin.register(Interest)
class InterestAdmin(StrictListMixin):
    """The interests. One that readers have chosen, or that a segment uses, is retired instead of deleted."""

    parent_model = Subscription
    add_label = _("Add an interest")
    intro = _(
        "What readers can be interested in. They choose after confirming and in their preferences, never when"
        " they sign up. Segments use it."
    )
    empty_text = _("Readers are asked for their interests once you add some.")
    fields = ("name_en", "name_cs", "position", "is_offered")
    change_list_template = "admin/newsletter/shared_change_list.html"
    change_form_template = "admin/newsletter/shared_change_form.html"
    actions = None

    def get_list_display(self, request: HttpRequest) -> Any:
        return [*list_names(), "position", "state_badge"]

    @admin.display(description=_("state"), ordering="is_offered")
    def state_badge(self, interest: Interest) -> str:
        if interest.is_offered:
            return render_badge("good", _("Offered"))
        return render_badge("off", _("Retired"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Without it, a segment would have more readers than its admin meant.
        is_unused = obj is None or not (obj.subscriptions.exists() or obj.segments.exists())
        return is_unused and super().has_delete_permission(request, obj)
