"""What is watched of campaigns (see `sailing.status`)."""

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import progress
from newsletter.campaigns.models import DeliveryState
from sailing.status import OVERDUE_SECONDS, watch


@watch(
    "campaigns_due_seconds",
    label=_("Longest wait of a campaign"),
    problem=progress.STALLED,
    model="campaigns.Campaign",
    limit=OVERDUE_SECONDS,
)
def measure_stalled_campaign() -> float:
    """Return how long no delivery of a campaign has ended, although some were never tried."""
    since = progress.read_stalled_campaign()
    return round((timezone.now() - since).total_seconds()) if since else 0


@watch(
    "campaign_deliveries", label=_("Deliveries of campaigns of the last 24 hours"), model="campaigns.Campaign"
)
def count_deliveries() -> dict[DeliveryState, int]:
    return progress.count_recent_deliveries()
