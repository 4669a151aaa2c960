"""Invitations that are settled at the same time, or while their inviter is erased."""

import pytest

from newsletter.invitations import services
from newsletter.invitations.models import Invitation
from newsletter.invitations.tests.factories import confirm, create_reader
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.privacy.erasure import erase
from tests.concurrency import run_at_once, run_overlapping

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


def request(inviting: Subscription, email: str) -> Subscription:
    friend: Subscription = SubscriptionFactory(email=email)
    services.record_request(subscription=friend, code=inviting.pk.hex)
    return friend


def test_spellings_of_a_mailbox_that_confirm_at_once_count_once() -> None:
    anna = create_reader("anna@example.com")
    friends = [request(anna, f"friend+{number}@example.com") for number in range(8)]
    run_at_once(8, lambda number: confirm(friends[number]))
    assert Subscription.objects.filter(is_confirmed=True).count() == 9
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize("is_erasure_first", [True, False])
def test_inviter_erased_meanwhile_does_not_keep_the_invited_from_confirming(is_erasure_first: bool) -> None:
    anna = create_reader("anna@example.com")
    friend = request(anna, "friend@example.com")
    transactions = [lambda: erase(Subscription, [anna.pk]), lambda: confirm(friend)]
    run_overlapping(*(transactions if is_erasure_first else reversed(transactions)))
    assert not Invitation.objects.exists()
    assert Subscription.objects.get().is_confirmed
