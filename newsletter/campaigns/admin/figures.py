"""The figures of a campaign, and their CSV export."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncHour
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from newsletter.campaigns.admin.pages import CampaignPages, format_rate, format_share
from newsletter.campaigns.models import (
    ENDED_STATES,
    Campaign,
    CampaignLink,
    Delivery,
    DeliveryState,
    LinkClicks,
)
from newsletter.campaigns.progress import Progress, get_progress
from newsletter.models import AUDIENCES
from sailing.admin.charts import ChartData, draw_bars
from sailing.admin.exports import send_csv
from sailing.csv_files import write_csv

MIN_HOURS = 12
MAX_HOURS = 72
"""The charts end with the last mail or click, or this long after the start: most clicks come by then."""

HOUR = timedelta(hours=1)

SHOWN_IF_ANY = ("unknown", "not sent")

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Figure:
    """A number, and the number that it is a part of, or None.

    `key`: its stable name in the file. `detail`: what distinguishes it from others of the key.
    """

    key: str
    label: Any
    count: int
    whole: int | None = None
    detail: str = ""

    @property
    def percentage(self) -> float | None:
        return self.count * 100 / self.whole if self.whole else None

    @property
    def share(self) -> str:
        return format_share(self.percentage)


class FiguresPages(CampaignPages):
    """The figures of a campaign. They need a permission of their own."""

    def get_urls(self) -> list[Any]:
        return [
            self.route("<int:pk>/figures/", self.figures_view, "figures"),
            self.route("<int:pk>/figures/export/", self.export_figures_view, "export_figures"),
            *super().get_urls(),
        ]

    def figures_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Show the figures of a campaign that has begun."""
        campaign = self.get_campaign(request, pk, "view_campaign_figures")
        progress = get_progress(campaign)
        has_ended = campaign.state in ENDED_STATES
        links = count_clicks(campaign)
        clicks = sum(link.count for link in links)
        return self.show(
            request,
            campaign,
            "figures",
            title=_("Figures"),
            progress=progress,
            figures=count_figures(progress, has_ended=has_ended),
            links=links,
            clicks=clicks,
            clicks_per_hundred=format_rate(clicks * 100 / progress.sent if progress.sent else None),
            parts=count_parts(campaign),
            has_ended=has_ended,
            not_sent=_name_not_sent(has_ended=has_ended),
            # The charts have the first hours, which say nothing of a step.
            hours=draw_hours(campaign) if campaign.started_at and not campaign.is_step else None,
        )

    def export_figures_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Send the figures as a CSV file."""
        campaign = self.get_campaign(request, pk, "view_campaign_figures")
        if request.method != "POST":
            return self.redirect("figures", campaign.pk)
        self.log_change(request, campaign, gettext_noop("Figures exported."))
        logger.info("campaign_figures_exported", admin=request.user.pk, campaign=campaign.pk)
        progress = get_progress(campaign)
        has_ended = campaign.state in ENDED_STATES
        figures = [
            *count_figures(progress, has_ended=has_ended),
            *count_failed(progress),
            *count_skipped(progress),
            *count_clicks(campaign),
        ]
        name = f"Campaign-{campaign.pk}-{timezone.localdate():%Y-%m-%d}.csv"
        return send_csv(write_csv(_list_rows(figures)), name)


def count_figures(progress: Progress, *, has_ended: bool) -> list[Figure]:
    """Return what came of the deliveries, as shares of the recipients or of the sent mails."""
    total, sent = progress.total, progress.sent
    figures = [
        Figure("recipients", _("Recipients"), total),
        Figure("sent", pgettext("number of mails", "Sent"), sent, total),
        Figure("unsubscribed", _("Unsubscribed through it"), progress.unsubscribed, sent),
        Figure("skipped", _("Skipped"), progress.skipped_total, total),
        Figure("failed", _("Failed"), progress.failed, total),
        Figure("unknown", _("Unknown"), progress.unknown, total),
        Figure("not sent", _name_not_sent(has_ended=has_ended), progress.not_sent, total),
        Figure("bounced", pgettext("number of mails", "Bounced"), progress.bounced, sent),
        Figure("complained", _("Complained"), progress.complained, sent),
    ]
    return [figure for figure in figures if figure.count or figure.key not in SHOWN_IF_ANY]


def _name_not_sent(*, has_ended: bool) -> str:
    """Return what the mails that have not left are called. Those of a step that is on wait for their turn."""
    return _("Not sent") if has_ended else _("Waiting")


def count_failed(progress: Progress) -> list[Figure]:
    """Return the failed mails whose address does not work, if there are any."""
    count = progress.failed_because_bounced
    return [Figure("failed because bounced", "", count, progress.total)] if count else []


def count_skipped(progress: Progress) -> list[Figure]:
    """Return the skipped recipients by reason."""
    return [
        Figure("skipped because", reason.label, count, progress.total, reason.value)
        for reason, count in progress.skipped.items()
    ]


def count_clicks(campaign: Campaign) -> list[Figure]:
    """Return the clicks on each link, the most clicked first, as shares of all clicks."""
    links = CampaignLink.objects.filter(campaign=campaign).annotate(total=Sum("clicks__count", default=0))
    counted = list(links.order_by("-total", "pk").values_list("url", "total"))
    whole = sum(count for _url, count in counted)
    return [Figure("clicks", url, count, whole, url) for url, count in counted]


def count_parts(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the numbers of each audience and language of the text. Erased recipients have no audience."""
    is_sent, has_failed = Q(state=DeliveryState.SENT), Q(state=DeliveryState.FAILED)
    rows = (
        Delivery.objects.filter(campaign=campaign)
        .values("subscription__user_type", "language")
        .annotate(
            recipients=Count("pk"),
            sent=Count("pk", filter=is_sent),
            skipped=Count("pk", filter=Q(state=DeliveryState.SKIPPED)),
            failed=Count("pk", filter=has_failed),
            unknown=Count("pk", filter=Q(state=DeliveryState.UNKNOWN)),
            not_sent=Count("pk", filter=Q(state__in=(DeliveryState.WAITING, DeliveryState.SENDING))),
            bounced=Count("pk", filter=Q(bounced_at__isnull=False) & ~has_failed),
            unsubscribed=Count("pk", filter=Q(unsubscribed_at__isnull=False)),
        )
        .order_by("subscription__user_type", "language")
    )
    audiences, languages = dict(AUDIENCES), dict(settings.LANGUAGES)
    return [
        {
            **row,
            "audience": audiences[row["subscription__user_type"]] if row["subscription__user_type"] else "",
            "language": languages[row["language"]],
        }
        for row in rows
    ]


