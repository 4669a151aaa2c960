"""The results of a campaign: its state, buttons, numbers and history on one page."""

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from newsletter.campaigns.admin.audience import describe_audience, describe_counts
from newsletter.campaigns.admin.deliveries import render_delivery_badge
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, describe_results, format_share
from newsletter.campaigns.models import (
    ENDED_STATES,
    STARTED_STATES,
    Campaign,
    CampaignState,
    DeliveryState,
    SkipReason,
)
from newsletter.campaigns.results import annotate_results
from newsletter.campaigns.services import AUTOMATIC_EVENTS
from newsletter.campaigns.watches import STALLED, is_stalled
from sailing.admin.lists import StrictListMixin

ROWS_PER_PAGE = 25

SHOWN_CHANGES = 20

LIVE_STATES = (CampaignState.SCHEDULED, *STARTED_STATES)

LISTED_STATES = (DeliveryState.UNKNOWN, DeliveryState.FAILED)


class ResultsPages(CampaignPages, StrictListMixin):
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
            failed = campaign.deliveries.filter(state__in=LISTED_STATES).order_by("-state", "pk")
            page = Paginator(failed.select_related("subscription"), ROWS_PER_PAGE).get_page(
                request.GET.get("page")
            )
        is_scheduled = campaign.state == CampaignState.SCHEDULED
        return self.show(
            request,
            campaign,
            "results",
            title=_("History") if campaign.state == CampaignState.DRAFT else _("Results"),
            audience=describe_audience(campaign),
            links=campaign.links.order_by("-clicks", "pk"),
            page=page,
            rows=[(delivery, render_delivery_badge(delivery)) for delivery in page or ()],
            entries=self.list_history(campaign)[:SHOWN_CHANGES],
            **describe_status(campaign),
            **(describe_counts(campaign, campaign.list_texts()) if is_scheduled else {}),
        )

    def status_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the part of the page that changes while a campaign is being sent."""
        campaign = self._get_counted(request, pk)
        context = {**self.describe(request, campaign), **describe_status(campaign)}
        return TemplateResponse(request, f"{TEMPLATES}/status.html", context)

    def list_history(self, row: Campaign) -> list[Any]:
        """Name no admin for what happened without one."""
        automatic = {_(event) for event in AUTOMATIC_EVENTS}
        return [
            replace(entry, details=()) if entry.text in automatic else entry
            for entry in super().list_history(row)
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
        "is_live": campaign.state in LIVE_STATES or campaign.sending > 0,
        "problem": STALLED if is_stalled(campaign) else "",
        "ended": campaign.total - campaign.waiting - campaign.sending,
    }
    if campaign.started_at:
        context |= {"figures": _list_figures(campaign, has_ended), "reasons": _list_reasons(campaign)}
    return context


def _list_figures(campaign: Any, has_ended: bool) -> list[tuple[str, int, str]]:
    """Return labels and numbers with their shares, of the recipients or of the sent mails."""
    total, sent = campaign.total, campaign.sent
    rates = describe_results(campaign)
    clicks = _("%(number)s per 100 emails") % {"number": rates["click_rate"]} if sent else ""
    waiting = campaign.waiting + campaign.sending
    figures = [
        (_("Recipients"), total, ""),
        (pgettext("number of mails", "Sent"), sent, format_share(sent, total)),
        (_("Clicks"), campaign.clicks, clicks),
        (_("Unsubscribed"), campaign.unsubscribed, rates["unsubscribe_rate"]),
        (_("Skipped"), campaign.skipped, format_share(campaign.skipped, total)),
        (_("Failed"), campaign.failed, format_share(campaign.failed, total)),
        (pgettext("number of mails", "Bounced"), campaign.bounced, format_share(campaign.bounced, sent)),
        (_("Complained"), campaign.complained, format_share(campaign.complained, sent)),
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
