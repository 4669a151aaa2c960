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
from sailing.mail.models import OutboxEmail
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
def send(request: pytest.FixtureRequest) -> Callable[[str], OutboxEmail]:
    """Return a function that enqueues a mail in a language."""

    def enqueue(language: str) -> OutboxEmail:
        SENDERS[request.param](language)
        return latest()

    return enqueue


@pytest.mark.parametrize("language", ["en", "cs"])
def test_text_and_html_have_the_same_content_and_links(
    send: Callable[[str], OutboxEmail], language: str
) -> None:
    assert_same_in_text_and_html(send(language))


def test_html_needs_no_image_script_or_remote_style(send: Callable[[str], OutboxEmail]) -> None:
    assert_plain(send("en").html)


def test_czech_mail_has_no_english_left(send: Callable[[str], OutboxEmail]) -> None:
    mail = send("cs")
    for part in (mail.subject, mail.text, mail.html):
        assert not english_left(part, "accounts")
        assert not english_left(part, "newsletter")
    assert '<html lang="cs"' in mail.html


@pytest.mark.parametrize("language", ["en", "cs"])
def test_links_lead_to_pages_in_the_language_of_the_mail(
    send: Callable[[str], OutboxEmail], language: str
) -> None:
    mail = send(language)
    links = Reader(mail.html).links
    one_click = (mail.headers or {}).get("List-Unsubscribe")
    if one_click:
        links.append(one_click.strip("<>"))
    assert links
    ends = (f"/?lang={language}", f"/?lang={language}&not-me=1", f"/?lang={language}#privacy")
    assert all(link.endswith(ends) for link in links)


@pytest.mark.parametrize(("language", "label"), [("en", "Privacy"), ("cs", "Soukromí")])
def test_mail_links_to_the_privacy_notice(
    send: Callable[[str], OutboxEmail], language: str, label: str
) -> None:
    mail = send(language)
    url = f"{settings.SITE_URL}/?lang={language}#privacy"
    assert f"\n{label}: {url}\n" in mail.text
    assert url in Reader(mail.html).links
