"""Requests about one address at the same time."""

from typing import Any
from uuid import UUID

import pytest

from newsletter.models import ConsentEvent, ConsentKind, State, Subscription, UserType
from newsletter.services import preferences
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from tests.concurrency import run_at_once, run_overlapping
from tests.mailbox import mails, press_button

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]

EMAIL = "sailor@example.com"


@pytest.mark.parametrize(("state", "events"), [("", 2), ("confirmed", 0), ("unsubscribed", 1)])
def test_equal_requests_make_one_row_and_one_mail(state: str, events: int) -> None:
    SubscriptionFactory.create_batch(bool(state), email=EMAIL, **{state: True})
    assert all(answer.data["success"] for answer in run_at_once(8, lambda _: subscribe()))
    assert (Subscription.objects.count(), len(mails())) == (1, 1)
    assert ConsentEvent.objects.count() == events


def test_simultaneous_changes_of_preferences_and_a_request_make_one_row() -> None:
    path = manage_address(SubscriptionFactory(email=EMAIL, confirmed=True))

    def act(number: int) -> int:
        if number % 4 == 0:
            return subscribe(userType="company").http.status_code
        return press_button(path, preferences="1", audience=UserType.values).status_code

    assert set(run_at_once(8, act)) == {200}
    company = Subscription.objects.get(user_type="company")
    assert company.state is State.PENDING
    assert company.consent_events.filter(kind=ConsentKind.REQUESTED).count() == 1
    assert len(mails()) == 1


def test_change_of_preferences_does_not_deadlock_when_a_subscription_appears() -> None:
    """While one change holds its lock, the other audience is requested and a second change begins."""
    sailor = SubscriptionFactory(pk=UUID(int=2**128 - 1), email=EMAIL, confirmed=True)

    def change() -> None:
        values: dict[str, Any] = {"audiences": UserType.values, "mail_language": "cs", "language": "en"}
        assert preferences.change_preferences(subscription=sailor, **values) == []

    def request_and_change() -> None:
        first_key = {"pk": UUID(int=1)}
        Subscription.objects.get_or_create(email=EMAIL, user_type=UserType.COMPANY, defaults=first_key)
        change()

    run_overlapping(change, request_and_change)
    languages = set(Subscription.objects.values_list("user_type", "language"))
    assert languages == {(UserType.SAILOR, "cs"), (UserType.COMPANY, "cs")}
