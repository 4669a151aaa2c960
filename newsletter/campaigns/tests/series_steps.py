"""Steps of the welcome series for tests, and the sender that sends them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, Delivery, DeliveryState
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import Subscription, UserType
from newsletter.services.lifecycle import begin_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.replies import DeliveryResult
from sailing.mail.transport import DeliveryAttempt

START = datetime(2027, 5, 31, 9, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def clock(time_machine: TimeMachineFixture, settings: Settings) -> TimeMachineFixture:
    """Stop the clock."""
    time_machine.move_to(START, tick=False)
    settings.TIME_ZONE = "UTC"
    return time_machine


def add_step(days: int = 0, hour: int | None = None, *, is_on: bool = True, **values: Any) -> Campaign:
    values = {"user_type": UserType.SAILOR, "name": f"Day {days}"} | values
    step: Campaign = CampaignFactory(delay_days=days, delay_hour=hour, **values)
    if is_on:
        turn_on(step)
    return step


def turn_on(step: Campaign) -> None:
    step.refresh_from_db()
    series.turn_on(campaign=step, expected_version=services.get_version(step))
    # The clock stands still, and whatever comes next is later.
    Campaign.objects.filter(pk=step.pk).update(started_at=timezone.now() - timedelta.resolution)


def confirm(subscription: Subscription | None = None, **values: Any) -> Subscription:
    """Confirm a subscription as its owner does."""
    reader: Subscription = subscription or SubscriptionFactory(**values)
    begin_subscription(reader, language=reader.language)
    return reader


def send() -> list[tuple[str, str]]:
    """Add who is due and send everything that is; return the addresses with their steps."""
    sent: list[tuple[str, str]] = []
    while series.add_due_readers():
        pass
    if not Delivery.objects.filter(state=DeliveryState.WAITING, next_attempt_at__lte=timezone.now()).exists():
        return sent  # saves the time to render the steps
    queue = CampaignQueue()
    while mails := queue.claim(100):
        queue.record([DeliveryAttempt(mail, DeliveryResult.ACCEPTED) for mail in mails])
        found = Delivery.objects.filter(pk__in=[mail.pk for mail in mails]).order_by("pk")
        sent += found.values_list("subscription__email", "campaign__name")
    return sent


def send_until(clock: TimeMachineFixture, until: datetime, *, every: timedelta = 3 * HOUR) -> list[Any]:
    """Send as time passes; return what was sent with its time."""
    sent: list[Any] = []
    while timezone.now() <= until:
        sent += [(name, timezone.now()) for _email, name in send()]
        clock.shift(every)
    return sent
