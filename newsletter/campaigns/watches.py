"""What is watched of campaigns (see `sailing.status`)."""

from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import (
    ENDED_DELIVERIES,
    STARTED_STATES,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
)
from sailing.status import OVERDUE_SECONDS, watch

STALLED = _("A campaign is being sent, but no email leaves. Does the mail server accept any?")

RECENT = timedelta(days=1)


@watch(
    "campaigns_due_seconds",
    label=_("Longest wait of a campaign"),
    problem=STALLED,
    model="campaigns.Campaign",
    limit=OVERDUE_SECONDS,
)
def measure_stall() -> float:
    """Return for how long a campaign has made no progress, or should have begun."""
    campaigns = Campaign.objects.filter(state__in=(CampaignState.SCHEDULED, CampaignState.SENDING))
    return max(map(_measure_stall, campaigns), default=0)


@watch("campaign_deliveries", label=_("Campaign emails (failures in 24 hours)"), model="campaigns.Campaign")
def count_deliveries() -> dict[str, int]:
    """Return the deliveries that wait, and those that failed, or may have, within a day."""
    since = timezone.now() - RECENT
    # By their keys: the index of deliveries begins with the campaign.
    started = Campaign.objects.filter(started_at__isnull=False).values_list("pk", flat=True)
    running = list(started.filter(state__in=STARTED_STATES))
    recent = list(started.filter(Q(finished_at=None) | Q(finished_at__gt=since)))
    waiting = Delivery.objects.filter(campaign__in=running, state=DeliveryState.WAITING).count()
    problems = (DeliveryState.FAILED, DeliveryState.UNKNOWN)
    ended = Delivery.objects.filter(campaign__in=recent, state__in=problems, ended_at__gt=since)
    counts = dict(ended.values_list("state").annotate(Count("pk")))
    return {DeliveryState.WAITING: waiting, **dict.fromkeys(problems, 0), **counts}


def is_stalled(campaign: Campaign) -> bool:
    """Return whether a campaign that is being sent has made no progress for so long that admins are told."""
    return campaign.state == CampaignState.SENDING and _measure_stall(campaign) > OVERDUE_SECONDS


def _measure_stall(campaign: Campaign) -> int:
    """Return for how many seconds no delivery has ended although some were never tried.

    Those that were tried wait for their next attempt, which may be hours away, and those of a step for their
    readers.
    """
    now, deliveries = timezone.now(), Delivery.objects.filter(campaign=campaign)
    untried = deliveries.filter(state=DeliveryState.WAITING, attempts=0, next_attempt_at__lte=now)
    since: datetime | None
    if campaign.state == CampaignState.SCHEDULED:
        since = campaign.scheduled_at
    elif campaign.is_step:
        since = untried.aggregate(first=Min("next_attempt_at"))["first"]
    else:  # all its mails are due once its recipients are added
        is_due = campaign.prepared_at is None or untried.exists()
        since = (campaign.prepared_at or campaign.started_at) if is_due else None
    if since is None:
        return 0
    # One state at a time, as the index begins.
    ended: list[datetime | None] = [
        deliveries.filter(state=state).aggregate(last=Max("ended_at"))["last"] for state in ENDED_DELIVERIES
    ]
    # `changed_at`: after a pause it waits only since it was resumed.
    times = [since, campaign.changed_at, *filter(None, ended)]
    return max(0, round((now - max(times)).total_seconds()))
