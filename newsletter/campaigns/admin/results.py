"""The results of a campaign: its state, buttons, numbers and history on one page."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from newsletter.campaigns.admin import pages
from newsletter.campaigns.admin.pages import format_share
from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import (
    ENDED_STATES,
    STARTED_STATES,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
)
from newsletter.campaigns.results import annotate_results
from newsletter.campaigns.services import AUTOMATIC_EVENTS
from newsletter.campaigns.watches import STALLED, is_stalled
from newsletter.models import Subscription
from sailing.admin.lists import render_badge
from sailing.admin.pages import SHOWN_ENTRIES, Entry

ROWS_PER_PAGE = 25
SHOWN_CHANGES = 20

DELIVERY_BADGES: dict[str, str] = {
    DeliveryState.WAITING: "waiting",
    DeliveryState.SENDING: "waiting",
    DeliveryState.SENT: "good",
    DeliveryState.SKIPPED: "off",
    DeliveryState.FAILED: "bad",
    DeliveryState.UNKNOWN: "waiting",
}


class ResultsPages(pages.CampaignPages):
    """The results of a campaign, from the time that it is scheduled; of a draft its history."""

    def get_urls(self) -> list[Any]:
        return [
            self.route("<int:pk>/results/", self.results_view, "results"),
            self.route("<int:pk>/results/status/", self.status_view, "status"),
            *super().get_urls(),
        ]

    def results_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        campaign = self._get_counted(request, pk)
        page = None
        if request.user.has_perm("newsletter.view_subscription"):
            # Mail servers repeat the addresses in their answers.
            listed = campaign.deliveries.filter(state__in=(DeliveryState.UNKNOWN, DeliveryState.FAILED))
            rows = listed.order_by("-state", "ended_at", "pk").select_related("subscription")
            page = Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
        context = describe_status(campaign)
        if campaign.state == CampaignState.SCHEDULED:
            context |= pages.describe_counts(count_audience(campaign, campaign.list_languages()))
        return self.show(
            request,
            campaign,
            "results",
            title=_("History") if campaign.state == CampaignState.DRAFT else _("Results"),
            audience=pages.describe_audience(campaign),
            links=campaign.links.order_by("-clicks", "pk"),
            page=page,
            rows=[
                (row, _format_address(row), render_badge(DELIVERY_BADGES[row.state], row.get_state_display()))
                for row in page or ()
            ],
            entries=self.list_history(request, campaign)[:SHOWN_CHANGES],
            **context,
        )

    def status_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the part of the page that changes while a campaign is being sent."""
        campaign = self._get_counted(request, pk)
        context = {**self.describe(request, campaign), **describe_status(campaign)}
        return TemplateResponse(request, f"{pages.TEMPLATES}/status.html", context)

    def list_history(self, request: HttpRequest, row: Campaign) -> list[Any]:
        """Name no admin for what happened without one."""
        automatic = {_(event) for event in AUTOMATIC_EVENTS}
        return [
            replace(entry, details=()) if entry.text in automatic else entry
            for entry in super().list_history(request, row)
        ]

    def _get_counted(self, request: HttpRequest, pk: int) -> Any:
        campaign = self.get_campaign(request, pk)
        return annotate_results(Campaign.objects.filter(pk=campaign.pk)).get()


def describe_status(campaign: Any) -> dict[str, Any]:
    """Return how far a campaign of `annotate_results` is, and its figures once it has begun."""
    has_ended = campaign.state in ENDED_STATES
    context: dict[str, Any] = {
        "has_ended": has_ended,
        # Mails may be under way when a campaign is cancelled.
        "is_live": campaign.state in (CampaignState.SCHEDULED, *STARTED_STATES) or campaign.sending > 0,
        "problem": STALLED if is_stalled(campaign) else "",
        "ended": campaign.recipient_count - campaign.waiting - campaign.sending,
    }
    if campaign.started_at:
        context |= {"figures": _list_figures(campaign, has_ended), "reasons": _list_reasons(campaign)}
    return context


def _list_figures(campaign: Any, has_ended: bool) -> list[tuple[str, int, str]]:
    """Return labels and numbers with their shares, of the recipients or of the sent mails."""
    total, sent = campaign.recipient_count, campaign.sent
    rates = pages.describe_results(campaign)
    clicks = _("%(number)s per 100") % {"number": rates["click_rate"]} if sent else ""
    waiting = campaign.waiting + campaign.sending
    figures = [
        (_("Recipients"), total, ""),
        (pgettext("number of mails", "Sent"), sent, format_share(sent, total)),
        (_("Clicks"), campaign.clicks, clicks),
        (_("Unsubscribed"), campaign.unsubscribed, rates["unsubscribe_rate"]),
        (_("Skipped"), campaign.skipped, format_share(campaign.skipped, total)),
        (_("Failed"), campaign.failed, format_share(campaign.failed, total)),
        (pgettext("number of mails", "Bounced"), campaign.bounced, format_share(campaign.bounced, sent)),
        (_("Complaints"), campaign.complained, format_share(campaign.complained, sent)),
    ]
    if campaign.unknown:
        figures.append((_("Unknown"), campaign.unknown, format_share(campaign.unknown, total)))
    if waiting:
        label = _("Not sent") if has_ended else _("Waiting")
        figures.append((label, waiting, format_share(waiting, total)))
    return figures


def _list_reasons(campaign: Any) -> list[tuple[Any, int]]:
    """Return why recipients got no mail, with their numbers."""
    skipped = campaign.deliveries.filter(state=DeliveryState.SKIPPED)
    reasons: list[tuple[Any, int]] = [
        (SkipReason(reason).label, count)
        for reason, count in skipped.values_list("skip_reason").annotate(Count("pk"))
    ]
    if campaign.undeliverable:
        reasons.append((_("the address does not work"), campaign.undeliverable))
    return reasons


def list_deliveries(request: HttpRequest, subscription: Subscription) -> Iterator[Entry]:
    """Yield the newest campaigns of a subscriber, each with what happened because of it."""
    if not admin.site.get_model_admin(Campaign).has_view_permission(request):
        return
    deliveries = Delivery.objects.filter(subscription=subscription).select_related("campaign")
    for delivery in deliveries.order_by("-pk")[:SHOWN_ENTRIES]:
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


def _format_address(delivery: Delivery) -> str:
    """Return the address as HTML, which breaks before the "@" on a line that is too short."""
    if delivery.subscription is None:
        return _("erased")
    return format_html("{}<wbr>@{}", *delivery.subscription.email.rsplit("@", 1))
