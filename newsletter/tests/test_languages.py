"""Pages and mails in Czech."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from newsletter import mails
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from newsletter.tests.factories import SubscriptionFactory
from tests.mailbox import Reader, english_left, latest, open_link, press_button, text

pytestmark = pytest.mark.django_db


def link(purpose: LinkPurpose, language: str = "cs", **state: object) -> str:
    """Return the path of a new link, without `?lang=`."""
    subscription = SubscriptionFactory(language=language, **state)
    (token,) = SubscriptionLink.issue(purpose, subscription=subscription)
    return f"/newsletter/{purpose}/{token}/"


def assert_czech(response: HttpResponse, heading: str) -> None:
    page = text(response)
    assert f'<h1 class="document__title">{heading}</h1>' in page
    assert '<html lang="cs">' in page
    assert response["Content-Language"] == "cs"
    assert not english_left(page, "newsletter")


def test_pages_of_a_confirm_link_are_in_czech() -> None:
    address = link(LinkPurpose.CONFIRM)
    assert_czech(open_link(address), "Potvrďte svůj odběr")

    SubscriptionLink.objects.update(expires_at=timezone.now())
    assert_czech(open_link(address), "Platnost odkazu vypršela")
    assert_czech(press_button(address, renew="1"), "Podívejte se do e-mailu")
    assert latest().subject == "Vítejte na palubě! Potvrďte prosím svůj odběr"

    SubscriptionLink.objects.update(expires_at=None)
    assert_czech(press_button(address), "Jste na palubě")

    Subscription.objects.update(is_active=False)
    assert_czech(open_link(address), "Tento odkaz už neplatí")


def test_pages_of_an_unsubscribe_link_are_in_czech() -> None:
    address = link(LinkPurpose.UNSUBSCRIBE)
    assert_czech(open_link(address), "Odhlásit se z newsletteru?")
    assert_czech(press_button(address), "Příznivý vítr")


def test_the_page_of_an_unknown_link_is_in_the_language_of_the_visitor() -> None:
    assert_czech(open_link("/newsletter/confirm/x/?lang=cs"), "Tento odkaz nefunguje")


@pytest.mark.parametrize("purpose", LinkPurpose)
def test_a_language_that_the_visitor_chose_wins(purpose: LinkPurpose) -> None:
    address = link(purpose, language="cs")
    with_cookie = Client()
    with_cookie.cookies.load({"django_language": "en"})

    assert '<html lang="en">' in text(open_link(address, client=with_cookie))
    assert '<html lang="en">' in text(open_link(f"{address}?lang=en"))
    assert '<html lang="cs">' in text(open_link(f"{address}?lang=cs", client=with_cookie))


@pytest.mark.parametrize("enqueue", [mails.enqueue_welcome, mails.enqueue_already_aboard])
@pytest.mark.parametrize("language", ["en", "cs"])
def test_each_link_of_a_mail_leads_to_a_page_in_its_language(
    enqueue: Callable[..., None], language: str
) -> None:
    enqueue(SubscriptionFactory(language="cs"), language=language)
    links = [*Reader(latest().html_message).links, latest().headers["List-Unsubscribe"].strip("<>")]
    assert all(f"/?lang={language}" in link for link in links)
    other = Client()
    other.cookies.load({"django_language": "cs" if language == "en" else "en"})
    page = open_link(links[-1].removeprefix("http://testserver"), client=other)
    assert f'<html lang="{language}">' in text(page)


@pytest.mark.parametrize("language", ["", "de"])
def test_a_subscription_without_a_known_language_is_answered_in_english(language: str) -> None:
    address = link(LinkPurpose.CONFIRM, language=language)
    assert '<html lang="en">' in text(open_link(address))


def test_each_page_offers_the_other_language() -> None:
    address = link(LinkPurpose.CONFIRM, language="en")
    assert 'href="?lang=cs"' in text(open_link(address))
    assert 'href="?lang=en"' in text(open_link(f"{address}?lang=cs"))


@pytest.mark.parametrize("enqueue", [mails.enqueue_welcome, mails.enqueue_already_aboard])
@pytest.mark.parametrize("user_type", ["sailor", "company"])
def test_a_czech_mail_is_czech_throughout_and_leads_to_czech_pages(
    enqueue: Callable[..., None], user_type: str
) -> None:
    enqueue(SubscriptionFactory(user_type=user_type, language="cs"), language="cs")
    mail = latest()
    for part in (mail.subject, mail.message, mail.html_message):
        assert not english_left(part, "newsletter")
    assert "?lang=cs" in mail.message
    assert '<html lang="cs"' in mail.html_message


@pytest.mark.parametrize(("days", "expected"), [(1, "1 den"), (2, "2 dny"), (5, "5 dní")])
def test_czech_days_have_the_right_plural(days: int, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mails, "CONFIRM_LIFETIME", timedelta(days=days))
    mails.enqueue_welcome(SubscriptionFactory(), language="cs")
    assert f"Odkaz platí {expected}." in latest().message
