"""The campaigns on the home page of Django admin."""

from typing import Any

from django.http import HttpRequest

from newsletter.campaigns.admin.pages import describe_results, has_permission
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results

LIMIT = 5
"""Scheduled campaigns."""


def describe_campaigns(request: HttpRequest) -> dict[str, Any]:
    """Return the last campaign that was sent, those under way, and the next scheduled ones."""
    campaigns = Campaign.objects.filter(delay_days=None)
    sent = campaigns.filter(state=CampaignState.SENT)
    may_view_figures = has_permission(request, "view_campaign_figures")
    last = (annotate_results(sent) if may_view_figures else sent).order_by("-finished_at").first()
    return {
        "last": last,
        **(describe_results(last) if last and may_view_figures else {}),
        "under_way": campaigns.filter(state__in=(CampaignState.SENDING, CampaignState.PAUSED)),
        "scheduled": campaigns.filter(state=CampaignState.SCHEDULED).order_by("scheduled_at")[:LIMIT],
        "may_view_figures": may_view_figures,
        "may_add": has_permission(request, "add_campaign"),
    }
