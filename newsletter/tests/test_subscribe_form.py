"""The newsletter form without JavaScript: `/newsletter/subscribe/`."""

from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from newsletter.models import STATEMENT, ConsentEvent, Subscription
from newsletter.views import MAX_FORM_BYTES
from sailing.attribution import ATTRIBUTION_FIELDS
from tests.database import OUTAGE, failing_database
from tests.mailbox import english_left, mails, open_link, text

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
ADDRESS = "/newsletter/subscribe/"


def submit(*, lang: str = "en", client: Client | None = None, **values: Any) -> HttpResponse:
    """Post the form with valid values, overridden by `values`; None leaves a field out."""
    headers = values.pop("headers", {})
    given = {"email": "sailor@example.com", "userType": "sailor", "source": "", "berth": ""} | values
    body = urlencode({name: value for name, value in given.items() if value is not None})
    response = (client or Client(enforce_csrf_checks=True)).post(
        f"{ADDRESS}?lang={lang}", body, content_type=FORM, headers=headers
    )
    assert isinstance(response, HttpResponse)
    return response


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            [
                "Welcome Aboard!",
                "Subscription Confirmed!",
                "Check your email for a welcome message.",
                "One click in it completes your subscription.",
                "Back to Home",
            ],
        ),
        ("cs", ["Vítejte na palubě!", "Odběr potvrzen!", "odběr je hotový", "Zpět na úvodní stránku"]),
    ],
)
def test_submission_is_stored_and_redirects_to_the_confirmation(lang: str, words: list[str]) -> None:
    client = Client()
    response = submit(client=client, lang=lang, userType="company", source="landing-companies")
    assert response.status_code == 302
    page = open_link(response.headers["Location"], client=client)
    assert page.status_code == 200
    assert page.headers["Content-Language"] == lang
    assert [word for word in words if word not in text(page)] == []
    subscription = Subscription.objects.get()
    assert (subscription.email, subscription.user_type) == ("sailor@example.com", "company")
    assert (subscription.source, subscription.language) == ("landing-companies", lang)
    assert not subscription.is_confirmed
    assert len(mails()) == 1


@pytest.mark.parametrize("source", [None, "", "elsewhere", "landing-sailors "])
def test_unknown_source_counts_as_none(source: str | None) -> None:
    assert submit(source=source).status_code == 302
    assert Subscription.objects.get().source == ""


TAGS = "utm_source=mast&utm_medium=poster&utm_campaign=spring"


@pytest.mark.parametrize(
    ("fields", "referer", "stored"),
    [
        ({"utmSource": "mast", "referrer": "forum.example"}, "", ("mast", "", "", "forum.example")),
        ({}, f"http://testserver/newsletter?{TAGS}", ("mast", "poster", "spring", "")),
        ({"utmSource": "own"}, f"http://testserver/newsletter?{TAGS}", ("own", "poster", "spring", "")),
        ({}, "http://[/newsletter?utm_source=%FF%00", ("", "", "", "")),
        ({}, "", ("", "", "", "")),
    ],
)
def test_link_comes_from_the_hidden_fields_or_the_address_of_the_form(
    fields: dict[str, Any], referer: str, stored: tuple[str, ...]
) -> None:
    assert submit(headers={"Referer": referer}, **fields).status_code == 302
    subscription = Subscription.objects.get()
    assert tuple(getattr(subscription, name) for name in ATTRIBUTION_FIELDS) == stored


def test_form_with_an_error_keeps_the_link() -> None:
    shown = text(submit(email="", headers={"Referer": f"http://testserver/newsletter?{TAGS}"}))
    assert '<input type="hidden" name="utmSource" value="mast">' in shown
    assert '<input type="hidden" name="utmCampaign" value="spring">' in shown
    assert 'name="referrer"' not in shown


def test_bot_gets_the_same_answer_and_nothing_is_stored() -> None:
    bot, person = submit(berth="https://spam.example"), submit(email="person@example.com")
    assert (bot.status_code, bot.headers["Location"]) == (person.status_code, person.headers["Location"])
    assert [row.email for row in Subscription.objects.all()] == ["person@example.com"]
    assert len(mails()) == ConsentEvent.objects.count() == 1


