"""The welcome series: who gets which step, when, and only once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import begin_subscription, end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.installation import stop_restored_work
from sailing.mail.transport import DeliveryAttempt, DeliveryResult

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

START = datetime(2027, 5, 31, 9, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Stop the clock."""
    time_machine.move_to(START, tick=False)
    return time_machine


def add_step(days: int = 0, hour: int | None = None, *, is_on: bool = True) -> Campaign:
    step: Campaign = CampaignFactory(
        delay_days=days, delay_hour=hour, user_type=UserType.SAILOR, name=f"Day {days}"
    )
    if is_on:
        turn_on(step)
    return step


def turn_on(step: Campaign | None = None) -> None:
    step = Campaign.objects.get(pk=step.pk) if step else Campaign.objects.get()
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
    queue = CampaignQueue()
    while mails := queue.claim(100):
        queue.record([DeliveryAttempt(mail, DeliveryResult.ACCEPTED) for mail in mails])
        found = Delivery.objects.filter(pk__in=[mail.pk for mail in mails]).order_by("pk")
        sent += found.values_list("subscription__email", "campaign__name")
    return sent


@pytest.mark.parametrize(
    ("days", "hour", "now", "confirmed_by"),
    [
        (2, None, "2027-05-31T10:00+02:00", "2027-05-29T10:00+02:00"),
        (1, 9, "2027-05-31T08:59+02:00", "2027-05-30T00:00+02:00"),
        (1, 9, "2027-05-31T09:00+02:00", "2027-05-31T00:00+02:00"),
        (7, 0, "2027-05-31T00:00+02:00", "2027-05-25T00:00+02:00"),
        (1, 9, "2027-03-28T09:00+02:00", "2027-03-28T00:00+01:00"),  # the clocks go forward on that day
    ],
)
def test_step_is_due(days: int, hour: int | None, now: str, confirmed_by: str, settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    step, at = Campaign(delay_days=days, delay_hour=hour), datetime.fromisoformat(now)
    resolution = timedelta.resolution if hour is not None else timedelta()
    assert series.get_confirmed_until(step, at) == datetime.fromisoformat(confirmed_by) - resolution


def leave() -> None:
    end_subscription(Subscription.objects.get(), event=ConsentKind.UNSUBSCRIBED, language="en")


def turn_off() -> None:
    series.turn_off(campaign=Campaign.objects.get())


def pause(hours: int) -> None:
    Subscription.objects.update(paused_until=timezone.now() + hours * HOUR)


def come() -> None:
    confirm(Subscription.objects.first())


Event = tuple[int, Callable[[], object]]
"""An hour, and what happens then, before mails are sent."""


@pytest.mark.parametrize(
    ("events", "sent"),
    [
        # Steps come in order at their times.
        ([(0, lambda: [add_step(3, 18), add_step(), add_step(1, 9)]), (0, come)], [(0, 0), (24, 1), (81, 3)]),
        # Turning a step on mails nobody whose day has passed.
        ([(0, come), (24, lambda: add_step(2))], [(48, 2)]),
        ([(0, come), (24, lambda: add_step(1, 8))], []),
        # Nobody gets a step twice, also after coming again.
        ([(0, add_step), (0, come), (1, leave), (24, come), (25, turn_off), (26, turn_on)], [(0, 0)]),
        # A paused reader gets it after the pause, however it ends.
        ([(0, add_step), (0, come), (0, lambda: pause(3))], [(3, 0)]),
        # A turn that comes while the step is off, or after a restore, has passed.
        ([(0, lambda: add_step(1)), (0, come), (23, turn_off), (25, turn_on)], []),
        ([(0, add_step), (1, come), (1, stop_restored_work), (2, turn_on)], []),
    ],
)
def test_steps_come_at_their_hours(clock: TimeMachineFixture, events: list[Event], sent: Any) -> None:
    """`sent`: hours, and the days of the steps that the reader got then."""
    get_user_model().objects.create_superuser("admin@sailing.example", "pw")
    found = []
    for hour in range(max(hour for hour, _what in [*events, *sent]) + 30):
        for _hour, happen in (event for event in events if event[0] == hour):
            happen()
        found += [(hour, int(name.removeprefix("Day "))) for _email, name in send()]
        clock.shift(HOUR)
    assert found == sent


@pytest.mark.parametrize(("days", "is_due"), [(2, True), (3, False)])
def test_outage_of_up_to_three_days_is_caught_up(clock: TimeMachineFixture, days: int, is_due: bool) -> None:
    step = add_step()
    clock.shift(DAY)
    confirm()
    clock.shift(days * DAY)
    assert len(send()) == is_due
    step.refresh_from_db()
    assert step.state == CampaignState.SENDING  # nothing turns it off by itself


def test_only_who_confirmed_on_the_site_while_it_is_on_gets_a_step(clock: TimeMachineFixture) -> None:
    step = add_step()
    clock.shift(MINUTE)
    readers: dict[str, dict[str, Any]] = {
        "english": {},
        "czech": {"language": "cs"},
        "company": {"user_type": UserType.COMPANY},
        "unconfirmed": {"is_confirmed": False},
        "unsubscribed": {"unsubscribed": True},
        "paused": {"paused": True},  # gets it later
        "asked-again": {"asked_again_at": START},
        "earlier": {"confirmed_at": START - MINUTE},
        "imported": {"is_imported": True},
        "unknown-time": {"confirmed_at": None},
    }
    for name, values in readers.items():
        SubscriptionFactory(email=f"{name}@example.com", confirmed=True, **values)
    step.texts.filter(language="cs").update(subject="", body="")  # its readers get the other text
    assert sorted(email for email, _name in send()) == ["czech@example.com", "english@example.com"]
    clock.shift(MINUTE)
    confirm(Subscription.objects.get(email="imported@example.com"))
    assert [email for email, _name in send()] == ["imported@example.com"]


def test_batches_reach_every_reader_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "BATCH_SIZE", 2)
    step = add_step()
    readers = [confirm() for _number in range(5)]
    assert sorted(email for email, _name in send()) == sorted(reader.email for reader in readers)
    step.refresh_from_db()
    assert step.recipient_count == len(readers)
