"""The links to confirm, and the button "This was not me": somebody else asked for the newsletter."""

import re
from datetime import timedelta
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from newsletter.models import ConsentEvent, ConsentKind, State, Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, not_me_address, unsubscribe_address
from sailing.mail import mailboxes
from tests.mailbox import last_address, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

DAY = timedelta(days=1)


def stored() -> Subscription:
    return Subscription.objects.get()


def is_blocked() -> bool:
    return not mailboxes.reserve("sailor@example.com")


def test_button_confirms_for_seven_days_and_then_asks_for_interests(time_machine: TimeMachineFixture) -> None:
    InterestFactory(name_en="Regattas")
    subscribe()
    address = confirm_address(latest())
    time_machine.shift(7 * DAY - timedelta(seconds=1))
    assert "Regattas" not in text(open_link(address))
    page = text(press_button(address))
    assert "Your subscription is confirmed." in page
    assert "Regattas" in page
    assert stored().state is State.CONFIRMED
    assert stored().confirmed_at
    hint = "The “Unsubscribe” link at the bottom of the same email ends it"
    assert (hint in page, hint in text(open_link(f"{address}&not-me=1"))) == (False, True)


def test_used_link_does_not_undo_a_later_unsubscription(time_machine: TimeMachineFixture) -> None:
    subscribe()
    confirm, unsubscribe = confirm_address(latest()), unsubscribe_address(latest())
    press_button(confirm)
    press_button(unsubscribe)
    for _request in range(2):
        for page in (press_button(confirm), press_button(confirm, renew="1")):
            assert "This link no longer works" in text(page)
        assert not stored().is_active
        time_machine.shift(8 * DAY)
        subscribe()


class TestNotMe:
    @pytest.mark.parametrize("get_address", [confirm_address, unsubscribe_address])
    def test_request_and_its_mails_are_deleted_and_the_mailbox_blocked(self, get_address: Any) -> None:
        subscribe()
        assert "deleted." in text(press_button(get_address(latest()), not_me="1"))
        subscribe()
        subscribe(userType="company")
        assert not Subscription.objects.exists()
        assert not ConsentEvent.objects.exists()
        assert not mails()
        assert is_blocked()

    def test_link_shows_that_question_alone(self, time_machine: TimeMachineFixture) -> None:
        subscribe()
        own = confirm_address(latest())
        assert last_address(latest(), "/newsletter/confirm/") == f"{own}&not-me=1"
        assert text(open_link(own)).count("<button") == 2
        for language, heading in (("en", "This was not me"), ("cs", "To není moje žádost")):
            page = text(open_link(f"{own.replace('lang=en', f'lang={language}')}&not-me=1"))
            assert re.findall(r"<h1[^>]*>(.*)</h1>", page) == [heading]
            assert re.findall(r"<button[^>]*>(.*)</button>", page) == [heading]
            time_machine.shift(7 * DAY)  # the second time, the link has expired
        press_button(own, not_me="1")
        assert not Subscription.objects.exists()

    def test_confirmed_subscription_is_never_deleted(self) -> None:
        subscribe()
        deliver()
        expected = text(press_button(confirm_address(latest())))
        assert text(press_button(confirm_address(latest()), not_me="1")) == expected
        assert stored().state is State.CONFIRMED

    @pytest.mark.parametrize(
        ("standing", "earlier"),
        [
            ({"confirmed": True, "unsubscribed": True}, []),
            ({"confirmed": True, "is_active": False}, []),
            ({"is_active": False}, [ConsentKind.UNSUBSCRIBED]),  # the history alone proves an answer
        ],
    )
    def test_subscription_asked_for_again_keeps_what_its_owner_chose(
        self, standing: dict[str, bool], earlier: list[ConsentKind]
    ) -> None:
        old = SubscriptionFactory(email="sailor@example.com", **standing)
        for kind in earlier:
            ConsentEvent.record(old, kind)
        facts = ("is_active", "confirmed_at", "unsubscribed_at", "asked_again_at")
        before = Subscription.objects.values(*facts).get()
        subscribe()
        deliver()
        for _press in range(2):
            page = text(press_button(confirm_address(latest()), not_me="1"))
            assert "What you had set up with us stays as it was." in page
        assert Subscription.objects.values(*facts).get() == before
        kinds = [event.kind for event in old.consent_events.all()]
        assert kinds == [*earlier, ConsentKind.REQUESTED, ConsentKind.DISOWNED]
        assert is_blocked()

    def test_subscriber_who_is_already_aboard_gets_no_such_mail_again(
        self, time_machine: TimeMachineFixture
    ) -> None:
        SubscriptionFactory(email="sailor@example.com", confirmed=True)
        subscribe()
        deliver()
        assert "not_me" not in text(open_link(unsubscribe_address(latest())))
        page = text(press_button(not_me_address(latest()), not_me="1"))
        assert "We will not send these emails to this address again." in page
        assert stored().state is State.CONFIRMED
        time_machine.shift(2 * DAY)
        subscribe()
        assert len(mails()) == 1
