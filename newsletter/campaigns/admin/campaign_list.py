"""The list of campaigns."""

from typing import Any

from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.admin.audience import describe_audience
from newsletter.campaigns.admin.pages import CampaignPages, describe_results
from newsletter.campaigns.models import Campaign
from newsletter.campaigns.results import annotate_results
from sailing.admin.lists import StrictChangeList, format_time, render_number

SHOWN_DATE = Coalesce("finished_at", "started_at", "scheduled_at", "changed_at")


class CampaignList(StrictChangeList):
    """The list of campaigns with their results. The steps of the welcome series have a page of their own."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Campaign]:
        campaigns = super().get_queryset(request, exclude_parameters)
        return annotate_results(campaigns.filter(delay_days=None))

    def url_for_result(self, result: Any) -> str:
        """Lead to the results of a campaign that has begun; its text can no longer be changed."""
        if result.started_at:
            return reverse("admin:campaigns_campaign_results", args=[result.pk])
        url: str = super().url_for_result(result)
        return url


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

    @admin.display(description=_("audience"))
    def audience(self, campaign: Campaign) -> str:
        return describe_audience(campaign)

    @admin.display(description=_("recipients"), ordering="recipient_count")
    def recipients(self, campaign: Any) -> str | None:
        """Return the number of recipients once they are added, and until all are done, how many were sent."""
        total = campaign.recipient_count
        if not total:
            return None
        number = intcomma(total)
        if not campaign.waiting and not campaign.sending:
            return render_number(number, ngettext("recipient", "recipients", total))
        values = {"sent": intcomma(campaign.sent), "total": number}
        return render_number(gettext("%(sent)s of %(total)s") % values, gettext("sent"))

    @admin.display(description=_("clicks per 100"))
    def click_rate(self, campaign: Any) -> str | None:
        return render_number(describe_results(campaign)["click_rate"], gettext("clicks per 100"))

    @admin.display(description=_("unsubscribed"))
    def unsubscribe_rate(self, campaign: Any) -> str | None:
        return render_number(describe_results(campaign)["unsubscribe_rate"], gettext("unsubscribed"))

    @admin.display(description=_("date"), ordering=SHOWN_DATE)
    def when(self, campaign: Campaign) -> str:
        if campaign.finished_at:
            return format_time(campaign.finished_at)
        if campaign.started_at:
            text, at = gettext("started %(date)s"), campaign.started_at
        elif campaign.scheduled_at:
            text, at = gettext("for %(date)s"), campaign.scheduled_at
        else:
            text, at = gettext("changed %(date)s"), campaign.changed_at
        return text % {"date": format_time(at)}