def draw_hours(campaign: Campaign) -> dict[str, Any]:
    """Draw what was sent and clicked in each hour since the start, and count the clicks after the charts."""
    first = (campaign.started_at or timezone.now()).astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    sent = dict(
        Delivery.objects.filter(campaign=campaign, state=DeliveryState.SENT)
        .order_by()
        .values_list(TruncHour("ended_at", tzinfo=UTC))
        .annotate(Count("pk"))
    )
    clicks = dict(
        LinkClicks.objects.filter(link__campaign=campaign)
        .order_by()
        .values_list("hour")
        .annotate(Sum("count"))
    )
    last = max([first, *filter(None, sent), *clicks])
    number = min(max((last - first) // HOUR + 1, MIN_HOURS), MAX_HOURS)
    times = [first + index * HOUR for index in range(number)]
    return {
        "sent": _draw(_("Emails sent"), times, sent),
        "clicks": _draw(_("Clicks"), times, clicks),
        "later_clicks": sum(count for at, count in clicks.items() if at > times[-1]),
    }


def _draw(label: str, times: list[datetime], counts: dict[datetime, int]) -> ChartData:
    numbers: dict[date, list[int]] = {at: [counts.get(at, 0)] for at in times}
    total = sum(count for (count,) in numbers.values())
    return draw_bars([Figure("", label, total)], numbers, totals=[total])


def _list_rows(figures: list[Figure]) -> Iterator[list[str]]:
    """Return the rows of the file. Its words are the same in every language."""
    yield ["figure", "detail", "number", "percent"]
    for figure in figures:
        percent = "" if figure.percentage is None else floatformat(figure.percentage, "2u")
        yield [figure.key, figure.detail, str(figure.count), percent]
