"""Early access and milestones in Django admin. No page shows who came through whose link."""

from typing import Any

from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from newsletter.admin import list_names
from newsletter.invitations.models import Inviter, Milestone
from newsletter.invitations.services import find_inviters
from sailing.admin.exports import ExportMixin
from sailing.admin.lists import format_time
from sailing.admin.pages import ReadOnlyMixin, SailingModelAdmin

EXAMPLES = {"name_en": "early access in the first wave", "name_cs": "přednostní přístup v první vlně"}
"""A reward, for example, in the language of each field."""


@admin.register(Inviter)
class InviterAdmin(ReadOnlyMixin, ExportMixin):
    """The order of early access: those through whose link most people came, then those who joined first."""

    empty_text = _("Subscribers appear here once somebody whom they invited counts.")
    intro = _("Ranked by how many people joined through their link, then by who joined first.")
    list_display = ("subscriber", "people", "joined")
    list_display_links = None
    number_columns = ("people",)
    list_filter = ("user_type", "language")
    search_fields = ("email",)
    search_help_text = _("Address")
    export_fields = ("email", "first_name", "user_type", "language", "counted", "confirmed_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return find_inviters()

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("-counted", "confirmed_at")

    @admin.display(description=_("subscriber"))
    def subscriber(self, inviter: Inviter) -> str:
        url = reverse("admin:newsletter_subscription_change", args=[inviter.pk])
        return format_html('<a href="{}">{}</a>', url, inviter.email)

    @admin.display(description=_("joined through their link"), ordering="counted")
    def people(self, inviter: Any) -> str | None:
        return intcomma(inviter.counted)

    @admin.display(description=_("joined"), ordering="confirmed_at")
    def joined(self, inviter: Inviter) -> str:
        return format_time(inviter.confirmed_at or inviter.created_at)


@admin.register(Milestone)
class MilestoneAdmin(SailingModelAdmin):
    """The rewards for a number of invitations."""

    add_label = _("Add a milestone")
    intro = _(
        "Subscribers see milestones beside their link, and reach one when that many people have joined"
        " through it."
    )
    change_form_template = "admin/newsletter/shared_change_form.html"

    def get_list_display(self, request: HttpRequest) -> Any:
        return ["people", *list_names()]

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in EXAMPLES:
            kwargs["help_text"] = _("For example: %(text)s") % {"text": EXAMPLES[db_field.name]}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description=_("number of people"), ordering="threshold")
    def people(self, milestone: Milestone) -> str:
        return str(milestone)
