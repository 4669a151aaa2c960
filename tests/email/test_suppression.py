"""The suppression list: erased and complained addresses, until their owner confirms."""

import pytest

from newsletter import services
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from sailing.email.suppression import find_suppressed, lift, suppress
from sailing.erasure import erase_person
from sailing.models import SuppressedAddress, SuppressionReason

pytestmark = pytest.mark.django_db


@pytest.fixture
def subscription() -> Subscription:
    return Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")


def issue(subscription: Subscription, purpose: LinkPurpose) -> str:
    (token,) = SubscriptionLink.issue(purpose, subscription=subscription)
    return token


def test_suppressed_address_is_found_in_every_spelling_of_its_mailbox() -> None:
    suppress("jana.nova@gmail.com", SuppressionReason.ERASED)
    suppress("jana.nova@gmail.com", SuppressionReason.COMPLAINED)
    assert find_suppressed({"jananova+news@googlemail.com", "jana@example.org"}) == {
        "jananova+news@googlemail.com"
    }
    assert SuppressedAddress.objects.get().reason == SuppressionReason.ERASED
    lift("jananova@gmail.com")
    assert not find_suppressed({"jana.nova@gmail.com"})


def test_list_contains_no_address() -> None:
    suppress("jana@example.org", SuppressionReason.ERASED)
    assert "jana" not in str(SuppressedAddress.objects.values())


def test_new_secret_key_keeps_the_list(settings: pytest.FixtureRequest) -> None:
    suppress("jana@example.org", SuppressionReason.ERASED)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert find_suppressed({"jana@example.org"})


def test_erased_person_is_suppressed_until_they_confirm(subscription: Subscription) -> None:
    erase_person(subscription)
    assert find_suppressed({"jana@example.org"})
    again = Subscription.objects.create(email="jana@example.org", user_type="sailor", language="en")
    assert find_suppressed({"jana@example.org"})
    services.confirm(token=issue(again, LinkPurpose.CONFIRM), language="en")
    assert not find_suppressed({"jana@example.org"})


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_disowned_address_is_suppressed(subscription: Subscription, is_confirmed: bool) -> None:
    if is_confirmed:
        services.confirm(token=issue(subscription, LinkPurpose.CONFIRM), language="en")
        assert not find_suppressed({"jana@example.org"})
    token = issue(subscription, LinkPurpose.UNSUBSCRIBE)
    services.disown(token=token, purpose=LinkPurpose.UNSUBSCRIBE, language="en")
    assert find_suppressed({"jana@example.org"})
    assert SuppressedAddress.objects.get().reason == SuppressionReason.COMPLAINED
