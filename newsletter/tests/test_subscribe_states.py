"""What a request does to an existing subscription, by its state."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, SubscriptionQuerySet
from newsletter.services import administration
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def stored() -> Subscription:
    return Subscription.objects.get()


def test_new_address_becomes_pending_and_gets_a_welcome_mail() -> None:
    subscribe(email="Sailor@Example.com", userType="company", source="landing-companies")

    subscription = stored()
    assert subscription.state is State.PENDING
    assert subscription.is_active
    assert (subscription.email, subscription.user_type) == ("sailor@example.com", "company")
    assert (subscription.source, subscription.language) == ("landing-companies", "en")
    assert [mail.recipient for mail in mails()] == ["sailor@example.com"]
    assert latest().subject == "Welcome aboard! Please confirm your subscription"


def test_repeated_request_violates_no_constraint() -> None:
    """PostgreSQL logs each violated constraint as an error."""
    errors = []

    def watch(execute: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return execute(*arguments)
        except DatabaseError as error:
            errors.append(error)
            raise

    subscribe()
    with connection.execute_wrapper(watch):
        subscribe()
    assert not errors


def test_request_overtaken_by_another_changes_what_that_has_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    SubscriptionFactory(email="sailor@example.com", confirmed=True)
    lock = SubscriptionQuerySet.select_for_update

    def find_nothing_once(self: SubscriptionQuerySet) -> SubscriptionQuerySet:
        monkeypatch.setattr(SubscriptionQuerySet, "select_for_update", lock)
        return self.none()

    monkeypatch.setattr(SubscriptionQuerySet, "select_for_update", find_nothing_once)
    assert subscribe(email="sailor@example.com").data["success"]
    assert stored().state is State.CONFIRMED
    assert len(mails()) == 1


def test_pending_subscriber_gets_another_mail_after_ten_minutes(time_machine: TimeMachineFixture) -> None:
    subscribe()
    time_machine.shift(timedelta(minutes=10, seconds=-1))
    subscribe()
    assert len(mails()) == 1

    time_machine.shift(timedelta(seconds=1))
    subscribe(source=None)
    assert len(mails()) == 2
    assert confirm_address(mails()[0]) != confirm_address(mails()[1])
    assert stored().source == "landing-sailors"
    requests = stored().consent_events.filter(kind=ConsentKind.REQUESTED)
    assert [event.source for event in requests] == ["landing-sailors", ""]


def test_confirmed_subscriber_gets_one_already_subscribed_mail_a_day(
    time_machine: TimeMachineFixture,
) -> None:
    subscription = SubscriptionFactory(email="sailor@example.com", confirmed=True, language="cs")
    subscribe()
    assert latest().subject == "You are already aboard"

    time_machine.shift(timedelta(days=1, seconds=-1))
    subscribe()
    assert len(mails()) == 1

    time_machine.shift(timedelta(seconds=1))
    subscribe(source="landing-companies")
    assert len(mails()) == 2
    assert stored().state is State.CONFIRMED
    assert (stored().language, stored().source) == ("cs", "")
    assert not subscription.consent_events.exists()


class TestRequestForAnEndedSubscription:
    """What the owner said before is kept until the owner confirms."""

    def facts(self) -> tuple[object, ...]:
        found = stored()
        return found.is_active, found.is_confirmed, found.confirmed_at, found.unsubscribed_at

    @pytest.mark.parametrize(
        "standing",
        [
            {"confirmed": True, "unsubscribed": True},
            {"confirmed": True, "is_active": False},
            {"is_active": False},
        ],
        ids=["unsubscribed", "by an admin", "by an admin, unconfirmed"],
    )
    def test_subscription_becomes_pending_and_keeps_its_facts(
        self, time_machine: TimeMachineFixture, standing: dict[str, bool]
    ) -> None:
        SubscriptionFactory(email="sailor@example.com", **standing)
        before = self.facts()
        time_machine.shift(timedelta(days=1))
        subscribe()
        assert self.facts() == before
        assert stored().state is State.PENDING
        assert stored().asked_again_at == timezone.now()

        time_machine.shift(timedelta(minutes=10))
        assert administration.ask_again(subscription=stored())
        assert self.facts() == before
        press_button(confirm_address(latest()))
        assert stored().state is State.CONFIRMED
        assert stored().is_active
        assert not stored().asked_again_at
        assert not stored().unsubscribed_at

    def test_only_the_owner_can_undo_an_unsubscription(self) -> None:
        SubscriptionFactory(email="sailor@example.com", confirmed=True, unsubscribed=True)
        subscribe()
        assert administration.restore(subscription=stored()) is False
        press_button(unsubscribe_address(latest()))
        assert stored().state is State.UNSUBSCRIBED
        assert not stored().asked_again_at


def test_limits_on_mails_apply_to_an_unsubscribed_subscription(time_machine: TimeMachineFixture) -> None:
    for _ in range(7):
        subscribe()
        if deliver():
            press_button(unsubscribe_address(latest()))
        time_machine.shift(timedelta(minutes=10))
    assert len(mails()) == 4  # the reminder of the first counts
    assert stored().state is State.UNSUBSCRIBED


def test_who_unsubscribed_and_asks_again_within_the_pause_gets_one_mail_at_once() -> None:
    subscribe()
    deliver()
    (first,) = mails()
    press_button(unsubscribe_address(first))
    for _ in range(2):
        subscribe()
    assert stored().state is State.PENDING
    assert len(mails()) == 2
    press_button(unsubscribe_address(first))
    assert mails() == [first]
    subscribe()
    deliver()
    press_button(confirm_address(latest()))
    assert stored().state is State.CONFIRMED


def test_reminder_does_not_delay_a_confirmation_mail() -> None:
    SubscriptionFactory(email="sailor@example.com", confirmed=True)
    subscribe()
    deliver()
    press_button(unsubscribe_address(latest()))
    subscribe()
    assert latest().subject == "Welcome aboard! Please confirm your subscription"
    assert latest().next_attempt_at == timezone.now()


def test_bounced_subscriber_gets_nothing() -> None:
    SubscriptionFactory(email="sailor@example.com", bounced=True)
    SubscriptionFactory(email="sailor@example.com", bounced=True, confirmed=True, user_type="company")
    subscribe()
    subscribe(userType="company")
    assert not mails()
    assert not ConsentEvent.objects.exists()
    assert {each.state for each in Subscription.objects.all()} == {State.BOUNCED}
