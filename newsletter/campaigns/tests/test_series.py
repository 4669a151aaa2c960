"""The welcome series: who gets which step, when, and only once."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series, services
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
    StopReason,
)
from newsletter.campaigns.progress import count_recent_deliveries, is_stalled
from newsletter.campaigns.recipients import add_deliveries
from newsletter.campaigns.sender import CampaignMail, CampaignQueue
from newsletter.campaigns.services import CampaignRefused
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import begin_subscription, end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import claims, heartbeats
from sailing.mail import installation
from sailing.mail.results import DeliveryAttempt, DeliveryResult

pytestmark = pytest.mark.django_db(transaction=True)

START = datetime(2027, 5, 31, 9, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


stop_abandoned = series.stop_abandoned


@pytest.fixture(autouse=True)
def clock(
    time_machine: TimeMachineFixture, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> TimeMachineFixture:
    """Stop the clock. A sender has worked until now, however far a test moves it."""
    monkeypatch.setattr(series, "stop_abandoned", lambda: None)
    time_machine.move_to(START, tick=False)
    settings.TIME_ZONE = "UTC"
    return time_machine


def add_step(days: int = 0, hour: int | None = None, *, is_on: bool = True, **values: Any) -> Campaign:
    values = {"user_type": UserType.SAILOR, "name": f"Day {days}"} | values
    step: Campaign = CampaignFactory(delay_days=days, delay_hour=hour, **values)
    if is_on:
        turn_on(step)
    return step


def turn_on(step: Campaign, **values: Any) -> None:
    step.refresh_from_db()
    series.turn_on(campaign=step, expected_version=services.get_version(step), **values)


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
    while mails := claim(queue):
        queue.record([DeliveryAttempt(mail, DeliveryResult.ACCEPTED) for mail in mails])
        keys = [mail.pk for mail in mails]
        found = Delivery.objects.filter(pk__in=keys).order_by("pk")
        sent += found.values_list("subscription__email", "campaign__name")
    return sent


def claim(queue: CampaignQueue) -> list[CampaignMail]:
    """Claim what is due; a step that has nothing is looked at again at once."""
    queue._next_search = 0.0
    for campaign in queue._campaigns:
        campaign.quiet_until = 0.0
    mails = queue.claim(100)
    for _turn in range(10):
        if mails or not queue.has_more:
            return mails
        mails = queue.claim(100)  # its turn was over
    raise AssertionError("No mail in ten turns.")


def send_until(clock: TimeMachineFixture, until: datetime, *, every: timedelta = 3 * HOUR) -> list[Any]:
    """Send as time passes; return what was sent with its time."""
    sent: list[Any] = []
    while timezone.now() <= until:
        sent += [(name, timezone.now()) for _email, name in send()]
        clock.shift(every)
    return sent


class TestDelay:
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
        self, days: int, hour: int | None, now: str, confirmed_by: str, settings: Settings
    ) -> None:
        settings.TIME_ZONE = "Europe/Prague"
        step, at = Campaign(delay_days=days, delay_hour=hour), datetime.fromisoformat(now)
        moment = timedelta.resolution
        until = series.get_confirmed_until(step, at)
        assert until == datetime.fromisoformat(confirmed_by) - (moment if hour is not None else 0 * moment)
        assert series.get_due_at(step, until) <= at < series.get_due_at(step, until + moment)

    def test_reader_gets_the_steps_in_order_at_their_times(self, clock: TimeMachineFixture) -> None:
        for days, hour in ((3, 18), (0, None), (1, 9)):
            add_step(days, hour)
        confirm()
        assert send_until(clock, START + 5 * DAY) == [
            ("Day 0", START),
            ("Day 1", datetime(2027, 6, 1, 9, tzinfo=UTC)),
            ("Day 3", datetime(2027, 6, 3, 18, tzinfo=UTC)),
        ]


class TestReaders:
    def test_only_who_confirmed_on_the_site_while_it_is_on_gets_a_step(
        self, clock: TimeMachineFixture
    ) -> None:
        add_step()
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
        assert sorted(email for email, _name in send()) == ["czech@example.com", "english@example.com"]
        clock.shift(MINUTE)
        confirm(Subscription.objects.get(email="imported@example.com"))
        assert [email for email, _name in send()] == ["imported@example.com"]

    @pytest.mark.parametrize(("choice", "language"), [("other", "en"), ("leave-out", None)])
    def test_reader_of_a_missing_language(self, choice: str, language: str | None) -> None:
        add_step(languages=("en",), missing_language=choice)
        confirm(language="cs")
        send()
        assert Delivery.objects.values_list("language", flat=True).first() == language

    def test_nobody_gets_a_step_twice(self, clock: TimeMachineFixture) -> None:
        step = add_step()
        reader = confirm()
        assert len(send()) == 1
        end_subscription(reader, event=ConsentKind.UNSUBSCRIBED, language="en")
        clock.shift(DAY)
        confirm(reader)
        assert send() == []
        series.turn_off(campaign=step)
        turn_on(step, expected_passed=0)
        assert send() == []

    def test_reader_who_leaves_gets_no_further_step(self, clock: TimeMachineFixture) -> None:
        add_step()
        add_step(1)
        reader = confirm()
        assert len(send()) == 1
        clock.shift(DAY)
        series.add_due_readers()
        end_subscription(reader, event=ConsentKind.UNSUBSCRIBED, language="en")
        assert send() == []
        assert Delivery.objects.last().skip_reason == SkipReason.UNSUBSCRIBED  # type: ignore[union-attr]

    def test_paused_reader_gets_the_steps_after_the_pause_at_their_distance(
        self, clock: TimeMachineFixture
    ) -> None:
        for days in (0, 1, 3):
            add_step(days, 9 if days else None)
        reader = confirm()
        send()
        Subscription.objects.filter(pk=reader.pk).update(paused_until=START + 10 * DAY)
        assert send_until(clock, START + 8 * DAY, every=DAY) == send() == []
        assert not any(is_stalled(step) for step in Campaign.objects.all())
        assert send_until(clock, START + 13 * DAY) == [
            ("Day 1", START + 10 * DAY),
            ("Day 3", datetime(2027, 6, 12, 9, tzinfo=UTC)),
        ]

    def test_reader_who_ends_the_pause_early_gets_the_step_within_an_hour(
        self, clock: TimeMachineFixture
    ) -> None:
        add_step()
        reader = confirm()
        Subscription.objects.update(paused_until=START + 10 * DAY)
        send()
        Subscription.objects.update(paused_until=None)
        clock.shift(HOUR)
        assert send() == [(reader.email, "Day 0")]

    @pytest.mark.parametrize("clock_of", ["database", "process"])
    def test_pause_that_is_over_by_one_clock_only_skips_nobody(
        self, clock_of: str, clock: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_step()
        reader = confirm()
        ahead = START + MINUTE
        Subscription.objects.update(paused_until=START + timedelta(seconds=30))
        series.add_due_readers()
        with monkeypatch.context() as patch:
            if clock_of == "database":
                patch.setattr(claims, "now", lambda: ahead)
            else:
                clock.move_to(ahead, tick=False)
                patch.setattr(claims, "now", lambda: START)
            assert claim(CampaignQueue()) == []
        assert Delivery.objects.get().state == DeliveryState.WAITING
        clock.shift(2 * MINUTE)
        assert send() == [(reader.email, "Day 0")]

    def test_mails_that_do_not_leave_are_a_stall(self, clock: TimeMachineFixture) -> None:
        step = add_step()
        for _day in range(2):  # the first time nothing has ever been sent, then it was a day ago
            clock.shift(DAY)
            confirm()
            series.add_due_readers()
            clock.shift(MINUTE)
            assert not is_stalled(step)
            clock.shift(2 * HOUR)
            step.refresh_from_db()
            assert is_stalled(step)
            assert send()

    def test_metrics_count_what_failed_in_the_last_day(self, clock: TimeMachineFixture) -> None:
        add_step()
        confirm()
        send()
        Delivery.objects.update(state=DeliveryState.FAILED)
        assert count_recent_deliveries()["failed"] == 1
        clock.shift(DAY)
        assert count_recent_deliveries()["failed"] == 0

    def test_step_waits_for_the_one_before_it(self, clock: TimeMachineFixture) -> None:
        add_step()
        add_step(1)
        confirm()
        queue = CampaignQueue()
        series.add_due_readers()
        (mail,) = claim(queue)
        queue.record([DeliveryAttempt(mail, DeliveryResult.POSTPONED, "451 later")])
        Delivery.objects.update(next_attempt_at=START + 2 * DAY)
        clock.shift(DAY)
        assert send() == []
        assert send_until(clock, START + 4 * DAY) == [
            ("Day 0", START + 2 * DAY),
            ("Day 1", START + 3 * DAY),
        ]

    def test_step_waits_for_one_that_has_not_added_its_readers(self, clock: TimeMachineFixture) -> None:
        first, second = add_step(), add_step(1)
        reader = confirm()
        clock.shift(DAY)
        series._add_next(second.pk, START)  # before another sender adds those of the first one
        queue = CampaignQueue()
        queue._next_sweep = float("inf")
        assert claim(queue) == []
        series._add_next(first.pk, timezone.now())
        assert [mail.pk for mail in claim(queue)] == [reader.deliveries.get(campaign=first).pk]

    def test_steps_of_one_day_are_in_order(self, clock: TimeMachineFixture) -> None:
        add_step(1, name="first")
        add_step(1, 9, name="second")
        confirm()
        assert [name for name, _at in send_until(clock, START + 3 * DAY, every=6 * HOUR)] == [
            "first",
            "second",
        ]

    def test_step_does_not_wait_for_one_that_leaves_the_reader_out(self, clock: TimeMachineFixture) -> None:
        add_step(languages=("en",), missing_language="leave-out")
        add_step(1)
        confirm(language="cs")
        clock.shift(DAY)
        assert [name for _email, name in send()] == ["Day 1"]


class TestSwitch:
    @pytest.mark.parametrize(("passed", "receivers"), [(False, {"new@example.com"}), (True, None)])
    def test_later_step_goes_to_those_who_have_passed_its_place_only_if_asked(
        self, clock: TimeMachineFixture, passed: bool, receivers: set[str] | None
    ) -> None:
        add_step()
        clock.shift(MINUTE)
        confirm(email="old@example.com")
        clock.shift(5 * DAY)
        confirm(email="new@example.com")
        send()
        clock.shift(DAY)
        step = add_step(3, is_on=False)
        assert series.count_passed(step) == 1
        turn_on(step, expected_passed=1 if passed else None)
        sent = {email for email, _name in send()}
        clock.shift(4 * DAY)
        sent |= {email for email, _name in send()}
        assert sent == (receivers or {"old@example.com", "new@example.com"})

    @pytest.mark.parametrize("passed", [False, True])
    def test_reader_whose_turn_comes_while_a_step_is_off_gets_it_only_if_asked(
        self, clock: TimeMachineFixture, passed: bool
    ) -> None:
        add_step(name="first")
        step = add_step(name="second")
        confirm(email="waiting@example.com")
        series.add_due_readers()
        series.turn_off(campaign=step)
        clock.shift(MINUTE)
        confirm(email="off@example.com")
        assert {name for _email, name in send()} == {"first"}
        clock.shift(HOUR)
        assert series.count_passed(step) == 2
        turn_on(step, expected_passed=2 if passed else None)
        assert len(send()) == (2 if passed else 0)
        step.refresh_from_db()
        assert step.recipient_count == Delivery.objects.filter(campaign=step).count()

    def test_paused_reader_still_gets_a_step_that_was_off_for_a_while(
        self, clock: TimeMachineFixture
    ) -> None:
        step = add_step()
        reader = confirm()
        Subscription.objects.update(paused_until=START + DAY)
        send()
        series.turn_off(campaign=step)
        clock.shift(HOUR)
        assert series.count_passed(step) == 0
        turn_on(step)
        clock.shift(DAY)
        assert send() == [(reader.email, "Day 0")]

    @pytest.mark.parametrize("is_asked", [False, True])
    def test_number_has_all_who_get_it_only_if_asked(self, is_asked: bool, clock: TimeMachineFixture) -> None:
        """Also those in the middle of a series all of whose steps were off."""
        step = add_step(3)
        confirm(email="passed@example.com")
        clock.shift(2 * DAY)
        confirm(email="amid@example.com")
        series.turn_off(campaign=step)
        clock.shift(2 * DAY)
        assert series.count_passed(step) == 2
        turn_on(step, expected_passed=2 if is_asked else None)
        confirm(email="new@example.com")
        sent = [email for email, _name in send()]
        clock.shift(DAY)
        sent += [email for email, _name in send()]
        assert sent == (["passed@example.com", "amid@example.com"] if is_asked else [])

    def test_step_that_was_off_does_not_begin_the_series_anew(self, clock: TimeMachineFixture) -> None:
        steps = [add_step(days) for days in (0, 7)]
        reader = confirm()
        send()
        for step in steps:
            clock.shift(DAY)
            series.turn_off(campaign=step)
            turn_on(step)
        clock.shift(7 * DAY)
        assert send() == [(reader.email, "Day 7")]

    def test_turning_on_what_has_changed_is_refused(self) -> None:
        step = add_step(is_on=False)
        with pytest.raises(CampaignRefused, match="has changed"):
            series.turn_on(campaign=step, expected_version="draft")
        with pytest.raises(CampaignRefused, match="number of its readers has changed"):
            turn_on(step, expected_passed=3)
        step.texts.update(subject="")
        with pytest.raises(CampaignRefused, match="errors"):
            turn_on(step)
        step.refresh_from_db()
        assert step.state == CampaignState.DRAFT

    def test_step_cannot_be_sent_as_a_campaign(self, admin: Any) -> None:
        step = add_step(is_on=False)
        SubscriptionFactory(confirmed=True)
        with pytest.raises(CampaignRefused):
            services.send_now(campaign=step, by=admin, expected_version=services.get_version(step, 1))

    def test_restored_database_sends_no_step(self) -> None:
        step, off, abandoned = (add_step(days) for days in range(3))
        series.turn_off(campaign=off)
        services.pause_abandoned(abandoned)
        confirm()
        installation.stop_restored_work()
        assert send() == []
        for each, reason in ((step, StopReason.RESTORED), (off, ""), (abandoned, StopReason.RESTORED)):
            each.refresh_from_db()
            assert (each.state, each.stop_reason) == (CampaignState.PAUSED, reason)
        series.turn_off(campaign=step)
        assert not step.stop_reason


class TestEdit:
    def test_next_readers_get_the_edited_text(self, clock: TimeMachineFixture) -> None:
        step = add_step()
        confirm()
        queue = CampaignQueue()
        series.add_due_readers()
        assert claim(queue)[0].rendered.subject == "The regatta begins"
        clock.shift(MINUTE)
        step.texts.filter(language="en").update(subject="New words")
        Campaign.objects.get(pk=step.pk).save()
        confirm()
        series.add_due_readers()
        assert claim(queue)[0].rendered.subject == "New words"

    @pytest.mark.parametrize("choice", ["other", "leave-out"])
    def test_reader_of_a_language_that_was_removed(self, choice: str) -> None:
        step = add_step()
        confirm(language="cs")
        series.add_due_readers()
        step.texts.filter(language="cs").update(subject="", body="")
        Campaign.objects.filter(pk=step.pk).update(missing_language=choice)
        subjects = [mail.rendered.subject for mail in claim(CampaignQueue())]
        assert subjects == (["The regatta begins"] if choice == "other" else [])
        assert Delivery.objects.get().skip_reason == ("" if choice == "other" else SkipReason.NO_TEXT)

    @pytest.mark.parametrize("days", [1, 5])
    def test_changed_delay_counts_for_those_who_wait(self, clock: TimeMachineFixture, days: int) -> None:
        step = add_step(3)
        confirm()
        send()
        Campaign.objects.filter(pk=step.pk).update(delay_days=days)
        assert send_until(clock, START + 7 * DAY, every=DAY) == [("Day 3", START + days * DAY)]

    def test_shorter_delay_of_a_step_that_is_sent_postpones_no_later_one(
        self, clock: TimeMachineFixture
    ) -> None:
        step = add_step(5)
        add_step(7)
        confirm()
        assert send_until(clock, START + 5 * DAY, every=DAY) == [("Day 5", START + 5 * DAY)]
        Campaign.objects.filter(pk=step.pk).update(delay_days=1, changed_at=timezone.now())
        assert send_until(clock, START + 12 * DAY, every=DAY) == [("Day 7", START + 7 * DAY)]


class TestAccidents:
    def test_readers_are_added_again_if_one_is_erased_meanwhile(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_step()
        erased, reader = confirm(email="erased@example.com"), confirm()

        def add_and_erase(*args: Any) -> int:
            count = add_deliveries(*args)
            Delivery.objects.filter(subscription=erased).update(subscription=uuid4())
            return count

        with monkeypatch.context() as patch:
            patch.setattr(series, "add_deliveries", add_and_erase)
            assert not series.add_due_readers()
        assert not Delivery.objects.exists()
        erased.delete()
        assert send() == [(reader.email, "Day 0")]

    def test_interrupted_batch_is_repeated_as_a_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(series, "BATCH_SIZE", 2)
        step = add_step()
        readers = [confirm() for _number in range(5)]
        added_until = step.added_until

        def add_and_fail(*args: Any) -> int:
            add_deliveries(*args)
            raise ValueError

        with monkeypatch.context() as patch:
            patch.setattr(series, "add_deliveries", add_and_fail)
            assert not series.add_due_readers()
        step.refresh_from_db()
        assert step.added_until == added_until
        assert not Delivery.objects.exists()
        assert sorted(email for email, _name in send()) == sorted(reader.email for reader in readers)
        step.refresh_from_db()
        assert step.recipient_count == len(readers)

    @pytest.mark.parametrize("error", [ValueError, OperationalError])
    def test_step_that_fails_stops_no_other(
        self, error: type[Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Unless the database is unavailable."""
        broken, _other = add_step(name="broken", user_type=UserType.COMPANY), add_step()
        reader = confirm()
        confirm(user_type=UserType.COMPANY)
        add_next = series._add_next

        def fail(campaign_pk: int, until: datetime) -> bool:
            if campaign_pk == broken.pk:
                raise error
            return add_next(campaign_pk, until)

        monkeypatch.setattr(series, "_add_next", fail)
        if error is OperationalError:
            with pytest.raises(OperationalError):
                series.add_due_readers()
        else:
            assert send() == [(reader.email, "Day 0")]

    @pytest.mark.parametrize("error", [ValueError, OperationalError])
    def test_step_whose_mails_cannot_be_claimed_stops_no_other(
        self, error: type[Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Unless the database is unavailable: then nothing is claimed."""
        add_step(name="broken", user_type=UserType.COMPANY)
        confirm(user_type=UserType.COMPANY)
        series.add_due_readers()
        add_step(1)
        Campaign.objects.filter(delay_days=1).update(readers_since=START - DAY, added_until=START - DAY)
        reader = SubscriptionFactory(confirmed=True, confirmed_at=START - DAY)
        series.add_due_readers()
        find_postponed = series.find_postponed

        def fail(campaign_pk: int, *args: Any) -> dict[int, datetime]:
            if Campaign.objects.get(pk=campaign_pk).name == "broken":
                raise error
            return find_postponed(campaign_pk, *args)

        monkeypatch.setattr(series, "find_postponed", fail)
        if error is OperationalError:
            with pytest.raises(OperationalError):
                CampaignQueue().claim(100)
        else:
            assert [mail.recipient for mail in claim(CampaignQueue())] == [reader.email]

    def test_reader_who_is_stored_late_is_found(self, clock: TimeMachineFixture) -> None:
        add_step()
        clock.shift(HOUR)
        confirm()
        send()
        clock.shift(MINUTE)
        late = SubscriptionFactory(confirmed=True, confirmed_at=timezone.now() - 5 * MINUTE)
        assert send() == [(late.email, "Day 0")]

    @pytest.mark.parametrize("jump", [-DAY, 7 * DAY])
    def test_clock_that_jumps_repeats_nothing_and_leaves_out_nobody(
        self, clock: TimeMachineFixture, jump: timedelta
    ) -> None:
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

    def test_outage_of_days_sends_the_steps_at_their_distance(self, clock: TimeMachineFixture) -> None:
        add_step()
        add_step(1, 9)
        add_step(2, 9)
        confirm()
        assert len(send()) == 1
        clock.shift(7 * DAY)
        assert send_until(clock, START + 10 * DAY) == [
            ("Day 1", START + 7 * DAY),
            ("Day 2", datetime(2027, 6, 8, 9, tzinfo=UTC)),
        ]


class TestAbandoned:
    """No sender looked at the series for more than an hour: a step with readers to send to is turned off."""

    @pytest.fixture
    def silence(self, clock: TimeMachineFixture) -> Callable[[timedelta], None]:
        """Return a function that lets no sender look for some time, and then one."""
        stop_abandoned()

        def pass_time(silence: timedelta) -> None:
            clock.shift(silence)
            stop_abandoned()

        return pass_time

    @pytest.mark.parametrize(
        ("silence_for", "state"),
        [(HOUR, CampaignState.SENDING), (HOUR + MINUTE, CampaignState.PAUSED)],
    )
    @pytest.mark.parametrize("is_added", [False, True])
    def test_step_is_turned_off_after_more_than_an_hour(
        self, silence_for: timedelta, state: CampaignState, is_added: bool, silence: Any, admin: Any
    ) -> None:
        step = add_step(created_by=admin)
        confirm()
        if is_added:
            series.add_due_readers()
        silence(silence_for)
        step.refresh_from_db()
        assert step.state == state
        is_off = state == CampaignState.PAUSED
        assert (step.stop_reason == StopReason.ABANDONED) is is_off
        assert LogEntry.objects.filter(change_message=services.ABANDONED).exists() is is_off
        assert bool(send()) is not is_off

    def test_step_without_readers_to_send_to_goes_on(self, silence: Any) -> None:
        add_step(1)
        confirm()
        Subscription.objects.update(paused_until=START + 10 * DAY)
        confirm(email="tomorrow@example.com")
        add_step()
        send()
        silence(2 * HOUR)
        assert set(Campaign.objects.values_list("state", flat=True)) == {CampaignState.SENDING}

    @pytest.mark.parametrize("is_on_again", [True, False])
    def test_step_that_was_turned_on_or_saved_in_the_silence(
        self, is_on_again: bool, clock: TimeMachineFixture, silence: Any
    ) -> None:
        """Saving it says nothing about its readers, so it is turned off."""
        step = add_step()
        confirm()
        clock.shift(DAY)
        if is_on_again:
            series.turn_off(campaign=step)
            turn_on(step, expected_passed=1)
        else:
            Campaign.objects.get(pk=step.pk).save()
        silence(MINUTE)
        step.refresh_from_db()
        assert (step.state == CampaignState.SENDING) is is_on_again

    def test_step_can_be_turned_on_if_it_has_more_readers_than_shown_but_not_fewer(
        self, clock: TimeMachineFixture, silence: Any
    ) -> None:
        step = add_step()
        readers = [confirm()]
        silence(2 * HOUR)
        step.refresh_from_db()
        shown = series.count_passed(step)
        with pytest.raises(CampaignRefused, match="number of its readers has changed"):
            turn_on(step, expected_passed=shown + 1)
        readers.append(confirm())
        turn_on(step, expected_passed=shown)
        assert len(send()) == len(readers)

    def test_sender_looks_while_the_mail_server_is_unavailable(
        self, clock: TimeMachineFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(series, "stop_abandoned", stop_abandoned)
        add_step()
        reader = confirm()
        for _look in range(5):
            assert CampaignQueue().claim(0) == []
            assert heartbeats.is_recent(series.HEARTBEAT)
            clock.shift(HOUR)
        assert send() == [(reader.email, "Day 0")]

    @pytest.mark.parametrize("is_asked", [True, False])
    def test_step_goes_on_where_it_stopped(
        self, is_asked: bool, clock: TimeMachineFixture, silence: Any
    ) -> None:
        """With those whose turn came meanwhile only if asked, and with all later ones. Of both steps."""
        confirm(email="before@example.com")
        clock.shift(MINUTE)
        steps = [add_step(), add_step(1)]
        silence(MINUTE)
        confirm(email="due@example.com")
        series.add_due_readers()
        clock.shift(DAY - HOUR)
        confirm(email="amid@example.com")
        silence(2 * HOUR)
        clock.shift(HOUR)
        steps = list(Campaign.objects.order_by("delay_days"))
        assert [series.count_passed(step) for step in steps] == [2, 1]
        for step in steps:
            turn_on(step, expected_passed=series.count_passed(step) if is_asked else None)
        sent = send_until(clock, START + 4 * DAY)
        assert len(sent) == (4 if is_asked else 1)
        amid = Subscription.objects.get(email="amid@example.com")
        assert amid.deliveries.filter(campaign=steps[1], state=DeliveryState.SENT).exists()
        assert not Subscription.objects.get(email="before@example.com").deliveries.exists()

    def test_reader_of_an_earlier_state_of_the_database_gets_no_step_again(self, silence: Any) -> None:
        step = add_step()
        confirm()
        assert len(send()) == 1
        # As in a snapshot from before the mail.
        Delivery.objects.all().delete()
        Campaign.objects.update(added_until=START - MINUTE)
        silence(2 * HOUR)
        assert send() == []
        turn_on(step)
        assert send() == []

    @pytest.mark.parametrize(
        ("is_added", "decision", "names"),
        [
            (True, "send", ["Day 0", "Day 1"]),
            (False, "send", ["Day 0", "Day 1"]),
            (False, "pass over", ["Day 1"]),
            (False, "leave off", ["Day 1"]),
        ],
    )
    def test_later_step_waits_until_an_admin_decides(
        self, is_added: bool, decision: str, names: list[str], clock: TimeMachineFixture, silence: Any
    ) -> None:
        first, _second = add_step(), add_step(1)
        confirm()
        if is_added:
            series.add_due_readers()
        silence(2 * HOUR)
        clock.shift(DAY)
        assert send() == []
        first.refresh_from_db()
        if decision == "leave off":
            series.turn_off(campaign=first)
        else:
            turn_on(first, expected_passed=1 if decision == "send" else None)
        assert [name for name, _at in send_until(clock, timezone.now() + DAY + HOUR)] == names

    def test_step_that_cannot_be_looked_at_keeps_no_other_on(
        self, silence: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken, step = add_step(name="broken", user_type=UserType.COMPANY), add_step()
        for user_type in UserType.values:
            confirm(user_type=user_type)
        pause = services.pause_abandoned

        def fail(campaign: Campaign) -> bool:
            pause(campaign)
            if campaign == broken:
                raise ValueError
            return True

        monkeypatch.setattr(services, "pause_abandoned", fail)
        silence(2 * HOUR)
        broken.refresh_from_db()
        step.refresh_from_db()
        assert (broken.state, step.state) == (CampaignState.PAUSED, CampaignState.PAUSED)
        assert broken.stop_reason == StopReason.ABANDONED

    def test_unavailable_database_leaves_the_silence_to_the_next_look(
        self, silence: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        step = add_step()
        confirm()
        with monkeypatch.context() as patch:
            patch.setattr(services, "pause_abandoned", Mock(side_effect=OperationalError))
            with pytest.raises(OperationalError):
                silence(2 * HOUR)
        silence(MINUTE)
        step.refresh_from_db()
        assert step.state == CampaignState.PAUSED
