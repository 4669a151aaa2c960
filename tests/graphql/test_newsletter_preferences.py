"""The newsletter preferences of the signed-in member over GraphQL."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from pytest_django import Settings

from accounts import tokens
from accounts.services.membership import sign_out_everywhere
from accounts.tests.factories import MemberFactory
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.services.preferences import change_member_preferences
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.errors import Unauthenticated
from sailing.privacy.erasure import erase_person
from tests.api import VISITOR, Answer, czech_visitor, post_graphql
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

FIELDS = "{ isEmailVerified audiences pendingAudiences language pausedUntil interests { id name isChosen } }"
QUERY = f"query {{ newsletterPreferences {FIELDS} }}"
MUTATION = f"""
mutation ($input: NewsletterPreferencesInput!) {{ updateNewsletterPreferences(input: $input) {FIELDS} }}
"""
EMAIL = "jana@example.com"
NOTHING: dict[str, Any] = {"audiences": [], "pendingAudiences": [], "pausedUntil": None, "interests": []}


@pytest.fixture
def member() -> Any:
    return MemberFactory(email=EMAIL, is_email_verified=True)


def read(member: Any, **values: Any) -> Answer:
    return post_graphql(QUERY, token=tokens.issue(member), **values)


def update(member: Any, **values: Any) -> Answer:
    given = {"audiences": ["sailor"], "language": "en"} | values
    return post_graphql(MUTATION, {"input": given}, token=tokens.issue(member) if member else "")


def test_member_reads_what_the_address_gets(member: Any) -> None:
    until = timezone.now() + timedelta(days=3)
    SubscriptionFactory(email=EMAIL, confirmed=True, language="cs", paused_until=until)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY)
    SubscriptionFactory(confirmed=True, user_type=UserType.COMPANY)
    assert read(member).data == {
        "isEmailVerified": True,
        "audiences": ["sailor"],
        "pendingAudiences": ["company"],
        "language": "cs",
        "pausedUntil": until.isoformat(),
        "interests": [],
    }


def test_member_without_a_subscription_gets_nothing_in_their_language(member: Any) -> None:
    expected = {"isEmailVerified": True, "language": "cs", **NOTHING}
    assert read(member, client=czech_visitor()).data == expected


def test_request_whose_sessions_ended_meanwhile_changes_nothing(member: Any) -> None:
    sign_out_everywhere(user=get_user_model()._default_manager.get())
    with pytest.raises(Unauthenticated):
        change_member_preferences(
            client=VISITOR, user=member, page_language="en", audiences=["sailor"], language="en"
        )
    assert not Subscription.objects.exists()


def test_change_acts_at_once(member: Any) -> None:
    answer = update(member, audiences=["company", "sailor"], language="cs", pauseDays=30)
    assert answer.data["audiences"] == ["sailor", "company"]
    assert answer.data["pausedUntil"]
    assert read(member).data == answer.data
    assert {each.language for each in Subscription.objects.all()} == {"cs"}
    assert {event.kind for event in ConsentEvent.objects.all()} == {ConsentKind.CONFIRMED}
    assert not mails()

    expected = {"isEmailVerified": True, "language": "en", **NOTHING, "audiences": ["sailor"]}
    assert update(member, pauseDays=0).data == expected


def test_pause_is_kept_without_a_number_of_days(member: Any) -> None:
    until = update(member, pauseDays=90).data["pausedUntil"]
    assert update(member, audiences=["sailor", "company"]).data["pausedUntil"] == until


def test_interests_are_chosen_and_stay_without_a_list(member: Any) -> None:
    regattas, cruising = InterestFactory(), InterestFactory(name_cs="Plavby")
    assert update(member, interests=[str(cruising.pk), "0", "x", "9" * 99]).data["interests"] == [
        {"id": str(regattas.pk), "name": regattas.name_en, "isChosen": False},
        {"id": str(cruising.pk), "name": cruising.name_en, "isChosen": True},
    ]
    update(member)
    assert read(member, client=czech_visitor()).data["interests"][1]["name"] == "Plavby"
    assert list(Subscription.objects.get().interests.all()) == [cruising]
    update(member, interests=[])
    assert not Subscription.objects.get().interests.exists()


def test_no_audience_unsubscribes_from_everything(member: Any) -> None:
    SubscriptionFactory(email=EMAIL, confirmed=True)
    SubscriptionFactory(email=EMAIL, user_type=UserType.COMPANY)
    answer = update(member, audiences=[], reason="too-many", comment="Once a month is enough")
    assert answer.data == {"isEmailVerified": True, "language": "en", **NOTHING}
    events = ConsentEvent.objects.values_list("kind", "reason", "comment")
    assert set(events) == {(ConsentKind.UNSUBSCRIBED, "too-many", "Once a month is enough")}


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"audiences": ["admin"]}, "audiences"),
        ({"language": "de"}, "language"),
        ({"pauseDays": 31}, "pauseDays"),
        ({"reason": "bored"}, "reason"),
        ({"comment": "x" * 501}, "comment"),
    ],
)
def test_bad_value_names_its_field(member: Any, values: dict[str, Any], field: str) -> None:
    error = update(member, **values).error
    assert (error["code"], error["field"]) == ("BAD_USER_INPUT", field)
    assert not Subscription.objects.exists()


def test_unverified_address_is_told_and_changes_nothing() -> None:
    member = MemberFactory(email=EMAIL)
    SubscriptionFactory(email=EMAIL, confirmed=True, language="cs", paused_until=timezone.now())
    before = Subscription.objects.values().get()
    assert read(member).data == {"isEmailVerified": False, "language": "en", **NOTHING}
    error = update(member, audiences=[]).error
    assert (error["code"], error["field"]) == ("BAD_USER_INPUT", "email")
    assert Subscription.objects.values().get() == before


def test_address_that_bounced_is_not_subscribed_again(member: Any) -> None:
    SubscriptionFactory(email=EMAIL, user_type="company", confirmed=True, bounced=True)
    before = Subscription.objects.values().get()
    error = update(member, audiences=["company"]).error
    assert (error["code"], error["field"]) == ("BAD_USER_INPUT", "email")
    assert Subscription.objects.values().get() == before
    assert update(member, audiences=["sailor"]).data["audiences"] == ["sailor"]


def test_member_who_is_erased_meanwhile_is_not_subscribed(
    member: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def erase_first(*_args: Any, **_values: Any) -> None:
        erase_person(member)

    monkeypatch.setattr("newsletter.services.preferences.check_rate", erase_first)
    assert update(member).error["code"] == "UNAUTHENTICATED"
    assert not Subscription.objects.exists()


@pytest.mark.parametrize("call", [read, update])
def test_requests_are_limited(member: Any, call: Any, settings: Settings) -> None:
    settings.MEMBER_RATE = "1/m"
    assert call(member).data
    assert call(member).error["code"] == "RATE_LIMITED"
