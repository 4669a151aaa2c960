"""The campaigns of a period, side by side, and the welcome series in it, on the growth page."""

from typing import Any

from django.db.models import Q, Sum
from django.http import HttpRequest
from django.utils.translation import gettext as _

from newsletter.admin.growth import Bounds, section
from newsletter.campaigns.admin.pages import (
    TEMPLATES,
    describe_results,
    format_rate,
    format_share,
    has_permission,
)
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
from sailing.admin.lists import format_time

LIMIT = 50


@section(f"{TEMPLATES}/growth.html")
def describe_sent(request: HttpRequest, bounds: Bounds) -> dict[str, Any] | None:
    """Return the campaigns that were sent in the period, the newest first; None without the permission."""
    if not has_permission(request, "view_campaign_figures"):
        return None
    sent = Campaign.objects.filter(state=CampaignState.SENT, finished_at__range=bounds)
    newest = annotate_results(sent).order_by("-finished_at")[:LIMIT]
    return {
        "id": "campaigns",
        "title": _("Campaigns"),
        "column": _("Campaign"),
        "rows": [
            {
                "campaign": campaign,
                "note": format_time(campaign.finished_at, "DATE_FORMAT"),
                **describe_results(campaign),
            }
            for campaign in newest
        ],
        "empty": _("No campaign was sent in this period."),
    }


@section(f"{TEMPLATES}/growth.html")
def describe_series(request: HttpRequest, bounds: Bounds) -> dict[str, Any] | None:
    """Return what the steps of the welcome series did in the period; None without a step that was ever on."""
    started = Q(delay_days__isnull=False, started_at__isnull=False)
    if not has_permission(request, "view_campaign_figures") or not Campaign.objects.filter(started).exists():
        return None
    return {
        "id": "series",
        "title": _("Welcome series"),
        "column": _("Step"),
        "rows": [
            {"campaign": step, "note": label, **_count_step(step, bounds)}
            for user_type, label in AUDIENCES
            for step in list_steps(user_type).filter(started)
        ],
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
