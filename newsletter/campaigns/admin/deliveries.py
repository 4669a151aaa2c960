"""The campaigns that a subscriber got, on the subscriber's page."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter.admin import SubscriptionAdmin
from newsletter.campaigns.models import Campaign, Delivery, DeliveryState
from sailing.admin.lists import render_badge
from sailing.admin.read_only import ReadOnlyInline

RECENT_CAMPAIGNS = 20

DELIVERY_BADGES = {
    DeliveryState.WAITING: "waiting",
    DeliveryState.SENDING: "waiting",
    DeliveryState.SENT: "good",
    DeliveryState.SKIPPED: "off",
    DeliveryState.FAILED: "bad",
    DeliveryState.UNKNOWN: "waiting",
}


class NewestDeliveries(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    """The newest deliveries to a subscriber."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows: Any = self.queryset
        self.queryset = rows[:RECENT_CAMPAIGNS]


class ReceivedCampaigns(ReadOnlyInline):
    """The newest campaigns that a subscriber got, on the subscriber's page."""

    model = Delivery
    formset = NewestDeliveries
    ordering = ("-pk",)
    fields = readonly_fields = ("campaign_link", "state_badge", "ended_at", "answer")
    verbose_name_plural = gettext_lazy("Campaigns")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.get_model_admin(Campaign).has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("campaign")

    @admin.display(description=gettext_lazy("campaign"))
    def campaign_link(self, delivery: Delivery) -> str:
        url = reverse("admin:campaigns_campaign_progress", args=[delivery.campaign_id])
        return format_html('<a href="{}">{}</a>', url, delivery.campaign)

    @admin.display(description=gettext_lazy("state"))
    def state_badge(self, delivery: Delivery) -> str:
        return render_delivery_badge(delivery)

    @admin.display(description=gettext_lazy("afterwards"))
    def answer(self, delivery: Delivery) -> str:
        """Return what happened because of the mail."""
        answers = {
            _("bounced"): delivery.bounced_at,
            _("complained"): delivery.complained_at,
            _("unsubscribed"): delivery.unsubscribed_at,
        }
        return ", ".join(label for label, at in answers.items() if at) or "-"


SubscriptionAdmin.inlines.append(ReceivedCampaigns)


def render_delivery_badge(delivery: Delivery) -> str:
    state = DeliveryState(delivery.state)
    label = delivery.get_skip_reason_display() if delivery.skip_reason else state.label
    return render_badge(DELIVERY_BADGES[state], label)
