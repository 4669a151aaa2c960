"""Campaigns begin at their time, and every recipient gets one delivery."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, StopReason
from newsletter.campaigns.tests.factories import CampaignFactory, prepare_deliveries, schedule, send_now
from newsletter.models import Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
RECIPIENTS = 7


@pytest.fixture
def campaign(admin: Any) -> Campaign:
    SubscriptionFactory.create_batch(RECIPIENTS, confirmed=True)
    SubscriptionFactory()
    return CampaignFactory(created_by=admin)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "BATCH_SIZE", 3)


def test_recipients_are_added_in_batches_to_all_campaigns_at_once(campaign: Campaign) -> None:
    campaigns: list[Campaign] = [campaign, CampaignFactory()]
    for each in campaigns:
        send_now(each)
    prepare_deliveries(1)
    assert [each.deliveries.count() for each in campaigns] == [3, 3]
    prepare_deliveries()
    recipients = Subscription.objects.filter(is_confirmed=True).order_by("pk").values_list("pk")
    for each in campaigns:
        assert list(each.deliveries.order_by("pk").values_list("subscription")) == list(recipients)
        each.refresh_from_db()
        assert each.prepared_at
        assert each.recipient_count == RECIPIENTS


def test_batch_goes_on_after_the_last_recipient_is_erased(campaign: Campaign) -> None:
    send_now(campaign)
    prepare_deliveries(1)
    last = Delivery.objects.latest("pk").subscription
    assert last
    last.delete()
    prepare_deliveries()
    assert Delivery.objects.count() == RECIPIENTS


@pytest.mark.parametrize("keys", [(1, 2), (2, 1)])
@pytest.mark.parametrize("late", UserType.values)
def test_address_gets_one_delivery_when_its_other_audience_is_confirmed_meanwhile(
    late: str, keys: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BATCH_SIZE", 1)
    for user_type, key in zip(UserType.values, keys, strict=True):
        SubscriptionFactory(
            pk=UUID(int=key), email="both@example.com", user_type=user_type, confirmed=user_type != late
        )
    send_now(CampaignFactory())
    prepare_deliveries(1)
    Subscription.objects.update(is_confirmed=True, confirmed_at=timezone.now())
    prepare_deliveries()
    (user_type,) = Delivery.objects.values_list("subscription__user_type", flat=True)
    assert user_type != late


@pytest.mark.parametrize(
    ("action", "batches", "expected"),
    [
        (services.pause, 0, RECIPIENTS),  # they are added while it is paused
        (services.cancel, 0, 0),
        (services.cancel, 1, 3),
    ],
)
def test_recipients_of_a_campaign_that_is_paused_or_canceled_early(
    campaign: Campaign, action: Callable[..., None], batches: int, expected: int
) -> None:
    send_now(campaign)
    prepare_deliveries(batches)
    action(campaign=campaign)
    prepare_deliveries()
    campaign.refresh_from_db()
    assert Delivery.objects.count() == campaign.recipient_count == expected


@pytest.mark.parametrize(
    ("late", "is_broken", "state", "event"),
    [
        (-MINUTE, False, CampaignState.SCHEDULED, None),
        (timedelta(), False, CampaignState.SENDING, "Sending started as scheduled."),
        (HOUR, False, CampaignState.SENDING, "Sending started as scheduled."),
        (HOUR + MINUTE, False, CampaignState.DRAFT, services.OVERDUE),
        (timedelta(), True, CampaignState.DRAFT, services.NOT_SENDABLE),
    ],
)
def test_scheduled_campaign_begins_at_its_time_or_becomes_a_draft(
    campaign: Campaign,
    admin: Any,
    time_machine: TimeMachineFixture,
    late: timedelta,
    is_broken: bool,
    state: CampaignState,
    event: str | None,
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    schedule(campaign, timezone.now() + HOUR)
    if is_broken:
        campaign.texts.filter(language="cs").update(subject="")
    time_machine.shift(HOUR + late)
    prepare_deliveries()
    campaign.refresh_from_db()
    assert campaign.state == state
    assert Delivery.objects.exists() is (state == CampaignState.SENDING)
    assert (campaign.scheduled_at is None) is (state == CampaignState.DRAFT)
    reasons = {services.OVERDUE: StopReason.OVERDUE, services.NOT_SENDABLE: StopReason.NOT_SENDABLE}
    assert campaign.stop_reason == reasons.get(event or "", "")
    entries = [(entry.user, entry.change_message) for entry in LogEntry.objects.all()]
    assert entries == ([(admin, event)] if event else [])
