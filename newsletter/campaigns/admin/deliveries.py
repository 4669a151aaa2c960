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
        campaign, state = delivery.campaign, DeliveryState(delivery.state)
        label, badge = delivery.get_skip_reason_display() or state.label, DELIVERY_BADGES[state]
        if state == DeliveryState.UNKNOWN:
            label = _("may have arrived")
        elif state == DeliveryState.WAITING and campaign.finished_at:
            label, badge = _("not sent, because it was canceled"), "off"
        answers = {
            _("bounced"): delivery.bounced_at,
            _("complained"): delivery.complained_at,
            _("unsubscribed"): delivery.unsubscribed_at,
        }
        yield Entry(
            delivery.ended_at or campaign.finished_at or delivery.next_attempt_at,
            _("Campaign “%(name)s”") % {"name": campaign},
            (str(label), *(answer for answer, at in answers.items() if at)),
            badge,
            reverse("admin:campaigns_campaign_results", args=[campaign.pk]),
        )


def render_delivery_badge(delivery: Delivery) -> str:
    state = DeliveryState(delivery.state)
    return render_badge(DELIVERY_BADGES[state], state.label)
