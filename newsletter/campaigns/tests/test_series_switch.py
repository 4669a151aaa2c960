"""Turning steps of the welcome series on and off, and those that no sender looked at for long."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, StopReason
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.services import CampaignRefused
from newsletter.campaigns.tests.series_steps import (
    DAY,
    HOUR,
    MINUTE,
    START,
    add_step,
    confirm,
    send,
    send_until,
    stop_abandoned,
    turn_on,
)
from newsletter.models import Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import heartbeats
from sailing.mail import installation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]


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
