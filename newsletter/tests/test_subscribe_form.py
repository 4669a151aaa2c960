"""The newsletter form without JavaScript: `/newsletter/subscribe/`."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from newsletter.views import MAX_FORM_BYTES
from sailing.attribution import ATTRIBUTION_FIELDS
from tests.database import OUTAGE, failing_database
from tests.mailbox import mails, open_link, text

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
        ("en", ["Welcome Aboard!", "Subscription Confirmed!", "Check your email for a welcome message."]),
        ("cs", ["Vítejte na palubě!", "Odběr potvrzen!", "odběr je hotový", "Zpět na úvodní stránku"]),
    ],
)
def test_submission_is_stored_and_redirects_to_the_confirmation(lang: str, words: list[str]) -> None:
    client = Client()
    response = submit(client=client, lang=lang, userType="company", source="landing-companies")
    assert response.status_code == 302
    assert "no-store" in response.headers["Cache-Control"]
    page = open_link(response.headers["Location"], client=client)
    assert page.status_code == 200
    assert page.headers["Content-Language"] == lang
    assert [word for word in words if word not in text(page)] == []
    subscription = Subscription.objects.get()
    assert (subscription.email, subscription.user_type) == ("sailor@example.com", "company")
    assert (subscription.source, subscription.language) == ("landing-companies", lang)
    assert not subscription.is_confirmed
    assert len(mails()) == 1


def test_unknown_source_counts_as_none() -> None:
    for source in (None, "", "elsewhere"):
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
    ],
)
def test_link_comes_from_the_hidden_fields_or_the_address_of_the_form(
    fields: dict[str, Any], referer: str, stored: tuple[str, ...]
) -> None:
    assert submit(headers={"Referer": referer}, **fields).status_code == 302
    subscription = Subscription.objects.get()
    assert tuple(getattr(subscription, name) for name in ATTRIBUTION_FIELDS) == stored


def test_bot_gets_the_same_answer_and_nothing_is_stored() -> None:
    bot, person = submit(berth="https://spam.example"), submit(email="person@example.com")
    assert (bot.status_code, bot.headers["Location"]) == (person.status_code, person.headers["Location"])
    assert [row.email for row in Subscription.objects.all()] == ["person@example.com"]
    assert [mail.recipient for mail in mails()] == ["person@example.com"]


@pytest.mark.parametrize(
    ("lang", "message"),
    [("en", "Please enter a valid email address"), ("cs", "Zadejte prosím platnou e-mailovou adresu")],
)
def test_invalid_email_shows_the_form_again_with_the_message_at_the_field(lang: str, message: str) -> None:
    response = submit(
        lang=lang,
        email="nonsense",
        userType="company",
        source="landing-companies",
        headers={"Referer": f"http://testserver/newsletter?{TAGS}"},
    )
    shown = text(response)
    assert response.status_code == 422
    assert "no-store" in response.headers["Cache-Control"]
    assert 'id="email" name="email" type="email" value="nonsense"' in shown
    assert 'aria-invalid="true" aria-describedby="email-error" autofocus' in shown
    assert message in shown.partition('id="email-error"')[2].partition("</div>")[0]
    assert 'value="company" checked' in shown
    assert 'name="source" value="landing-companies"' in shown
    assert '<input type="hidden" name="utmSource" value="mast">' in shown
    assert 'name="referrer"' not in shown
    assert not Subscription.objects.exists()


def test_unknown_user_type_is_refused_above_the_form() -> None:
    response = submit(userType="captain")
    assert response.status_code == 422
    assert re.search('role="alert">.*<span>Please choose sailor or company</span>', text(response))


def test_rate_limit_is_shared_with_graphql_and_keeps_the_address(settings: Settings) -> None:
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
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://testserver"}, 403),  # another scheme
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}, 302),
        ({"Sec-Fetch-Site": "none"}, 302),
        ({"Origin": "http://testserver"}, 302),
    ],
)
def test_post_of_another_site_is_refused(headers: dict[str, str], status: int) -> None:
    assert submit(headers=headers).status_code == status
    assert Subscription.objects.exists() is (status == 302)


def test_oversized_body_is_refused() -> None:
    response = submit(email="a" * MAX_FORM_BYTES)
    assert response.status_code == 413
    assert b"aaaa" not in response.content


def test_get_redirects_to_the_form() -> None:
    response = Client().get(f"{ADDRESS}?lang=cs")
    assert (response.status_code, response.headers["Location"]) == (302, "/newsletter?lang=cs")
