"""Campaigns in Django admin."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.admin.editor import EditorPages
from newsletter.campaigns.admin.pages import TEMPLATES, describe_audience, describe_results
from newsletter.campaigns.admin.pictures import PictureAdmin
from newsletter.campaigns.admin.results import ResultsPages
from newsletter.campaigns.admin.segments import SegmentAdmin
from newsletter.campaigns.admin.sending import SendingPages
from newsletter.campaigns.models import STARTED_STATES, Campaign, CampaignState
from newsletter.campaigns.results import annotate_results
from sailing.admin.lists import format_time

__all__ = ["CampaignAdmin", "PictureAdmin", "SegmentAdmin"]

SCHEDULED_AT_HOME = 5

SHOWN_DATE = Coalesce("finished_at", "started_at", "scheduled_at", "changed_at")


class CampaignList(ChangeList):
    """The list of campaigns with their results. The steps of the welcome series have a page of their own."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Campaign]:
        campaigns = super().get_queryset(request, exclude_parameters)
        return annotate_results(campaigns.filter(delay_days=None))

    def url_for_result(self, result: Any) -> str:
        """Lead to the results of a campaign that has begun; its text can no longer be changed."""
        page = "results" if result.started_at else "change"
        return reverse(f"admin:campaigns_campaign_{page}", args=[result.pk])


@admin.register(Campaign)
class CampaignAdmin(EditorPages, SendingPages, ResultsPages):
    """Campaigns, the newest first, and the steps of the welcome series, which are campaigns too."""

    home_template = f"{TEMPLATES}/home.html"
    change_list_template = f"{TEMPLATES}/change_list.html"
    empty_text = _("Campaigns appear here as soon as you save the first one, and later with their results.")
    list_display = ("name", "state_badge", "when", "audience", "recipients", "click_rate", "unsubscribe_rate")
    number_columns = ("recipients", "click_rate", "unsubscribe_rate")
    list_filter = ("state", "user_type", "created_at")
    search_fields = ("name", "texts__subject")
    search_help_text = _("Name or subject")
    list_select_related = ("segment", "excluded_campaign")
    ordering = (SHOWN_DATE.desc(),)  # type: ignore[assignment]

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the last campaign that was sent, those under way, and the next scheduled ones."""
        campaigns = Campaign.objects.filter(delay_days=None)
        sent = campaigns.filter(state=CampaignState.SENT)
        last = annotate_results(sent).order_by("-finished_at").first()
        scheduled = campaigns.filter(state=CampaignState.SCHEDULED).order_by("scheduled_at")
        return {
            "last": last,
            **(describe_results(last) if last else {}),
            "under_way": campaigns.filter(state__in=STARTED_STATES),
            "scheduled": scheduled[:SCHEDULED_AT_HOME],
            "may_add": self.has_add_permission(request),
        }

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
        if not campaign.waiting and not campaign.sending:
            return intcomma(total)
        values = {"sent": intcomma(campaign.sent), "total": intcomma(total)}
        return gettext("%(sent)s of %(total)s") % values

    @admin.display(description=_("clicks per 100"))
    def click_rate(self, campaign: Any) -> Any:
        return describe_results(campaign)["click_rate"]

    @admin.display(description=_("unsubscribed"))
    def unsubscribe_rate(self, campaign: Any) -> Any:
        return describe_results(campaign)["unsubscribe_rate"]

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
