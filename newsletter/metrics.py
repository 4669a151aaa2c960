"""The metrics of subscriptions (see `sailing.operations.metrics`)."""

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from newsletter import traps
from newsletter.models import State, Subscription
from sailing.operations import metrics


@metrics.register
def count_subscriptions() -> Iterator[GaugeMetricFamily]:
    states = GaugeMetricFamily("sailing_subscriptions", "Subscriptions by state.", labels=["state"])
    for state in State:
        states.add_metric([state.value], Subscription.objects.in_state(state).count())
    yield states
    dropped = GaugeMetricFamily(
        "sailing_subscriptions_dropped",
        "Submissions that a trap for bots dropped in the last 24 hours.",
        labels=["trap"],
    )
    for trap, count in traps.count_dropped().items():
        dropped.add_metric([trap], count)
    yield dropped
