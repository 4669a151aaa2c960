"""Unsubscribing and preferences by the personal links of a delivery."""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from newsletter.campaigns import tokens
from newsletter.campaigns.models import Delivery
from newsletter.campaigns.tests.factories import DeliveryFactory, issue_token
from newsletter.models import ConsentKind, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.privacy.erasure import erase
from tests.mailbox import english_left, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture
def delivery() -> Delivery:
    """Return a mail to a confirmed sailor."""
    found: Delivery = DeliveryFactory(
        subscription=SubscriptionFactory(email="jana@example.com", confirmed=True)
    )
    return found


def unsubscribe_address(delivery: Delivery) -> str:
    return f"/newsletter/unsubscribe/d/{issue_token(delivery)}/"


def preferences_address(delivery: Delivery) -> str:
    return f"/newsletter/preferences/{issue_token(delivery)}/"


def stored(user_type: UserType = UserType.SAILOR) -> Subscription:
    return Subscription.objects.get(email="jana@example.com", user_type=user_type)


def kinds(user_type: UserType = UserType.SAILOR) -> list[str]:
    return [event.kind for event in stored(user_type).consent_events.all()]


def assert_czech(response: HttpResponse, heading: str) -> None:
    page = text(response)
    assert f'<h1 class="document__title">{heading}</h1>' in page
    assert not english_left(page, "newsletter")


class TestUnsubscribe:
    def test_opening_the_link_changes_nothing(self, delivery: Delivery) -> None:
        address = unsubscribe_address(delivery)
        for method in ("GET", "HEAD", "OPTIONS"):
            Client().generic(method, address)
        assert "Leave the newsletter?" in text(open_link(address))
        assert stored().state is State.CONFIRMED
        assert kinds() == []

    def test_reason_is_asked_afterwards(self, delivery: Delivery) -> None:
        address = unsubscribe_address(delivery)
        assert "Would you tell us why?" in text(press_button(address))
        assert "Thank you" in text(press_button(address, reason="other"))
        assert kinds() == [ConsentKind.UNSUBSCRIBED, ConsentKind.EXPLAINED]

    def test_button_ends_the_subscription_of_the_mail_once(self, delivery: Delivery) -> None:
        SubscriptionFactory(email="jana@example.com", user_type=UserType.COMPANY, confirmed=True)
        address = unsubscribe_address(delivery)
        first = text(press_button(address))
        assert "You are unsubscribed." in first
        assert "We won’t send you any more newsletters for sailors." in first
        assert text(press_button(address)) == text(open_link(address)) == first
        assert stored().state is State.UNSUBSCRIBED
        assert kinds() == [ConsentKind.UNSUBSCRIBED]
        assert stored(UserType.COMPANY).state is State.CONFIRMED
        delivery.refresh_from_db()
        assert delivery.unsubscribed_at

    def test_one_click_needs_no_cookie_csrf_token_or_redirect(self, delivery: Delivery) -> None:
        client = Client(enforce_csrf_checks=True)
        response = client.post(unsubscribe_address(delivery), {"List-Unsubscribe": "One-Click"})
        assert response.status_code == 200
        assert not response.cookies
        assert stored().state is State.UNSUBSCRIBED

    @pytest.mark.parametrize("token", ["", "1.x", "ž.x", "1." + "A" * 32])
    def test_forged_token_is_unknown(self, delivery: Delivery, token: str) -> None:
        issue_token(delivery)
        for address in (f"/newsletter/unsubscribe/d/{token}", f"/newsletter/preferences/{token}"):
            for response in (open_link(address), press_button(address, leave="1")):
                assert response.status_code == 404
                assert "This link does not work" in text(response)
        assert stored().state is State.CONFIRMED

    def test_pages_are_in_the_language_of_the_mail(self) -> None:
        delivery = DeliveryFactory(subscription=SubscriptionFactory(confirmed=True, language="cs"))
        address = unsubscribe_address(delivery)
        assert_czech(open_link(address), "Odhlásit se z newsletteru?")
        assert_czech(press_button(address), "Dobrý vítr!")
        erase(Subscription, [delivery.subscription_id])
        assert_czech(open_link(address), "Žádný newsletter nedostáváte")


