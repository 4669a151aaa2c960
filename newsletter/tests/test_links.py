"""Confirm links."""

from datetime import timedelta

import pytest
from time_machine import TimeMachineFixture

from newsletter.models import ConsentKind, State, Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from sailing.mail.models import OutboxEmail
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

WEEK = timedelta(days=7)


@pytest.fixture
def welcome() -> OutboxEmail:
    """Return the mail to a new subscriber."""
    subscribe()
    deliver()
    return latest()


def stored() -> Subscription:
    return Subscription.objects.get()


def kinds() -> list[str]:
    return [event.kind for event in stored().consent_events.all()]


class TestConfirm:
    def test_button_confirms_the_subscription_for_seven_days(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        Subscription.objects.update(bounced_at="2025-06-01T12:00:00+00:00")  # the mail has arrived after all
        time_machine.shift(WEEK - timedelta(seconds=1))
        page = text(press_button(confirm_address(welcome)))
        assert "Your subscription is confirmed." in page
        assert stored().state is State.CONFIRMED
        assert stored().confirmed_at
        assert kinds() == [ConsentKind.REQUESTED, ConsentKind.REMINDER, ConsentKind.CONFIRMED]

        hint = "The “Unsubscribe” link at the bottom of the same email ends it"
        assert hint not in page
        assert hint in text(open_link(f"{confirm_address(welcome)}&not-me=1"))

    def test_used_link_does_not_undo_a_later_unsubscription(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(confirm_address(welcome))
        press_button(unsubscribe_address(welcome))
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

        time_machine.shift(timedelta(hours=1))
        subscribe()
        assert "This link no longer works" in text(press_button(confirm_address(welcome)))
        assert not stored().is_active

    def test_unsubscribing_closes_open_links(
        self, welcome: OutboxEmail, time_machine: TimeMachineFixture
    ) -> None:
        press_button(unsubscribe_address(welcome))
        address = confirm_address(welcome)
        for days in (0, 8):
            time_machine.shift(timedelta(days=days))
            for page in (open_link(address), press_button(address), press_button(address, renew="1")):
                assert "This link no longer works" in text(page)
        assert stored().state is State.UNSUBSCRIBED
        assert len(mails()) == 1
