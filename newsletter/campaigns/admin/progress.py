"""What the pages of a campaign show of its progress."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from newsletter.campaigns.admin.history import describe_pause, find_canceler
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState
from newsletter.campaigns.progress import STALLED, get_progress, is_stalled


def describe_progress(campaign: Campaign) -> dict[str, Any]:
    """Return what the progress page shows. A scheduled campaign has no deliveries to count."""
    context: dict[str, Any] = {
        "has_ended": campaign.state in ENDED_STATES,
        "is_live": campaign.state not in (CampaignState.DRAFT, *ENDED_STATES),
    }
    if campaign.state in (CampaignState.DRAFT, CampaignState.SCHEDULED):
        return context
    progress = get_progress(campaign)
    is_paused = campaign.state == CampaignState.PAUSED
    return context | {
        "progress": progress,
        "pause": describe_pause(campaign) if is_paused else "",
        "canceler": find_canceler(campaign) if campaign.state == CampaignState.CANCELLED else "",
        "problem": STALLED if is_stalled(campaign) else "",
        # Mails may be under way when a campaign is cancelled.
        "is_live": context["is_live"] or bool(progress.sending),
        "ended": progress.total - progress.waiting - progress.sending,
        "duration": _describe_duration(campaign),
        "time_left": _describe_seconds(progress.seconds_left),
    }


def _describe_duration(campaign: Campaign) -> str:
    if not campaign.started_at or not campaign.finished_at:
        return ""
    return _describe_seconds(int((campaign.finished_at - campaign.started_at).total_seconds()))


def _describe_seconds(seconds: int | None) -> str:
    if seconds is None:
        return ""
    if seconds < 60:
        return _("less than a minute")
    now = timezone.now()
    return timesince(now - timedelta(seconds=seconds), now)
