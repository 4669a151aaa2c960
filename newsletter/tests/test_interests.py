"""What readers are interested in: chosen on the page after confirming and on the preferences page."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.models import Interest, LinkPurpose, Subscription, SubscriptionLink, UserType
from newsletter.services import preferences
from newsletter.tests.api import subscribe
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, deliver, manage_address
from sailing.admin.tests.helpers import group_client
from sailing.privacy import erasure
from tests.mailbox import latest, open_link, press_button, text

pytestmark = pytest.mark.django_db

EMAIL = "jana@example.com"
LIST = "/admin/newsletter/interest/"
QUESTION = "What interests you?"


def make_link(page: str, **values: Any) -> str:
    """Return the path of a page of a confirmed subscriber."""
    subscription = SubscriptionFactory(email=EMAIL, confirmed=True, **values)
    if page == "manage":
        return manage_address(subscription)
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription)
    SubscriptionLink.objects.update(used_at=timezone.now())
    return f"/newsletter/confirm/{token}/"


def choose(link: str, *chosen: Interest | int | str, audience: Any = "sailor") -> str:
    """Post the form of a page without JavaScript, and return the page that follows."""
    keys = [each.pk if isinstance(each, Interest) else each for each in chosen]
    if "/confirm/" in link:
        response = press_button(link, interests="1", interest=keys)
    else:
        response = press_button(link, preferences="1", audience=audience, language="en", interest=keys)
    assert response.status_code == 200
    return text(response)


def stored(user_type: str = UserType.SAILOR) -> set[Interest]:
    return set(Subscription.objects.get(email=EMAIL, user_type=user_type).interests.all())


@pytest.fixture(params=["confirm", "manage"])
def link(request: pytest.FixtureRequest) -> str:
    return make_link(request.param)


def test_sign_up_form_does_not_ask_and_the_page_after_confirming_does() -> None:
    regattas = InterestFactory(name_en="Regattas")
    form = Client().post("/newsletter/subscribe/", {"email": ""}).content.decode()
    assert "Regattas" not in form
    subscribe()
    deliver()
    confirm = confirm_address(latest())
    assert "Regattas" not in text(open_link(confirm))
    page = text(press_button(confirm))
    assert "Your subscription is confirmed." in page
    assert QUESTION in page
    page = text(press_button(confirm, interests="1", interest=str(regattas.pk)))
    assert "Your choice is saved." in page
    assert f'value="{regattas.pk}" checked' in page
    assert Subscription.objects.get().interests.get() == regattas


def test_choice_is_shown_and_replaced(link: str) -> None:
    first, second, third = InterestFactory.create_batch(3)
    page = choose(link, first, second)
    checked = [f'value="{each.pk}" checked' in page for each in (first, second, third)]
    assert checked == [True, True, False]
    choose(link, third)
    assert stored() == {third}
    assert f'value="{third.pk}" checked' in text(open_link(link))
    choose(link)
    assert stored() == set()


def test_without_interests_nothing_is_asked(link: str) -> None:
    InterestFactory(is_offered=False)
    assert QUESTION not in text(open_link(link))


def test_choice_is_for_all_subscriptions_of_the_address_and_for_no_other(link: str) -> None:
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    other = SubscriptionFactory(confirmed=True)
    interest = InterestFactory()
    choose(link, interest, audience=["sailor", "company"])
    assert stored() == stored(UserType.COMPANY) == {interest}
    assert not other.interests.exists()


@pytest.mark.parametrize("value", ["0", "x", "", "²", "9" * 18, "9" * 5000, "retired"])
def test_choice_with_a_value_that_the_page_does_not_offer_is_refused(link: str, value: str) -> None:
    interest, retired = InterestFactory(), InterestFactory(is_offered=False)
    page = choose(link, interest, retired if value == "retired" else value)
    assert "Something in your choice is no longer offered." in page
    assert stored() == set()


def test_interest_that_was_retired_meanwhile_keeps_nobody_from_leaving() -> None:
    link, retired = make_link("manage"), InterestFactory(is_offered=False)
    page = choose(link, retired, audience=[])
    assert "Something in your choice is no longer offered." in page
    assert "You are unsubscribed." in page
    assert not Subscription.objects.get().is_active


def test_retired_interest_is_not_shown_and_stays_as_it_was_chosen(link: str) -> None:
    kept, offered = InterestFactory(is_offered=False), InterestFactory()
    Subscription.objects.get().interests.add(kept)
    assert kept.name_en not in choose(link, offered)
    assert stored() == {kept, offered}


def test_link_of_a_subscription_that_has_ended_stores_nothing() -> None:
    link = make_link("confirm")
    Subscription.objects.update(unsubscribed_at=timezone.now(), is_active=False)
    assert QUESTION not in choose(link, InterestFactory())
    assert stored() == set()


def test_choice_for_a_subscription_that_was_erased_meanwhile_is_dropped() -> None:
    subscription = SubscriptionFactory(email=EMAIL, confirmed=True)
    other = SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY, confirmed=True)
    erasure.erase(Subscription, [subscription.pk])
    preferences.choose_interests(subscription=subscription, keys=[InterestFactory().pk])
    assert not other.interests.exists()


@pytest.mark.parametrize("page", ["confirm", "manage"])
def test_question_is_in_the_language_of_the_reader_and_the_order_of_the_admin(page: str) -> None:
    InterestFactory(name_en="Regattas", name_cs="<b>Regaty", position=2)
    InterestFactory(name_en="Cruising", name_cs="Plavby", position=1)
    shown = text(open_link(make_link(page, language="cs")))
    assert "Plavby" in shown.partition("&lt;b&gt;Regaty")[0]
    assert "Regattas" not in shown


class TestAdmin:
    VALUES = {"name_en": "Regattas", "name_cs": "Regaty", "position": "1", "is_offered": "on"}

    def test_managers_name_interests_in_both_languages(self) -> None:
        client = group_client("Managers")
        assert client.post(f"{LIST}add/", {**self.VALUES, "name_cs": ""}).status_code == 200
        assert client.post(f"{LIST}add/", self.VALUES).status_code == 302
        assert client.post(f"{LIST}add/", self.VALUES).status_code == 200
        interest = Interest.objects.get()
        assert (interest.name_en, interest.name_cs, interest.is_offered) == ("Regattas", "Regaty", True)
        assert "Regaty" in client.get(LIST).content.decode()
        assert client.post(f"{LIST}{interest.pk}/delete/", {"post": "yes"}).status_code == 302
        assert not Interest.objects.exists()

    def test_chosen_one_is_retired_instead_of_deleted(self, admin_client: Client) -> None:
        SubscriptionFactory().interests.add(interest := InterestFactory())
        assert "/delete/" not in admin_client.get(f"{LIST}{interest.pk}/change/").content.decode()
        assert admin_client.post(f"{LIST}{interest.pk}/delete/", {"post": "yes"}).status_code == 403
        assert Interest.objects.get() == interest

    def test_page_of_a_subscriber_shows_them(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        path = f"/admin/newsletter/subscription/{subscription.pk}/change/"
        assert "field-interests" not in admin_client.get(path).content.decode()
        subscription.interests.add(InterestFactory(name_en="Regattas"))
        assert "Regattas" in admin_client.get(path).content.decode()
