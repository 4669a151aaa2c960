"""Campaigns in Django admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from newsletter.campaigns.admin.blocks import BlockAdmin
from newsletter.campaigns.admin.campaign_list import ListPage
from newsletter.campaigns.admin.editor import EditorPages
from newsletter.campaigns.admin.figures import FiguresPages
from newsletter.campaigns.admin.home import describe_campaigns
from newsletter.campaigns.admin.pages import TEMPLATES
from newsletter.campaigns.admin.pictures import PictureAdmin
from newsletter.campaigns.admin.segments import SegmentAdmin
from newsletter.campaigns.admin.sending import SendingPages
from newsletter.campaigns.admin.series import SeriesPages
from newsletter.campaigns.models import Campaign
from sailing.admin.lists import StrictListMixin

__all__ = ["BlockAdmin", "CampaignAdmin", "PictureAdmin", "SegmentAdmin"]


@admin.register(Campaign)
class CampaignAdmin(ListPage, EditorPages, SendingPages, SeriesPages, FiguresPages, StrictListMixin):
    """Campaigns: write, check and test them (editor), send them (sending), read the results (figures).

    And the welcome series, whose steps are campaigns (series).
    """

    home_template = f"{TEMPLATES}/home.html"

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        return describe_campaigns(request)
