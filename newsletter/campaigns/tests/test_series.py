"""The welcome series: who gets which step, when, and only once."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series
from newsletter.campaigns.models import Campaign, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.progress import is_stalled
from newsletter.campaigns.recipients import add_deliveries
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.series_steps import (
    DAY,
    HOUR,
    MINUTE,
    START,
    add_step,
    claim,
    confirm,
    send,
    send_until,
    turn_on,
)
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import claims
from sailing.mail.results import DeliveryAttempt, DeliveryResult

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
        sent = send_until(clock, START + 3 * DAY, every=6 * HOUR)
        assert [name for name, _at in sent] == ["first", "second"]

    def test_step_does_not_wait_for_one_that_leaves_the_reader_out(self, clock: TimeMachineFixture) -> None:
        add_step(languages=("en",), missing_language="leave-out")
        add_step(1)
        confirm(language="cs")
        clock.shift(DAY)
        assert [name for _email, name in send()] == ["Day 1"]


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
    def test_reader_of_a_language_that_was_removed_gets_the_other_text_or_none(self, choice: str) -> None:
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
