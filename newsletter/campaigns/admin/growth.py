"""The campaigns of a period, side by side, on the growth page."""

from datetime import date, datetime, time
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from newsletter.admin.growth import Section, sections
from newsletter.campaigns.admin.pages import TEMPLATES, format_rate, format_share, has_permission
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results

LIMIT = 50


def describe_sent(request: HttpRequest, first: date, last: date) -> dict[str, Any] | None:
    """Return the campaigns that were sent in the period, the newest first; None without the permission."""
    if not has_permission(request, "view_campaign_figures"):
        return None
    bounds = [
        timezone.make_aware(datetime.combine(day, at)) for day, at in ((first, time.min), (last, time.max))
    ]
    sent = Campaign.objects.filter(state=CampaignState.SENT, finished_at__range=bounds)
    return {
        "campaigns": [
            {
                "campaign": campaign,
                "sent": campaign.sent,
                "click_rate": format_rate(campaign.click_rate),
                "unsubscribe_rate": format_share(campaign.unsubscribe_rate),
            }
            for campaign in annotate_results(sent).order_by("-finished_at")[:LIMIT]
        ]
    }


sections.append(Section(f"{TEMPLATES}/growth.html", describe_sent))
