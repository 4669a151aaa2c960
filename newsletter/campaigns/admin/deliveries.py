"""The campaigns of a subscriber, in the subscriber's history."""

from collections.abc import Iterator

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from newsletter.campaigns.models import Campaign, Delivery, DeliveryState
from newsletter.models import Subscription
from sailing.admin import row_page
from sailing.admin.lists import render_badge
from sailing.admin.row_page import Entry

DELIVERY_BADGES = {
    DeliveryState.WAITING: "waiting",
    DeliveryState.SENDING: "waiting",
    DeliveryState.SENT: "good",
    DeliveryState.SKIPPED: "off",
    DeliveryState.FAILED: "bad",
    DeliveryState.UNKNOWN: "waiting",
}


def list_deliveries(request: HttpRequest, subscription: Subscription) -> Iterator[Entry]:
    """Yield the newest campaigns of a subscriber, each with what happened because of it."""
    if not admin.site.get_model_admin(Campaign).has_view_permission(request):
        return
    deliveries = Delivery.objects.filter(subscription=subscription).select_related("campaign")
    for delivery in deliveries.order_by("-pk")[: row_page.SHOWN_ENTRIES]:
        answers = {
            _("bounced"): delivery.bounced_at,
            _("complained"): delivery.complained_at,
            _("unsubscribed"): delivery.unsubscribed_at,
        }
        is_left = delivery.state == DeliveryState.WAITING and delivery.campaign.finished_at is not None
        yield Entry(
            delivery.ended_at or delivery.campaign.finished_at or delivery.next_attempt_at,
            _("Campaign “%(name)s”") % {"name": delivery.campaign},
            (
                _("not sent, because it was canceled") if is_left else _get_history_label(delivery),
                *(label for label, at in answers.items() if at),
            ),
            "off" if is_left else DELIVERY_BADGES[DeliveryState(delivery.state)],
            reverse("admin:campaigns_campaign_progress", args=[delivery.campaign_id]),
        )


def get_delivery_label(delivery: Delivery) -> str:
    """Return the state of a delivery, or why it was skipped."""
    if delivery.skip_reason:
        return delivery.get_skip_reason_display()
    return str(DeliveryState(delivery.state).label)


def _get_history_label(delivery: Delivery) -> str:
    """Return what a subscriber's history says. Beside a campaign's name, "unknown" would say too little."""
    if delivery.state == DeliveryState.UNKNOWN:
        return _("may have arrived")
    return get_delivery_label(delivery)


def render_delivery_badge(delivery: Delivery) -> str:
    return render_badge(DELIVERY_BADGES[DeliveryState(delivery.state)], get_delivery_label(delivery))