@pytest.mark.parametrize(
    ("lang", "email", "message"),
    [
        ("en", "", "Email is required"),
        ("en", "nonsense", "Please enter a valid email address"),
        ("en", f"{'a' * 300}@example.com", "Email must be at most 254 characters"),
        ("cs", "", "E-mail je povinný"),
        ("cs", "nonsense", "Zadejte prosím platnou e-mailovou adresu"),
    ],
)
def test_invalid_email_shows_the_form_again_with_the_message_at_the_field(
    lang: str, email: str, message: str
) -> None:
    response = submit(lang=lang, email=email, userType="company", source="landing-companies")
    shown = text(response)
    assert response.status_code == 422
    assert f'id="email" name="email" type="email" value="{email}"' in shown
    assert 'aria-invalid="true" aria-describedby="email-error" autofocus' in shown
    assert message in shown.partition('id="email-error"')[2].partition("</div>")[0]
    assert 'value="company" checked' in shown
    assert 'name="source" value="landing-companies"' in shown
    assert not Subscription.objects.exists()


def test_form_is_in_czech() -> None:
    shown = text(submit(lang="cs", email=""))
    assert english_left(shown, "newsletter") == []
    assert "Přidat se ke komunitě" in shown
    assert str(STATEMENT) not in shown


@pytest.mark.parametrize("user_type", [None, "captain"])
def test_unknown_user_type_is_refused_above_the_form(user_type: str | None) -> None:
    response = submit(userType=user_type)
    assert response.status_code == 422
    assert '<p class="FormMessage-message" role="alert">Please choose sailor or company</p>' in text(response)
    assert not Subscription.objects.exists()


def test_rate_limit_is_shared_with_graphql_and_keeps_the_address(
    settings: Settings, subscribe: Callable[..., Any]
) -> None:
    settings.SUBSCRIBE_RATE = "1/h"
    subscribe(email="first@example.com")
    response = submit(email="second@example.com")
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0
    assert "Too many attempts. Please try again in 60 minutes." in text(response)
    assert 'value="second@example.com"' in text(response)
    assert not Subscription.objects.filter(email="second@example.com").exists()


def test_form_keeps_the_address_when_the_database_is_down() -> None:
    with failing_database():
        response = submit()
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "The service is briefly unavailable. Please try again in a moment." in text(response)
    assert 'value="sailor@example.com"' in text(response)
    assert OUTAGE not in text(response)
    assert submit().status_code == 302


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://testserver"},  # another scheme
        {"Origin": "null"},
    ],
)
def test_cross_site_post_is_refused(headers: dict[str, str]) -> None:
    assert submit(headers=headers).status_code == 403
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://testserver"},
    ],
)
def test_same_origin_post_is_accepted(headers: dict[str, str]) -> None:
    assert submit(headers=headers).status_code == 302


def test_oversized_body_is_refused() -> None:
    response = submit(email="a" * MAX_FORM_BYTES)
    assert response.status_code == 413
    assert b"aaaa" not in response.content


@pytest.mark.parametrize(
    "content_type", ["application/json", "multipart/form-data; boundary=x", "text/plain"]
)
def test_other_content_type_is_refused(content_type: str) -> None:
    response = Client().post(ADDRESS, "email=sailor@example.com&userType=sailor", content_type=content_type)
    assert response.status_code == 415
    assert not Subscription.objects.exists()


def test_truncated_body_is_refused() -> None:
    class Cut(BytesIO):
        def read(self, _size: int | None = -1) -> bytes:
            raise OSError("connection reset")

    cut: dict[str, Any] = {"wsgi.input": Cut()}
    assert Client().generic("POST", ADDRESS, "email=a", content_type=FORM, **cut).status_code == 400


@pytest.mark.parametrize("lang", ["en", "cs"])
def test_get_redirects_to_the_form(lang: str) -> None:
    response = Client().get(f"{ADDRESS}?lang={lang}")
    assert (response.status_code, response.headers["Location"]) == (302, f"/newsletter?lang={lang}")
    assert not Subscription.objects.exists()


def test_responses_are_not_cached() -> None:
    for response in (submit(), submit(email="")):
        assert "no-store" in response.headers["Cache-Control"]
