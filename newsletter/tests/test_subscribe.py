"""A request to subscribe: `subscribeNewsletter`, the form without JavaScript, and the mail that follows."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from newsletter.models import STATEMENT, Subscription
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, subscribe, unsubscribe_address
from sailing.attribution import ATTRIBUTION_FIELDS
from sailing.mail.links import MAX_BODY_BYTES
from tests.database import OUTAGE, failing_database
from tests.mailbox import Reader, latest, mails, open_link, text

pytestmark = pytest.mark.django_db

PATH = "/newsletter/subscribe/"
TAGS = "utm_source=mast&utm_medium=poster&utm_campaign=spring"
FORM_PAGE = {"Referer": f"http://testserver/newsletter?{TAGS}"}


def submit(*, lang: str = "en", **values: Any) -> HttpResponse:
    """Post the form with valid values, overridden by `values`."""
    headers = values.pop("headers", {})
    given = {"email": "sailor@example.com", "userType": "sailor", "source": "", "berth": ""} | values
    response = Client(enforce_csrf_checks=True).post(f"{PATH}?lang={lang}", given, headers=headers)
    assert isinstance(response, HttpResponse)
    return response


def read_attribution() -> Any:
    return Subscription.objects.values_list(*ATTRIBUTION_FIELDS).get()


class TestMutation:
    def test_answer_describes_the_request(self) -> None:
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

    def test_known_address_and_bot_get_the_answer_of_a_new(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("DEBUG", logger="newsletter")
        bots: list[Any] = [{"website": "https://spam.example"}, {"website": " "}, {"fillTime": 999}]
        answers = []
        for number, values in enumerate([*bots, {"website": "", "fillTime": 1000}, *[{}] * 3]):
            email, state = f"{number}@example.com", ("confirmed", "unsubscribed", "bounced")[number % 3]
            SubscriptionFactory.create_batch(number > 3, email=email, **{state: True})
            answer = subscribe(email=email, **values)
            is_bot = number < len(bots)
            assert (Subscription.objects.exists(), bool(mails())) == (not is_bot, not is_bot)
            for of_its_own in ("id", "createdAt", "email"):
                del answer.data["subscription"][of_its_own]
            headers = {name: value for name, value in answer.http.items() if name != "X-Request-ID"}
            answers.append((answer.http.status_code, headers, answer.body))
        assert answers == [answers[0]] * 7
        assert "subscription_dropped" in caplog.text
        assert "@example.com" not in caplog.text

    def test_link_that_brought_the_visitor_is_stored_clean(self) -> None:
        subscribe(utmSource=" Facebook", utmCampaign="<b>jan@example.com</b>", referrer="www.facebook.com")
        subscribe(utmSource="later")
        assert read_attribution() == ("facebook", "", "", "www.facebook.com")

    def test_bot_meets_the_rate_limit_and_uses_up_no_mails_of_its_network(self, settings: Settings) -> None:
        settings.SUBSCRIBE_RATE, settings.MAIL_RATES = "2/d", ["1/h"]
        subscribe(website="x")
        subscribe()
        assert len(mails(is_reminder=False)) == 1
        answer = subscribe(website="x")
        assert (answer.http.status_code, answer.error["code"]) == (429, "RATE_LIMITED")


class TestForm:
    def test_submission_is_stored_and_leads_to_the_confirmation_like_that_of_a_bot(self) -> None:
        response = submit(lang="cs", userType="company", source="landing-companies")
        assert response.status_code == 302
        assert "no-store" in response.headers["Cache-Control"]
        assert "Odběr potvrzen!" in text(open_link(response.headers["Location"]))
        stored = Subscription.objects.get()
        assert (stored.user_type, stored.source, stored.language) == ("company", "landing-companies", "cs")
        bot = submit(lang="cs", email="bot@example.com", berth="https://spam.example")
        assert (bot.status_code, bot.headers["Location"]) == (302, response.headers["Location"])
        assert Subscription.objects.get() == stored
        assert Client().get(f"{PATH}?lang=cs").headers["Location"] == "/newsletter?lang=cs"

    @pytest.mark.parametrize(
        ("fields", "headers", "stored"),
        [
            ({"utmSource": "mast", "referrer": "forum.example"}, {}, ("mast", "", "", "forum.example")),
            ({"source": "elsewhere"}, FORM_PAGE, ("mast", "poster", "spring", "")),
            ({"utmSource": "own"}, FORM_PAGE, ("own", "poster", "spring", "")),
            ({}, {"Referer": "http://[/newsletter?utm_source=%FF%00"}, ("", "", "", "")),
        ],
    )
    def test_link_comes_from_fields_or_address(self, fields: Any, headers: Any, stored: Any) -> None:
        assert submit(headers=headers, **fields).status_code == 302
        assert read_attribution() == stored

    def test_error_shows_the_form_again_with_what_was_typed(self) -> None:
        values: dict[str, Any] = {"email": "nonsense", "userType": "company", "source": "landing-companies"}
        response = submit(headers=FORM_PAGE, **values)
        shown = text(response)
        assert response.status_code == 422
        for part in ("nonsense", 'company" checked', "landing-companies", 'name="utmSource" value="mast"'):
            assert part in shown
        error = shown.partition('id="email-error"')[2].partition("</div>")[0]
        assert "Please enter a valid email address" in error
        page = text(submit(userType="captain"))
        assert re.search('role="alert">.*<span>Please choose sailor or company</span>', page)

    def test_rate_is_shared_with_graphql_and_keeps_the_address(self, settings: Settings) -> None:
        settings.SUBSCRIBE_RATE = "1/h"
        subscribe(email="first@example.com")
        response = submit(email="second@example.com")
        assert (response.status_code, response.headers["Retry-After"][:2]) == (429, "36")
        assert "Too many attempts. Please try again in 60 minutes." in text(response)
        assert 'value="second@example.com"' in text(response)
        assert submit(email="a" * MAX_BODY_BYTES).status_code == 413

    def test_outage_keeps_the_address(self) -> None:
        with failing_database():
            response = submit()
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        assert 'value="sailor@example.com"' in text(response)
        assert OUTAGE not in text(response)

    def test_post_of_another_site_is_refused(self) -> None:
        for headers, status in (
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Origin": "https://testserver"}, 403),  # another scheme
            ({"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}, 302),
            ({"Sec-Fetch-Site": "none"}, 302),
            ({"Origin": "http://testserver"}, 302),
        ):
            assert submit(headers=headers).status_code == status
            assert Subscription.objects.exists() is (status == 302)


@pytest.mark.parametrize("confirmed", [False, True], ids=["welcome", "already aboard"])
@pytest.mark.parametrize("audience", ["sailors", "companies"])
def test_mail_names_its_newsletter_and_leads_to_the_preferences(confirmed: bool, audience: str) -> None:
    email = "{{site_url}}{%x%}%d%s&o'brien@example.com"  # shown, not rendered
    user_type = {"sailors": "sailor", "companies": "company"}[audience]
    SubscriptionFactory.create_batch(confirmed, email=email, user_type=user_type, confirmed=True)
    subscribe(email=email, userType=user_type)
    found = latest()
    for shown in (found.text, Reader(found.html).shown):
        assert f"{email}." in shown
        assert f"newsletter for {audience}" in shown
        assert (str(STATEMENT) in shown) is not confirmed
    address = unsubscribe_address(found)
    links = {f"http://testserver{address}", f"http://testserver{address}#preferences"}
    assert links <= {*Reader(found.html).links}
    assert 'id="preferences"' in text(open_link(address))
    assert confirmed or str(STATEMENT) in text(open_link(confirm_address(found)))
