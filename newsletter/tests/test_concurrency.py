"""Concurrent requests to subscribe, and a locked database."""

from uuid import UUID

import pytest

from newsletter.models import (
    ConsentEvent,
    ConsentKind,
    State,
    Subscription,
    UserType,
)
from newsletter.services import preferences
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from tests.concurrency import run_at_once, run_overlapping
from tests.mailbox import mails, press_button

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


def subscribe_at_once() -> None:
    assert all(answer.data["success"] for answer in run_at_once(8, lambda _: subscribe()))


def test_equal_requests_create_one_row_mail_and_event() -> None:
    subscribe_at_once()
    assert Subscription.objects.count() == 1
    assert len(mails()) == len(mails(is_reminder=True)) == 1
    assert ConsentEvent.objects.count() == 2


@pytest.mark.parametrize("state", ["confirmed", "unsubscribed"])
def test_equal_requests_for_a_known_address_send_one_mail(state: str) -> None:
    SubscriptionFactory(email="sailor@example.com", **{state: True})
    subscribe_at_once()
    assert len(mails()) == 1


def test_simultaneous_changes_of_preferences_and_a_request_make_one_row() -> None:
    sailor = SubscriptionFactory(email="sailor@example.com", confirmed=True)
    path = manage_address(sailor)

    def act(number: int) -> int:
        if number % 4 == 0:
            return subscribe(userType="company").http.status_code
        return press_button(path, preferences="1", audience=["sailor", "company"]).status_code

    assert set(run_at_once(8, act)) == {200}
    company = Subscription.objects.get(user_type="company")
    assert company.state is State.PENDING
    assert company.consent_events.filter(kind=ConsentKind.REQUESTED).count() == 1
    assert len(mails()) == 1


def test_change_of_preferences_does_not_deadlock_when_a_subscription_appears() -> None:
    """While one change holds its lock, the other audience is requested and a second change begins."""
    email = "sailor@example.com"
    sailor = SubscriptionFactory(pk=UUID(int=2**128 - 1), email=email, confirmed=True)

    def change() -> None:
        refused = preferences.change_preferences(
            subscription=sailor, audiences=UserType.values, mail_language="cs", language="en"
        )
        assert refused == []

    def request_and_change() -> None:
        first_key = {"pk": UUID(int=1)}
        Subscription.objects.get_or_create(email=email, user_type=UserType.COMPANY, defaults=first_key)
        change()

    run_overlapping(change, request_and_change)
    assert set(Subscription.objects.values_list("user_type", "language")) == {
        (UserType.SAILOR, "cs"),
        (UserType.COMPANY, "cs"),
    }
