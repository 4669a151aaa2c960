"""The metrics of invitations (see `sailing.operations.metrics`)."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from newsletter.invitations.models import Invitation, Review
from sailing.operations import metrics


@metrics.register
def count_held() -> Iterator[GaugeMetricFamily]:
    held = Invitation.objects.filter(review=Review.HELD).count()
    yield GaugeMetricFamily("sailing_invitations_held", "Invitations that wait for an admin.", value=held)
