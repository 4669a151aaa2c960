"""The numbers of campaigns, and what is watched of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from newsletter.campaigns import watches
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, DeliveryState
from newsletter.campaigns.results import annotate_results
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_deliveries_and_clicks_of_each_campaign_are_counted() -> None:
    campaign, now = CampaignFactory(recipient_count=9), timezone.now()
    for state in DeliveryState:
        DeliveryFactory(campaign=campaign, state=state)
    sent = {"campaign": campaign, "state": DeliveryState.SENT}
    DeliveryFactory(**sent, bounced_at=now)
    DeliveryFactory(**sent, unsubscribed_at=now, complained_at=now)
    DeliveryFactory(campaign=campaign, state=DeliveryState.FAILED, bounced_at=now)
    for url, clicks in (("https://sailing.example/", 2), ("https://sailing.example/boats", 1)):
        CampaignLink.objects.create(campaign=campaign, url=url, clicks=clicks)
    DeliveryFactory(state=DeliveryState.FAILED)  # of another campaign, before its recipients are counted
    numbers = ("recipient_count", "sent", "waiting", "sending", "skipped", "failed", "unknown")
    reactions = ("bounced", "undeliverable", "complained", "unsubscribed", "clicks")
    found = annotate_results(Campaign.objects.order_by("pk"))
    assert found.values_list(*numbers)[0] == (9, 3, 1, 1, 1, 2, 1)
    assert list(found.values_list(*reactions)) == [(1, 1, 1, 1, 3), (0, 0, 0, 0, 0)]


def test_metrics_count_the_deliveries_of_campaigns_and_steps_within_a_day() -> None:
    now = timezone.now()
    sending = CampaignFactory(state=CampaignState.SENDING, started_at=now)
    canceled = CampaignFactory(state=CampaignState.CANCELLED, started_at=now, finished_at=now)
    step = CampaignFactory(delay_days=0, state=CampaignState.SENDING, started_at=now - 99 * HOUR)
    for campaign, ended_at in ((sending, now), (canceled, now - HOUR), (step, now - 25 * HOUR)):
        for state in DeliveryState:
            DeliveryFactory(campaign=campaign, state=state, ended_at=ended_at)
    assert watches.count_deliveries() == {"waiting": 2, "failed": 2, "unknown": 2}


@pytest.mark.parametrize(
    ("values", "delivery", "seconds"),
    [
        ({"state": CampaignState.SCHEDULED, "scheduled_at": 2}, None, 7200),  # nothing begins it
        ({"started_at": 2}, None, 7200),  # no recipients are added
        # Nothing could be tried, so its time was postponed.
        ({"started_at": 3, "prepared_at": 2}, {"next_attempt_at": 0}, 7200),
        ({"started_at": 3, "prepared_at": 2}, {"next_attempt_at": 2, "attempts": 1}, 0),
        ({"started_at": 3, "prepared_at": 2}, {"state": DeliveryState.SENT, "ended_at": 1}, 0),
        ({"started_at": 3, "prepared_at": 2, "changed_at": 0}, {"next_attempt_at": 2}, 0),  # just resumed
        ({"started_at": 3, "prepared_at": 2, "state": CampaignState.PAUSED}, {"next_attempt_at": 2}, 0),
        ({"started_at": 9, "delay_days": 0}, {"next_attempt_at": 1}, 3600),
    ],
)
@pytest.mark.usefixtures("frozen_clock")
def test_stall_is_measured(values: Any, delivery: Any, seconds: int) -> None:
    def count_back(given: dict[str, object]) -> dict[str, object]:
        return {
            name: timezone.now() - value * HOUR if name.endswith("_at") and isinstance(value, int) else value
            for name, value in given.items()
        }

    campaign = CampaignFactory(state=CampaignState.SENDING)
    Campaign.objects.update(**count_back({"changed_at": 9, **values}))
    campaign.refresh_from_db()
    if delivery is not None:
        DeliveryFactory(campaign=campaign, **count_back(delivery))
    assert watches.measure_stall() == seconds
    assert watches.is_stalled(campaign) is (seconds > 0 and campaign.state == CampaignState.SENDING)
