"""Campaigns in Django admin."""

from django.contrib import admin

from newsletter.campaigns.admin.editor import EditorPages
from newsletter.campaigns.admin.figures import FiguresPages
from newsletter.campaigns.admin.sending import SendingPages
from newsletter.campaigns.models import Campaign
from sailing.admin.lists import StrictListMixin


@admin.register(Campaign)
class CampaignAdmin(EditorPages, SendingPages, FiguresPages, StrictListMixin):
    """Campaigns: write, check and test them (editor), send them (sending), read the results (figures)."""
