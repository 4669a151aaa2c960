"""`subscribeNewsletter`."""

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.models import OutboxEmail
from tests.api import czech_visitor
from tests.mailbox import mails

pytestmark = pytest.mark.django_db


def nothing_is_stored() -> bool:
    return not any(
        model.objects.exists() for model in (Subscription, ConsentEvent, SubscriptionLink, OutboxEmail)
    )


def test_answer_describes_the_request() -> None:
    before = timezone.now()
    answer = subscribe(email=" Sailor@Example.com ").data

    subscription = answer.pop("subscription")
    assert answer == {"success": True, "message": "Check your email for a welcome message."}
    assert UUID(subscription.pop("id")) != Subscription.objects.get().pk
    assert before <= datetime.fromisoformat(subscription.pop("createdAt")) <= timezone.now()
    assert subscription == {
        "email": "sailor@example.com",
        "userType": "sailor",
        "isActive": True,
        "isConfirmed": False,
        "source": "landing-sailors",
    }


@pytest.mark.parametrize("state", ["pending", "confirmed", "unsubscribed", "bounced"])
def test_known_address_gets_the_same_answer_as_a_new_one(state: str) -> None:
    SubscriptionFactory(email="known@example.com", **({} if state == "pending" else {state: True}))

    def seen(address: str) -> tuple[int, dict[str, str], dict[str, Any]]:
        answer = subscribe(email=address)
        headers = {name: value for name, value in answer.http.items() if name != "X-Request-ID"}
        for of_its_own in ("id", "createdAt", "email"):
            del answer.data["subscription"][of_its_own]
        return answer.http.status_code, headers, answer.body

    assert seen("known@example.com") == seen("newer@example.com")


def test_link_that_brought_the_visitor_is_stored_clean() -> None:
    link: dict[str, Any] = {
        "utmSource": " Facebook",
        "utmMedium": "cpc",
        "utmCampaign": "<b>jan@example.com</b>",
        "referrer": "www.facebook.com",
    }
    assert subscribe(**link).data["success"]
    subscribe(utmSource="later")
    stored = Subscription.objects.get()
    assert (stored.utm_source, stored.utm_medium, stored.utm_campaign) == ("facebook", "cpc", "")
    assert stored.referrer == "www.facebook.com"


@pytest.mark.parametrize(
    ("values", "message", "field"),
    [
        ({"email": ""}, "Email is required", "email"),
        ({"email": "sailor"}, "Please enter a valid email address", "email"),
        ({"email": f"{'a' * 288}@example.com"}, "Email must be at most 254 characters", "email"),
        ({"userType": "pirate"}, "Please choose sailor or company", "userType"),
        ({"source": "landing-pirates"}, "This source is not known", "source"),
    ],
)
def test_invalid_value_is_refused_with_its_field(values: dict[str, Any], message: str, field: str) -> None:
    assert subscribe(**values).error == {"message": message, "code": "BAD_USER_INPUT", "field": field}
    assert nothing_is_stored()


def test_answer_error_and_mail_are_in_czech() -> None:
    assert subscribe(client=czech_visitor(), email="").error["message"] == "E-mail je povinný"
    answer = subscribe(client=czech_visitor())

    assert answer.data["message"] == "Uvítací zprávu najdete v e-mailu."
    assert Subscription.objects.get().language == "cs"
    assert mails()[0].subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"


@pytest.mark.parametrize(
    "given", [{"website": "https://spam.example"}, {"website": " "}, {"fillTime": 999}, {"fillTime": -1}]
)
def test_bot_gets_the_same_answer_and_nothing_is_stored(
    given: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caught = subscribe(**given).data
    assert nothing_is_stored()
    assert "subscription_dropped" in caplog.text

    taken = subscribe(website="", fillTime=1000).data
    assert not nothing_is_stored()
    for answer in (caught, taken):
        for of_its_own in ("id", "createdAt"):
            del answer["subscription"][of_its_own]
    assert caught == taken


def test_bot_meets_the_rate_limit(settings: Settings) -> None:
    settings.SUBSCRIBE_RATE = "2/d"
    answers = [subscribe(website="x") for _request in range(3)]

    assert ["errors" in answer.body for answer in answers] == [False, False, True]
    assert answers[-1].error["code"] == "RATE_LIMITED"
    assert answers[-1].http.status_code == 429


def test_bot_leaves_the_mails_of_its_network_to_people(settings: Settings) -> None:
    settings.MAIL_RATES = ["1/h"]
    subscribe(website="x")
    subscribe()

    assert len(mails()) == 1


def test_failure_rolls_back_the_row_and_the_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        assert mails(), "the mail is not stored yet"
        raise RuntimeError

    monkeypatch.setattr(ConsentEvent, "record", fail)
    assert subscribe().error["code"] == "INTERNAL"
    assert nothing_is_stored()


def test_log_does_not_contain_the_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    subscribe(email="hidden@example.com")
    subscribe(email="hidden@example.com", website="x")
    subscribe(email="hidden@example.com", source="elsewhere")

    assert "request_finished" in caplog.text
    assert "hidden" not in caplog.text
