"""The welcome series: who gets which step, when, and only once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import drafts, series, services
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    StopReason,
)
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, prepare_deliveries, schedule, send_now
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import begin_subscription, end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.installation import stop_restored_work
from sailing.mail.transport import DeliveryAttempt, DeliveryResult

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

START = datetime(2027, 5, 31, 9, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def clock(time_machine: TimeMachineFixture, settings: Settings) -> TimeMachineFixture:
    """Stop the clock."""
    time_machine.move_to(START, tick=False)
    settings.TIME_ZONE = "UTC"
    return time_machine


def add_step(days: int = 0, hour: int | None = None, *, is_on: bool = True) -> Campaign:
    step: Campaign = CampaignFactory(
        delay_days=days, delay_hour=hour, user_type=UserType.SAILOR, name=f"Day {days}"
    )
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
    prepare_deliveries(1)
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


@pytest.mark.parametrize(
    ("days", "hour", "now", "confirmed_by"),
    [
        (2, None, "2027-05-31T10:00+02:00", "2027-05-29T10:00+02:00"),
        (1, 9, "2027-05-31T08:59+02:00", "2027-05-30T00:00+02:00"),
        (1, 9, "2027-05-31T09:00+02:00", "2027-05-31T00:00+02:00"),
        (7, 0, "2027-05-31T00:00+02:00", "2027-05-25T00:00+02:00"),
        (1, 9, "2027-03-28T09:00+02:00", "2027-03-28T00:00+01:00"),  # the clocks go forward on that day
        (1, 9, "2027-10-31T09:00+01:00", "2027-10-31T00:00+02:00"),
    ],
)
def test_step_is_due_to_those_who_confirmed_by_then(
    days: int, hour: int | None, now: str, confirmed_by: str, settings: Settings
) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    step, at = Campaign(delay_days=days, delay_hour=hour), datetime.fromisoformat(now)
    resolution = timedelta.resolution if hour is not None else timedelta()
    assert series.get_confirmed_until(step, at) == datetime.fromisoformat(confirmed_by) - resolution


def test_reader_gets_the_steps_in_order_at_their_times(clock: TimeMachineFixture) -> None:
    for days, hour in ((3, 18), (0, None), (1, 9)):
        add_step(days, hour)
    confirm()
    assert send_until(clock, START + 5 * DAY) == [
        ("Day 0", START),
        ("Day 1", datetime(2027, 6, 1, 9, tzinfo=UTC)),
        ("Day 3", datetime(2027, 6, 3, 18, tzinfo=UTC)),
    ]


@pytest.mark.parametrize(
    ("delay", "turned_on", "sent", "is_due"),
    [
        # Turning a step on mails nobody whose day has passed.
        ((2, None), DAY, 3 * DAY, True),
        ((2, None), 3 * DAY, 3 * DAY, False),
        ((1, 8), DAY, 3 * DAY, False),
        # An outage of up to three days is caught up.
        ((0, None), -DAY, 2 * DAY, True),
        ((0, None), -DAY, 3 * DAY, False),
    ],
)
def test_window_in_which_a_step_is_sent(
    clock: TimeMachineFixture,
    delay: tuple[int, int | None],
    turned_on: timedelta,
    sent: timedelta,
    is_due: bool,
) -> None:
    """`turned_on`, `sent`: how long after the reader confirmed that happens."""
    reader = SubscriptionFactory(confirmed=True, confirmed_at=START)
    clock.move_to(START + turned_on, tick=False)
    step = add_step(*delay)
    clock.move_to(START + sent, tick=False)
    assert send() == ([(reader.email, step.name)] if is_due else [])
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
        "bounced": {"bounced": True},
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


def test_nobody_gets_a_step_twice(clock: TimeMachineFixture) -> None:
    step = add_step()
    reader = confirm()
    assert len(send()) == 1
    end_subscription(reader, event=ConsentKind.UNSUBSCRIBED, language="en")
    clock.shift(DAY)
    confirm(reader)
    assert send() == []
    series.turn_off(campaign=step)
    turn_on(step)
    assert send() == []


@pytest.mark.parametrize("is_ended_early", [False, True])
def test_paused_reader_gets_the_step_after_the_pause(clock: TimeMachineFixture, is_ended_early: bool) -> None:
    add_step()
    confirm()
    Subscription.objects.update(paused_until=START + 10 * HOUR)
    assert send() == []
    if is_ended_early:
        Subscription.objects.update(paused_until=None)
    sent = send_until(clock, START + DAY, every=HOUR)
    assert sent == [("Day 0", START + (HOUR if is_ended_early else 10 * HOUR))]


def test_reader_whose_turn_comes_while_a_step_is_off_does_not_get_it(clock: TimeMachineFixture) -> None:
    step = add_step(1)
    confirm()
    clock.shift(DAY)
    prepare_deliveries(1)
    series.turn_off(campaign=step)
    clock.shift(HOUR)
    turn_on(step)
    assert send() == []
    step.refresh_from_db()
    assert step.recipient_count == 0


def test_step_is_not_sent_as_a_campaign() -> None:
    step = add_step(is_on=False)
    SubscriptionFactory(confirmed=True)
    with pytest.raises(services.CampaignRefused):
        send_now(step)
    with pytest.raises(services.CampaignRefused):
        schedule(step, timezone.now() + HOUR)


def test_copy_of_a_step_comes_last_and_is_off() -> None:
    first = add_step()
    copy = drafts.create_duplicate(campaign=first, by=None)
    assert list(series.list_steps(first.user_type)) == [first, copy]
    assert (copy.delay_days, copy.state) == (1, CampaignState.DRAFT)


def test_restored_database_sends_no_step() -> None:
    step = add_step()
    get_user_model().objects.create_superuser("admin@sailing.example", "pw")
    confirm()
    stop_restored_work()
    assert send() == []
    step.refresh_from_db()
    assert (step.state, step.stop_reason) == (CampaignState.PAUSED, StopReason.RESTORED)


def test_step_that_is_turned_on_after_a_restore_mails_nobody_whose_turn_has_passed(
    clock: TimeMachineFixture,
) -> None:
    step = add_step()
    get_user_model().objects.create_superuser("admin@sailing.example", "pw")
    confirm()
    prepare_deliveries()
    stop_restored_work()
    clock.shift(HOUR)
    turn_on(step)
    assert send() == []
    step.refresh_from_db()
    assert step.recipient_count == 0


def test_batches_reach_every_reader_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "BATCH_SIZE", 2)
    step = add_step()
    readers = [confirm() for _number in range(5)]
    assert sorted(email for email, _name in send()) == sorted(reader.email for reader in readers)
    step.refresh_from_db()
    assert step.recipient_count == len(readers)


@pytest.mark.parametrize("jump", [-DAY, 2 * DAY])
def test_clock_that_jumps_repeats_nothing(clock: TimeMachineFixture, jump: timedelta) -> None:
    add_step()
    add_step(2, 9)
    received: list[Any] = []
    clock.shift(3 * DAY)
    confirm(email="before@example.com")
    for shift in (jump, -jump):
        received += send()
        clock.shift(shift)
        confirm()
    for _day in range(12):
        received += send()
        clock.shift(DAY)
    assert len(received) == len(set(received)) == 6
