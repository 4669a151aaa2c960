"""All mails: text and HTML, languages and links."""

from collections.abc import Callable
from functools import partial

import pytest
from django.conf import settings

from accounts import mails as accounts_mails
from accounts.models import LinkPurpose, User
from accounts.tests.factories import MemberFactory
from newsletter import mails as newsletter_mails
from newsletter.models import UserType
from newsletter.tests.factories import SubscriptionFactory
from tests.mailbox import Reader, assert_plain, assert_same_in_text_and_html, english_left, latest

pytestmark = pytest.mark.django_db


TO_MEMBERS: dict[str, Callable[[User], None]] = {
    "verification": partial(accounts_mails.enqueue_link, purpose=LinkPurpose.VERIFY),
    "password reset": partial(accounts_mails.enqueue_link, purpose=LinkPurpose.RESET),
    "password changed": accounts_mails.enqueue_password_changed,
    "email change": partial(
        accounts_mails.enqueue_link, purpose=LinkPurpose.CHANGE_EMAIL, to="new@example.com"
    ),
    "email changed": partial(accounts_mails.enqueue_email_changed, old_email="old@example.com"),
    "account deleted": partial(accounts_mails.enqueue_account_deleted, is_newsletter_kept=True),
}
TO_SUBSCRIBERS: dict[str, Callable[..., object]] = {
    "welcome": newsletter_mails.enqueue_welcome,
    "already aboard": newsletter_mails.enqueue_already_subscribed,
}
KINDS = [*TO_MEMBERS, *(f"{kind} {audience}" for kind in TO_SUBSCRIBERS for audience in UserType.values)]


def enqueue(kind: str, language: str) -> None:
    if kind in TO_MEMBERS:
        TO_MEMBERS[kind](MemberFactory(language=language))
    else:
        name, _space, audience = kind.rpartition(" ")
        subscription = SubscriptionFactory(user_type=audience, language=language)
        TO_SUBSCRIBERS[name](subscription, language=language)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("language", "privacy"), [("en", "Privacy"), ("cs", "Soukromí")])
def test_text_and_html_say_the_same_and_need_nothing_remote(kind: str, language: str, privacy: str) -> None:
    enqueue(kind, language)
    mail = latest()
    assert ("List-Unsubscribe" in (mail.headers or {})) is (kind not in TO_MEMBERS)
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
    ends = tuple(f"/?lang={language}{end}" for end in ("", "&not-me=1", "#privacy", "#preferences"))
    assert all(link.endswith(ends) for link in links)
