"""The metrics of campaigns (see `sailing.operations.metrics`)."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from newsletter.campaigns.progress import count_recent_deliveries
from sailing.operations import metrics


@metrics.register
def count_deliveries() -> Iterator[GaugeMetricFamily]:
    deliveries = GaugeMetricFamily(
        "sailing_campaign_deliveries",
        "Deliveries of campaigns that are being sent or ended in the last 24 hours.",
        labels=["state"],
    )
    for state, count in count_recent_deliveries().items():
        deliveries.add_metric([state], count)
    yield deliveries
