"""The list of campaigns."""

from typing import Any

from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Case, QuerySet, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.admin.audience import describe_audience
from newsletter.campaigns.admin.history import describe_pause
from newsletter.campaigns.admin.pages import CampaignPages, format_rate, format_share, has_permission
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results
from sailing.admin.lists import StrictChangeList, format_time, render_number

RATES = ("click_rate", "unsubscribe_rate")
"""Columns of the list. They need the permission to view figures."""

SHOWN_DATE = Case(
    When(state=CampaignState.PAUSED, then="changed_at"),
    default=Coalesce("finished_at", "started_at", "scheduled_at", "changed_at"),
)
"""The date that says most about the state."""


class CampaignList(StrictChangeList):
    """The list of campaigns with their results. The steps of the welcome series have a page of their own."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Campaign]:
        self.root_queryset = annotate_results(self.root_queryset.filter(delay_days=None))
        campaigns: QuerySet[Campaign] = super().get_queryset(request, exclude_parameters)
        return campaigns


class ListPage(CampaignPages):
    """The list of campaigns, the newest first."""

    change_list_template = "admin/newsletter/shared_change_list.html"
    empty_text = _("Campaigns appear here as soon as you save the first one, and later with their results.")
    list_display = ("name", "state_badge", "when", "audience", "recipients", "click_rate", "unsubscribe_rate")
    list_filter = ("state", "user_type", "created_at")
    search_fields = ("name", "texts__subject")
    search_help_text = _("Part of a name or a subject")
    list_select_related = ("segment", "excluded_campaign")
    empty_value_display = "–"
    ordering = (SHOWN_DATE.desc(),)  # type: ignore[assignment]
    actions = None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[CampaignList]:
        return CampaignList

    def get_list_display(self, request: HttpRequest) -> Any:
        may_view_figures = has_permission(request, "view_campaign_figures")
        return [name for name in self.list_display if may_view_figures or name not in RATES]

    @admin.display(description=_("audience"))
    def audience(self, campaign: Campaign) -> str:
        return describe_audience(campaign)

    @admin.display(description=_("recipients"), ordering="recipient_count")
    def recipients(self, campaign: Any) -> str | None:
        """Return the number of recipients once they are added, and until all are done, how many were sent."""
        total = campaign.recipient_count
        if total is None:
            return None
        number = intcomma(total)
        if campaign.ended == total:
            return render_number(number, ngettext("recipient", "recipients", total))
        values = {"sent": intcomma(campaign.sent), "total": number}
        return render_number(gettext("%(sent)s of %(total)s") % values, gettext("sent"))

    @admin.display(description=_("clicks per 100"), ordering="click_rate")
    def click_rate(self, campaign: Any) -> str | None:
        return render_number(format_rate(campaign.click_rate), gettext("clicks per 100"))

    @admin.display(description=_("unsubscribed"), ordering="unsubscribe_rate")
    def unsubscribe_rate(self, campaign: Any) -> str | None:
        return render_number(format_share(campaign.unsubscribe_rate), gettext("unsubscribed"))

    @admin.display(description=_("date"), ordering=SHOWN_DATE)
    def when(self, campaign: Campaign) -> str:
        """Return SHOWN_DATE in words. Each paused campaign needs a query."""
        if campaign.state == CampaignState.PAUSED and (pause := describe_pause(campaign)):
            return pause
        if campaign.finished_at:
            return format_time(campaign.finished_at)
        if campaign.started_at:
            text = gettext("started %(date)s")
            return text % {"date": format_time(campaign.started_at)}
        if campaign.scheduled_at:
            text = gettext("for %(date)s")
            return text % {"date": format_time(campaign.scheduled_at)}
        return gettext("changed %(date)s") % {"date": format_time(campaign.changed_at)}
