"""The campaigns of a period, side by side, and the welcome series in it, on the growth page."""

from typing import Any

from django.db.models import Q, Sum
from django.http import HttpRequest

from newsletter.admin.growth import Bounds, section
from newsletter.campaigns.admin.pages import TEMPLATES, format_rate, format_share, has_permission
from newsletter.campaigns.models import (
    HAS_FEEDBACK,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    LinkClicks,
)
from newsletter.campaigns.results import annotate_results
from newsletter.campaigns.series import list_steps
from newsletter.models import AUDIENCES

LIMIT = 50


@section(f"{TEMPLATES}/growth.html")
def describe_sent(request: HttpRequest, bounds: Bounds) -> dict[str, Any] | None:
    """Return the campaigns that were sent in the period, the newest first; None without the permission."""
    if not has_permission(request, "view_campaign_figures"):
        return None
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


@section(f"{TEMPLATES}/growth_series.html")
def describe_series(request: HttpRequest, bounds: Bounds) -> dict[str, Any] | None:
    """Return what the steps of the welcome series did in the period; None without a step that was ever on."""
    started = Q(delay_days__isnull=False, started_at__isnull=False)
    if not has_permission(request, "view_campaign_figures") or not Campaign.objects.filter(started).exists():
        return None
    return {
        "steps": [
            {"campaign": step, "audience": label, **_count_step(step, bounds)}
            for user_type, label in AUDIENCES
            for step in list_steps(user_type).filter(started)
        ]
    }


def _count_step(step: Campaign, bounds: Bounds) -> dict[str, Any]:
    deliveries = Delivery.objects.filter(campaign=step)
    sent = deliveries.filter(state=DeliveryState.SENT, ended_at__range=bounds).count()
    unsubscribed = deliveries.filter(HAS_FEEDBACK, unsubscribed_at__range=bounds).count()
    clicks = LinkClicks.objects.filter(link__campaign=step, hour__range=bounds).aggregate(sum=Sum("count"))
    return {
        "sent": sent,
        "click_rate": format_rate((clicks["sum"] or 0) * 100 / sent if sent else None),
        "unsubscribe_rate": format_share(unsubscribed * 100 / sent if sent else None),
    }
