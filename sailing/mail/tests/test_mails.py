"""All mails: text and HTML, languages and links."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.utils import timezone

from accounts import mails as accounts_mails
from accounts.models import LinkPurpose
from accounts.tests.factories import MemberFactory
from newsletter import mails as newsletter_mails
from newsletter.tests.factories import SubscriptionFactory
from tests.mailbox import Reader, assert_plain, assert_same_in_text_and_html, english_left, latest

pytestmark = pytest.mark.django_db


def welcome(language: str, user_type: str) -> None:
    subscription = SubscriptionFactory(user_type=user_type, language=language)
    newsletter_mails.enqueue_welcome(subscription, language=language)


def already_subscribed(language: str, user_type: str) -> None:
    subscription = SubscriptionFactory(user_type=user_type, language=language)
    newsletter_mails.enqueue_already_subscribed(subscription, language=language)


SENDERS: dict[str, Callable[[str], None]] = {
    "verification": lambda language: accounts_mails.enqueue_link(
        MemberFactory(language=language), LinkPurpose.VERIFY
    ),
    "password reset": lambda language: accounts_mails.enqueue_link(
        MemberFactory(language=language), LinkPurpose.RESET
    ),
    "password changed": lambda language: accounts_mails.enqueue_password_changed(
        MemberFactory(language=language)
    ),
    "email change": lambda language: accounts_mails.enqueue_link(
        MemberFactory(language=language), LinkPurpose.CHANGE_EMAIL, to="new@example.com"
    ),
    "email changed": lambda language: accounts_mails.enqueue_email_changed(
        MemberFactory(language=language), old_email="old@example.com"
    ),
    "account deleted": lambda language: accounts_mails.enqueue_account_deleted(
        MemberFactory(language=language), to="old@example.com", is_newsletter_kept=True
    ),
    "expiry warning": lambda language: accounts_mails.enqueue_expiry_warning(
        MemberFactory(language=language), expires_at=timezone.now()
    ),
    "welcome sailor": lambda language: welcome(language, "sailor"),
    "welcome company": lambda language: welcome(language, "company"),
    "already aboard sailor": lambda language: already_subscribed(language, "sailor"),
    "already aboard company": lambda language: already_subscribed(language, "company"),
}


@pytest.fixture(params=SENDERS)
def kind(request: pytest.FixtureRequest) -> str:
    """Return the name of each mail."""
    return str(request.param)


@pytest.mark.parametrize(("language", "privacy"), [("en", "Privacy"), ("cs", "Soukromí")])
def test_text_and_html_say_the_same_in_one_language_and_need_nothing_remote(
    kind: str, language: str, privacy: str
) -> None:
    SENDERS[kind](language)
    mail = latest()
    assert_same_in_text_and_html(mail)
    assert_plain(mail.html)
    assert f'<html lang="{language}"' in mail.html
    if language == "cs":
        for part in (mail.subject, mail.text, mail.html):
            assert not english_left(part, "accounts") + english_left(part, "newsletter")
    url = f"{settings.SITE_URL}/?lang={language}#privacy"
    assert f"\n{privacy}: {url}\n" in mail.text
    links = Reader(mail.html).links
    assert url in links
    links.append((mail.headers or {}).get("List-Unsubscribe", url).strip("<>"))
    ends = (f"/?lang={language}", f"/?lang={language}&not-me=1", f"/?lang={language}#privacy")
    assert all(link.endswith(ends) for link in links)
