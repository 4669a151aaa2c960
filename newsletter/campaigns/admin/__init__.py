"""Campaigns in Django admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from newsletter.campaigns.admin.campaign_list import ListPage
from newsletter.campaigns.admin.editor import EditorPages
from newsletter.campaigns.admin.pages import TEMPLATES, describe_results, has_permission
from newsletter.campaigns.admin.pictures import PictureAdmin
from newsletter.campaigns.admin.results import ResultsPages
from newsletter.campaigns.admin.segments import SegmentAdmin
from newsletter.campaigns.admin.sending import SendingPages
from newsletter.campaigns.admin.series import SeriesPages
from newsletter.campaigns.models import STARTED_STATES, Campaign, CampaignState
from newsletter.campaigns.results import annotate_results

__all__ = ["CampaignAdmin", "PictureAdmin", "SegmentAdmin"]

LIMIT = 5
"""Scheduled campaigns on the home page."""


@admin.register(Campaign)
class CampaignAdmin(ListPage, EditorPages, SendingPages, SeriesPages, ResultsPages):
    """Campaigns and the steps of the welcome series, which are campaigns too."""

    home_template = f"{TEMPLATES}/home.html"

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the last campaign that was sent, those under way, and the next scheduled ones."""
        campaigns = Campaign.objects.filter(delay_days=None)
        sent = campaigns.filter(state=CampaignState.SENT)
        last = annotate_results(sent).order_by("-finished_at").first()
        return {
            "last": last,
            **(describe_results(last) if last else {}),
            "under_way": campaigns.filter(state__in=STARTED_STATES),
            "scheduled": campaigns.filter(state=CampaignState.SCHEDULED).order_by("scheduled_at")[:LIMIT],
            "may_add": has_permission(request, "add_campaign"),
        }
