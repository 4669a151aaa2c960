"""Invitations that are settled at the same time, or while their inviter is erased."""

import pytest
from django.db import transaction

from newsletter.invitations import services
from newsletter.invitations.models import Invitation, Inviter
from newsletter.invitations.tests.factories import create_reader
from newsletter.models import Subscription, UserType
from sailing.privacy.erasure import erase
from tests.concurrency import run_at_once, run_overlapping

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]


def request(inviting: Subscription, email: str) -> Subscription:
    friend = create_reader(email)
    services.record_request(subscription=friend, invitation=inviting.pk.hex)
    return friend


def test_both_links_of_an_address_at_once_make_one_inviter() -> None:
    sailor = create_reader("anna@example.com")
    company = create_reader("anna@example.com", user_type=UserType.COMPANY)
    friends = [request((sailor, company)[number % 2], f"friend{number}@example.com") for number in range(8)]
    run_at_once(8, lambda number: services.settle(subscription=friends[number]))
    assert Inviter.objects.count() == 1
    assert Invitation.objects.counted().count() == 8


def test_inviter_erased_meanwhile_does_not_roll_back_the_step_of_a_job() -> None:
    anna = create_reader("anna@example.com")
    friend = request(anna, "friend@example.com")

    def settle_in_step() -> None:
        with transaction.atomic():
            services.settle(subscription=friend)

    run_overlapping(lambda: erase(Subscription, [anna.pk]), settle_in_step)
    assert not Invitation.objects.exists()
    assert Subscription.objects.get() == friend
