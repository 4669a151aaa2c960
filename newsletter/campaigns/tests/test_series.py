"""The welcome series: who gets which step, when, and only once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, SkipReason, StopReason
from newsletter.campaigns.services import CampaignRefused
from newsletter.campaigns.tests.factories import schedule, send_now
from newsletter.campaigns.tests.series_steps import (
    DAY,
    HOUR,
    MINUTE,
    START,
    add_step,
    confirm,
    send,
    send_until,
    turn_on,
)
from newsletter.campaigns.watches import is_stalled
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.installation import stop_restored_work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]


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
        until = series.get_confirmed_until(step, at)
        resolution = timedelta.resolution if hour is not None else timedelta()
        assert until == datetime.fromisoformat(confirmed_by) - resolution

    def test_reader_gets_the_steps_in_order_at_their_times(self, clock: TimeMachineFixture) -> None:
        for days, hour in ((3, 18), (0, None), (1, 9)):
            add_step(days, hour)
        confirm()
        assert send_until(clock, START + 5 * DAY) == [
            ("Day 0", START),
            ("Day 1", datetime(2027, 6, 1, 9, tzinfo=UTC)),
            ("Day 3", datetime(2027, 6, 3, 18, tzinfo=UTC)),
        ]

    @pytest.mark.parametrize(("days", "received"), [(2, ["Day 0", "Day 1"]), (5, ["Day 0"])])
    def test_outage_of_up_to_three_days_is_caught_up(
        self, clock: TimeMachineFixture, days: int, received: list[str]
    ) -> None:
        """Nothing turns a step off by itself."""
        add_step()
        add_step(1)
        confirm()
        send()
        clock.shift(days * DAY)
        assert received[1:] == [name for _email, name in send()]
        assert set(Campaign.objects.values_list("state", flat=True)) == {CampaignState.SENDING}


class TestReaders:
    def test_only_who_confirmed_on_the_site_while_it_is_on_gets_a_step(
        self, clock: TimeMachineFixture
    ) -> None:
        add_step()
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
        assert sorted(email for email, _name in send()) == ["czech@example.com", "english@example.com"]
        clock.shift(MINUTE)
        confirm(Subscription.objects.get(email="imported@example.com"))
        assert [email for email, _name in send()] == ["imported@example.com"]

    def test_nobody_gets_a_step_twice(self, clock: TimeMachineFixture) -> None:
        step = add_step()
        clock.shift(MINUTE)
        reader = confirm()
        assert len(send()) == 1
        end_subscription(reader, event=ConsentKind.UNSUBSCRIBED, language="en")
        clock.shift(DAY)
        confirm(reader)
        assert send() == []
        series.turn_off(campaign=step)
        turn_on(step)
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
        assert Delivery.objects.latest("pk").skip_reason == SkipReason.UNSUBSCRIBED

    @pytest.mark.parametrize("is_ended_early", [False, True])
    def test_paused_reader_gets_the_step_after_the_pause(
        self, clock: TimeMachineFixture, is_ended_early: bool
    ) -> None:
        step = add_step()
        confirm()
        Subscription.objects.update(paused_until=START + 10 * HOUR)
        assert send() == []
        assert not is_stalled(step)
        if is_ended_early:
            Subscription.objects.update(paused_until=None)
        sent = send_until(clock, START + DAY, every=HOUR)
        assert sent == [("Day 0", START + (HOUR if is_ended_early else 10 * HOUR))]

    def test_reader_of_a_language_that_was_removed_gets_the_other_text(self) -> None:
        step = add_step()
        confirm(language="cs")
        series.add_due_readers()
        step.texts.filter(language="cs").update(subject="", body="")
        assert len(send()) == 1


class TestSwitch:
    @pytest.mark.parametrize(
        ("delay", "age", "is_due"), [((2, None), 3, False), ((2, None), 1, True), ((1, 8), 1, False)]
    )
    def test_turning_a_step_on_mails_nobody_whose_day_has_passed(
        self, clock: TimeMachineFixture, delay: tuple[int, int | None], age: int, is_due: bool
    ) -> None:
        reader = confirm()
        clock.shift(age * DAY)
        add_step(*delay, name="step")
        assert send() == []
        clock.shift(2 * DAY)
        assert send() == ([(reader.email, "step")] if is_due else [])

    def test_reader_whose_turn_comes_while_a_step_is_off_does_not_get_it(
        self, clock: TimeMachineFixture
    ) -> None:
        step = add_step(1)
        confirm()
        clock.shift(DAY)
        series.add_due_readers()
        series.turn_off(campaign=step)
        clock.shift(HOUR)
        turn_on(step)
        assert send() == []
        step.refresh_from_db()
        assert step.recipient_count == 0

    def test_step_is_turned_on_as_it_was_shown_and_once(self) -> None:
        step = add_step(is_on=False)
        with pytest.raises(CampaignRefused, match="has changed"):
            series.turn_on(campaign=step, expected_version="draft")
        turn_on(step)
        with pytest.raises(CampaignRefused, match="on already"):
            turn_on(step)
        series.turn_off(campaign=step)
        with pytest.raises(CampaignRefused, match="off already"):
            series.turn_off(campaign=step)

    def test_step_is_not_sent_as_a_campaign(self) -> None:
        step = add_step(is_on=False)
        SubscriptionFactory(confirmed=True)
        with pytest.raises(CampaignRefused):
            send_now(step)
        with pytest.raises(CampaignRefused):
            schedule(step, timezone.now() + HOUR)

    def test_restored_database_sends_no_step(self) -> None:
        step = add_step()
        get_user_model().objects.create_superuser("admin@sailing.example", "pw")
        confirm()
        stop_restored_work()
        assert send() == []
        step.refresh_from_db()
        assert (step.state, step.stop_reason) == (CampaignState.PAUSED, StopReason.RESTORED)


class TestAccidents:
    def test_batches_reach_every_reader_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(series, "BATCH_SIZE", 2)
        step = add_step()
        readers = [confirm() for _number in range(5)]
        assert sorted(email for email, _name in send()) == sorted(reader.email for reader in readers)
        step.refresh_from_db()
        assert step.recipient_count == len(readers)

    def test_reader_who_is_stored_late_is_found(self, clock: TimeMachineFixture) -> None:
        add_step()
        clock.shift(HOUR)
        confirm()
        send()
        clock.shift(MINUTE)
        late = SubscriptionFactory(confirmed=True, confirmed_at=timezone.now() - 5 * MINUTE)
        assert send() == [(late.email, "Day 0")]

    @pytest.mark.parametrize("jump", [-DAY, 2 * DAY])
    def test_clock_that_jumps_repeats_nothing(self, clock: TimeMachineFixture, jump: timedelta) -> None:
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

    def test_mails_that_do_not_leave_are_a_stall(self, clock: TimeMachineFixture) -> None:
        step = add_step()
        clock.shift(DAY)
        confirm()
        series.add_due_readers()
        clock.shift(MINUTE)
        assert not is_stalled(step)
        clock.shift(2 * HOUR)
        step.refresh_from_db()
        assert is_stalled(step)
        assert send()
