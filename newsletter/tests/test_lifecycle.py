"""How subscriptions go from state to state, and what a request does to an existing one."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.models import (
    ConsentEvent,
    ConsentKind,
    LinkPurpose,
    State,
    Subscription,
    SubscriptionLink,
)
from newsletter.services import administration
from newsletter.services.lifecycle import record_bounce
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, manage_address, unsubscribe_address
from tests.mailbox import Reader, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def stored() -> Subscription:
    return Subscription.objects.get()


EMAIL = "sailor@example.com"
WELCOME, ABOARD = "Welcome aboard! Please confirm your subscription", "You are already aboard"
INVITED = "May we send you our newsletter?"
BEFORE: dict[str, dict[str, Any]] = {
    "pending": {},
    "confirmed": {"confirmed": True},
    "paused": {"confirmed": True, "paused": True},
    "unsubscribed": {"confirmed": True, "unsubscribed": True},
    "ended by an admin": {"confirmed": True, "is_active": False},
    "ended unconfirmed": {"is_active": False},
    "asked again": {"confirmed": True, "unsubscribed": True, "asked_again_at": timezone.now()},
    "bounced": {"confirmed": True, "bounced": True},
}


def confirm_by_mail(subscription: Subscription) -> None:
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    press_button(f"/newsletter/confirm/{token}/")


ACTIONS: dict[str, Callable[[Subscription], Any]] = {
    "asks": lambda _each: subscribe(email=EMAIL),
    "confirms": confirm_by_mail,
    "leaves": lambda each: press_button(manage_address(each)),
    "disowns": lambda each: press_button(manage_address(each), not_me="1"),
    "bounces": lambda each: record_bounce(email=each.email),
    "admin asks": lambda each: administration.ask_again(subscription=each),
    "admin unsubscribes": lambda each: administration.unsubscribe(subscription=each),
    "admin restores": lambda each: administration.restore(subscription=each),
    "admin marks as reachable": lambda each: administration.mark_reachable(subscription=each),
}
PENDING, CONFIRMED, GONE, BOUNCED = State.PENDING, State.CONFIRMED, State.UNSUBSCRIBED, State.BOUNCED
ENDED = (GONE, ConsentKind.ENDED_BY_ADMIN, "")
AFTER: dict[str, dict[str, tuple[State | None, ConsentKind | None, str]]] = {
    "asks": {
        **dict.fromkeys(BEFORE, (PENDING, ConsentKind.REQUESTED, WELCOME)),
        "confirmed": (CONFIRMED, None, ABOARD),
        "paused": (State.PAUSED, None, ABOARD),
        "bounced": (BOUNCED, None, ""),
    },
    "confirms": dict.fromkeys(BEFORE, (CONFIRMED, ConsentKind.CONFIRMED, "")),
    "leaves": {
        **dict.fromkeys(BEFORE, (GONE, ConsentKind.UNSUBSCRIBED, "")),
        "unsubscribed": (GONE, None, ""),
        "bounced": (BOUNCED, ConsentKind.UNSUBSCRIBED, ""),
    },
    "disowns": {
        **dict.fromkeys(("pending", "ended unconfirmed"), (None, None, "")),
        "asked again": (GONE, ConsentKind.DISOWNED, ""),
    },
    "bounces": {**dict.fromkeys(BEFORE, (BOUNCED, ConsentKind.BOUNCED, "")), "bounced": (BOUNCED, None, "")},
    "admin asks": dict.fromkeys(("pending", "asked again"), (PENDING, ConsentKind.INVITED, INVITED)),
    "admin unsubscribes": {
        **dict.fromkeys(("pending", "confirmed", "paused", "asked again"), ENDED),
        "bounced": (BOUNCED, ConsentKind.ENDED_BY_ADMIN, ""),
    },
    "admin restores": {
        "ended by an admin": (CONFIRMED, ConsentKind.RESTORED, ""),
        "ended unconfirmed": (PENDING, ConsentKind.RESTORED, ""),
    },
    "admin marks as reachable": {"bounced": (CONFIRMED, ConsentKind.REACHABLE, "")},
}
"""What an action leads to: the state (None: erased), the event, and the subject of a mail; else nothing."""


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("before", BEFORE)
def test_action_leads_from_state_to_state(before: str, action: str) -> None:
    subscription = SubscriptionFactory(email=EMAIL, **BEFORE[before])
    if action == "admin restores" and before.startswith("ended"):
        ConsentEvent.record(subscription, ConsentKind.ENDED_BY_ADMIN)
    events = list(ConsentEvent.objects.values_list("kind", flat=True))
    state, event, subject = AFTER[action].get(before, (subscription.state, None, ""))
    ACTIONS[action](subscription)
    assert [each.state for each in Subscription.objects.all()] == ([state] if state else [])
    assert [each.kind for each in ConsentEvent.objects.all()] == events + ([event] if event else [])
    assert [mail.subject for mail in mails()] == ([subject] if subject else [])


def test_paused_reader_learns_until_when_and_how_to_resume() -> None:
    subscription = SubscriptionFactory(email=EMAIL, confirmed=True, paused=True)
    subscribe(email=EMAIL)
    for shown in (latest().text, Reader(latest().html).shown):
        assert "your newsletter is paused until Jul 1, 2025." in " ".join(shown.split())
        assert "Resume now" in shown
        assert "automatically" not in shown
    assert f"{manage_address(subscription)}?lang=en#preferences" in latest().text
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    SubscriptionLink.objects.update(used_at=timezone.now())
    page = " ".join(text(open_link(f"/newsletter/confirm/{token}/")).split())
    assert "Paused until <strong>Jul 1, 2025</strong>" in page
    assert "automatically" not in page
    company = SubscriptionFactory(email=EMAIL, user_type="company")
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=company)
    assert "automatically" in text(press_button(f"/newsletter/confirm/{token}/"))


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


@pytest.mark.parametrize(
    "standing",
    [
        {"confirmed": True, "unsubscribed": True},
        {"confirmed": True, "is_active": False},
        {"is_active": False},
    ],
)
def test_request_keeps_what_the_owner_said_until_the_owner_confirms(
    time_machine: TimeMachineFixture, standing: dict[str, bool]
) -> None:
    def get_facts() -> tuple[object, ...]:
        return stored().is_active, stored().is_confirmed, stored().confirmed_at, stored().unsubscribed_at

    SubscriptionFactory(email=EMAIL, **standing)
    before = get_facts()
    subscribe()
    time_machine.shift(timedelta(minutes=10))
    assert administration.ask_again(subscription=stored())
    assert get_facts() == before
    press_button(confirm_address(latest()))
    assert (stored().state, stored().is_active) == (State.CONFIRMED, True)
    assert (stored().asked_again_at, stored().unsubscribed_at) == (None, None)


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
