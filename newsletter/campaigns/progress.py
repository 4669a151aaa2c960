"""How far campaigns are: counts of their deliveries, and whether one is stalled."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import (
    ENDED_DELIVERIES,
    HAS_FEEDBACK,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
)
from sailing.status import OVERDUE_SECONDS

RATE_SECONDS = 20
"""The rate of a campaign is that of its last seconds."""

STALLED = _("A campaign is being sent, but no email leaves. Does the mail server accept any?")

RECENT = timedelta(days=1)
"""How long ended campaigns are in the metrics."""


@dataclass(frozen=True)
class Progress:
    """The deliveries of a campaign by what became of them.

    `rate_per_second`, `seconds_left`: None unless mails have just been sent. `is_prepared`: all recipients
    are added; before that, `total` still grows. `bounced`: after the mail server had accepted the mail.
    """

    total: int = 0
    waiting: int = 0
    sending: int = 0
    sent: int = 0
    skipped: dict[SkipReason, int] = field(default_factory=dict)
    failed: int = 0
    unknown: int = 0
    bounced: int = 0
    failed_because_bounced: int = 0
    complained: int = 0
    unsubscribed: int = 0
    rate_per_second: float | None = None
    seconds_left: int | None = None
    is_prepared: bool = False

    @property
    def skipped_total(self) -> int:
        return sum(self.skipped.values())

    @property
    def not_sent(self) -> int:
        """Return how many wait for their turn or are under way."""
        return self.waiting + self.sending


def get_progress(campaign: Campaign) -> Progress:
    """Count the deliveries of a campaign."""
    deliveries = Delivery.objects.filter(campaign=campaign).order_by()
    counts = _count_states(campaign)
    skipped = deliveries.filter(state=DeliveryState.SKIPPED).values_list("skip_reason")
    is_bounced, has_failed = Q(bounced_at__isnull=False), Q(state=DeliveryState.FAILED)
    feedback = deliveries.filter(HAS_FEEDBACK).aggregate(
        bounced=Count("pk", filter=is_bounced & ~has_failed),
        failed_because_bounced=Count("pk", filter=is_bounced & has_failed),
        complained=Count("pk", filter=Q(complained_at__isnull=False)),
        unsubscribed=Count("pk", filter=Q(unsubscribed_at__isnull=False)),
    )
    waiting = counts.get(DeliveryState.WAITING, 0)
    rate = _measure_rate(campaign) if campaign.state == CampaignState.SENDING else None
    return Progress(
        total=sum(counts.values()),
        waiting=waiting,
        sending=counts.get(DeliveryState.SENDING, 0),
        sent=counts.get(DeliveryState.SENT, 0),
        skipped={SkipReason(reason): count for reason, count in skipped.annotate(count=Count("*"))},
        failed=counts.get(DeliveryState.FAILED, 0),
        unknown=counts.get(DeliveryState.UNKNOWN, 0),
        rate_per_second=rate,
        seconds_left=round(waiting / rate) if rate and campaign.prepared_at else None,
        is_prepared=campaign.prepared_at is not None,
        **feedback,
    )


def count_recent_deliveries() -> dict[DeliveryState, int]:
    """Count the waiting, failed and unknown deliveries of campaigns that are not ended, or ended lately.

    A step never ends, so only its own failed and unknown deliveries of the last day count.
    """
    is_recent = Q(finished_at=None) | Q(finished_at__gt=timezone.now() - RECENT)
    campaigns = Campaign.objects.filter(is_recent, started_at__isnull=False)
    counts = dict.fromkeys((DeliveryState.WAITING, DeliveryState.FAILED, DeliveryState.UNKNOWN), 0)
    # One campaign at a time: the index of deliveries begins with it.
    for campaign in campaigns:
        for state in counts:
            if campaign.finished_at and state == DeliveryState.WAITING:
                continue  # cancelled: they wait for nothing
            found = Delivery.objects.filter(campaign=campaign, state=state)
            if campaign.is_step and state != DeliveryState.WAITING:
                found = found.filter(ended_at__gt=timezone.now() - RECENT)  # a step never ends
            counts[state] += found.count()
    return counts


def read_stalled_campaign() -> datetime | None:
    """Return since when a campaign makes no progress, or should have begun; None if there is none."""
    overdue = Campaign.objects.filter(state=CampaignState.SCHEDULED, scheduled_at__lte=timezone.now())
    stalled = map(_read_stalled_since, Campaign.objects.filter(state=CampaignState.SENDING))
    times = [*overdue.values_list("scheduled_at", flat=True), *stalled]
    return min(filter(None, times), default=None)


def is_stalled(campaign: Campaign) -> bool:
    """Return whether a campaign that is being sent has made no progress for so long that admins are told."""
    since = _read_stalled_since(campaign) if campaign.state == CampaignState.SENDING else None
    return since is not None and (timezone.now() - since).total_seconds() > OVERDUE_SECONDS


def _read_stalled_since(campaign: Campaign) -> datetime | None:
    deliveries = Delivery.objects.filter(campaign=campaign)
    # Those that were tried wait for their next attempt, which may be hours away, and steps for their readers.
    untried = deliveries.filter(state=DeliveryState.WAITING, attempts=0, next_attempt_at__lte=timezone.now())
    due_since = untried.aggregate(first=Min("next_attempt_at"))["first"]
    if due_since is None and (campaign.prepared_at or campaign.is_step):
        return None
    # One state at a time, as the index begins.
    ended: list[datetime | None] = [
        deliveries.filter(state=state).aggregate(last=Max("ended_at"))["last"] for state in ENDED_DELIVERIES
    ]
    # All mails of a campaign are due once its recipients are added, those of a step one after another.
    since = due_since if campaign.is_step else campaign.prepared_at or campaign.started_at
    return max(filter(None, [since, *ended]), default=None)


def _count_states(campaign: Campaign) -> dict[str, int]:
    """Count the deliveries of a campaign by state.

    Once recipients are added, the sent ones are computed from the others: at the end they are nearly all.
    """
    states = Delivery.objects.filter(campaign=campaign).order_by().values_list("state")
    if campaign.recipient_count is None:
        return dict(states.annotate(count=Count("*")))
    others = [state for state in DeliveryState if state != DeliveryState.SENT]
    counts = dict(states.filter(state__in=others).annotate(count=Count("*")))
    # A step may have got more deliveries since its count was read.
    sent = max(0, campaign.recipient_count - sum(counts.values()))
    return {**counts, DeliveryState.SENT: sent}


def _measure_rate(campaign: Campaign) -> float | None:
    since = timezone.now() - timedelta(seconds=RATE_SECONDS)
    recent = Delivery.objects.filter(campaign=campaign, state=DeliveryState.SENT, ended_at__gt=since)
    return recent.count() / RATE_SECONDS or None
