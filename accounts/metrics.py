"""The metrics of members (see `sailing.operations.metrics`)."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from accounts.models import User
from sailing.operations import metrics


@metrics.register
def count_members() -> Iterator[GaugeMetricFamily]:
    yield GaugeMetricFamily("sailing_members", "Members.", value=User.objects.filter(is_active=True).count())
