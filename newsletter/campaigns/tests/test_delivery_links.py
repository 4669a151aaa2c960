"""Leaving by the links in the mail of a campaign."""

from typing import Any

import pytest

from newsletter.campaigns.models import Delivery
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from sailing.mail import mailboxes
from tests.mailbox import open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def reader() -> Subscription:
    found: Subscription = SubscriptionFactory(email="jana@example.com", confirmed=True)
    return found


def receive(reader: Subscription) -> tuple[Delivery, str]:
    """Return a mail to a reader, and the path of its link."""
    delivery = DeliveryFactory(subscription=reader)
    return delivery, manage_address(reader, delivery.pk)


def is_counted(delivery: Delivery) -> bool:
    delivery.refresh_from_db()
    return delivery.unsubscribed_at is not None


SAVE = {"preferences": "1", "language": "en"}


@pytest.mark.parametrize(
    ("form", "counts"),
    [
        ({}, True),
        ({"List-Unsubscribe": "One-Click"}, True),
        ({"everything": "1"}, True),
        ({**SAVE, "audience": "company"}, True),
        ({**SAVE, "audience": "sailor"}, False),  # leaves the other newsletter alone
        ({**SAVE, "audience": ["sailor", "company"], "pause": "30"}, False),
        ({"reason": "too-many"}, False),
    ],
)
def test_only_leaving_the_newsletter_of_the_mail_counts_for_it(
    reader: Subscription, form: dict[str, Any], counts: bool
) -> None:
    SubscriptionFactory(email=reader.email, user_type=UserType.COMPANY, confirmed=True)
    delivery, address = receive(reader)
    press_button(address, **form)
    assert is_counted(delivery) is counts
    reader.refresh_from_db()
    assert reader.is_subscribed is not counts


def test_leaving_again_does_not_count_for_another_mail(reader: Subscription) -> None:
    (first, address), (second, other) = receive(reader), receive(reader)
    for path in (address, other, other):
        assert "You are unsubscribed." in text(press_button(path))
    assert (is_counted(first), is_counted(second)) == (True, False)


def test_link_outlives_its_campaign(reader: Subscription) -> None:
    delivery, address = receive(reader)
    delivery.campaign.delete()
    press_button(address)
    reader.refresh_from_db()
    assert reader.state is State.UNSUBSCRIBED


def test_this_was_not_me_is_for_mails_about_the_subscription(reader: Subscription) -> None:
    """The holder of a forwarded newsletter must not block the mailbox of its reader."""
    _delivery, address = receive(reader)
    assert "not_me" not in text(open_link(f"{address}?not-me=1"))
    press_button(address, not_me="1")
    assert mailboxes.reserve(reader.email)