class TestPreferences:
    def test_page_that_ends_the_subscription_leads_to_them(self, delivery: Delivery) -> None:
        address = unsubscribe_address(delivery)
        assert 'name="preferences"' in text(open_link(address))
        page = text(open_link(press_button(address, preferences="1").headers["Location"]))
        assert "jana@example.com" in page
        assert 'value="sailor" checked' in page
        assert stored().is_subscribed

    def test_leaving_the_other_audience_does_not_count_for_the_mail(self, delivery: Delivery) -> None:
        SubscriptionFactory(email="jana@example.com", user_type=UserType.COMPANY, confirmed=True)
        press_button(preferences_address(delivery), audience="sailor", language="en")
        assert stored().state is State.CONFIRMED
        assert kinds(UserType.COMPANY) == [ConsentKind.UNSUBSCRIBED]
        delivery.refresh_from_db()
        assert delivery.unsubscribed_at is None

    def test_leaving_everything_takes_one_click(self, delivery: Delivery) -> None:
        SubscriptionFactory(email="jana@example.com", user_type=UserType.COMPANY, confirmed=True)
        page = text(press_button(preferences_address(delivery), leave="1", audience="sailor"))
        assert "You are unsubscribed." in page
        assert {stored(user_type).state for user_type in UserType} == {State.UNSUBSCRIBED}
        delivery.refresh_from_db()
        assert delivery.unsubscribed_at


@pytest.mark.parametrize("get_address", [unsubscribe_address, preferences_address])
def test_leaving_again_does_not_count_for_another_mail(
    delivery: Delivery, get_address: Callable[[Delivery], str]
) -> None:
    other = DeliveryFactory(subscription=delivery.subscription)
    for each in (delivery, other):
        press_button(get_address(each), leave="1")
        each.refresh_from_db()
    assert delivery.unsubscribed_at
    assert other.unsubscribed_at is None


@pytest.mark.parametrize("get_address", [unsubscribe_address, preferences_address])
def test_erased_subscriber_sees_a_calm_page(
    delivery: Delivery, get_address: Callable[[Delivery], str]
) -> None:
    address = get_address(delivery)
    erase(Subscription, [delivery.subscription_id])
    for response in (open_link(address), press_button(address, audience="sailor")):
        assert response.status_code == 200
        assert "has been deleted" in text(response)
        assert "jana" not in text(response)
    assert not Subscription.objects.exists()


# --- Tokens ---------------------------------------------------------------------------------------


def test_token_finds_its_delivery() -> None:
    delivery = DeliveryFactory()
    assert tokens.find(issue_token(delivery)) == delivery


def test_token_of_another_delivery_is_refused() -> None:
    first, second = DeliveryFactory(), DeliveryFactory()
    _key, _dot, secret = issue_token(first).partition(".")
    issue_token(second)
    assert tokens.find(tokens.build(second.pk, secret)) is None


def test_delivery_without_a_token_is_not_found() -> None:
    delivery = DeliveryFactory()
    assert tokens.find(tokens.build(delivery.pk, "")) is None


@pytest.mark.parametrize(
    "token", ["", ".", "1.", "-1.x", "š.x", "zzzzzzzzzzzzz.x", "1.\0", "x" * 5000, "1.š", "١.x"]
)
def test_malformed_token_is_refused(token: str) -> None:
    DeliveryFactory(pk=1)
    assert tokens.find(token) is None


def test_oversized_token_is_refused_before_the_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    delivery = DeliveryFactory()
    token = tokens.build(delivery.pk, "A" * (5 * tokens.MAX_LENGTH))
    with django_assert_num_queries(0):
        assert tokens.find(token) is None
