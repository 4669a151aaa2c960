"""Use cases of admins: resend, deactivate, activate."""

from datetime import timedelta

import pytest
from time_machine import TimeMachineFixture

from newsletter.models import ConsentKind, State, Subscription
from newsletter.services import administration
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, unsubscribe_address
from tests.mailbox import latest, mails, press_button

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def kinds(subscription: Subscription) -> list[str]:
    return [event.kind for event in subscription.consent_events.all()]


class TestResend:
    def test_pending_subscriber_is_asked_again_in_their_language(self) -> None:
        subscription = SubscriptionFactory(language="cs")
        assert administration.resend_confirmation(subscription=subscription)
        assert latest().subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"
        assert kinds(subscription) == [ConsentKind.REQUESTED]

    def test_limits_on_mails_apply(self, time_machine: TimeMachineFixture) -> None:
        subscription = SubscriptionFactory()
        sent = []
        for _ in range(14):
            sent.append(administration.resend_confirmation(subscription=subscription))
            time_machine.shift(timedelta(minutes=5))
        assert sent == [True, False] * 5 + [False] * 4
        assert len(mails()) == 5


class TestDeactivate:
    def test_newsletters_stop_and_open_links_close(self, subscribe: Subscribe) -> None:
        subscribe()
        deliver()
        subscription = Subscription.objects.get()
        assert administration.deactivate(subscription=subscription)

        press_button(confirm_address(latest()))
        subscription.refresh_from_db()
        assert not subscription.is_active
        assert not subscription.is_confirmed
        assert kinds(subscription) == [ConsentKind.REQUESTED, ConsentKind.DEACTIVATED]

    def test_pending_mail_is_cancelled(self, subscribe: Subscribe) -> None:
        subscribe()
        administration.deactivate(subscription=Subscription.objects.get())
        assert not mails()

    def test_deactivation_can_be_undone(self) -> None:
        subscription = SubscriptionFactory(confirmed=True)
        assert administration.deactivate(subscription=subscription)
        assert administration.activate(subscription=subscription)

        subscription.refresh_from_db()
        assert subscription.is_active
        assert subscription.state is State.CONFIRMED
        assert kinds(subscription) == [ConsentKind.DEACTIVATED, ConsentKind.ACTIVATED]

    def test_owner_can_still_unsubscribe(self, subscribe: Subscribe) -> None:
        subscribe()
        deliver()
        administration.deactivate(subscription=Subscription.objects.get())
        press_button(unsubscribe_address(latest()))
        assert Subscription.objects.get().state is State.UNSUBSCRIBED


class TestActivate:
    def test_open_links_of_a_confirmed_subscriber_close(self, subscribe: Subscribe) -> None:
        subscription = SubscriptionFactory(email="sailor@example.com", confirmed=True)
        administration.deactivate(subscription=subscription)
        subscribe()
        address = confirm_address(latest())
        administration.activate(subscription=subscription)
        assert not mails()
        press_button(address)
        assert kinds(subscription) == [
            ConsentKind.DEACTIVATED,
            ConsentKind.REQUESTED,
            ConsentKind.ACTIVATED,
        ]

    def test_activation_does_not_confirm(self) -> None:
        subscription = SubscriptionFactory(is_active=False)
        assert administration.activate(subscription=subscription)
        subscription.refresh_from_db()
        assert subscription.is_active
        assert not subscription.is_confirmed
