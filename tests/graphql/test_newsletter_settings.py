"""The link to the newsletter settings of the signed-in member over GraphQL."""

from typing import Any

import pytest

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.services import preferences
from newsletter.tests.factories import SubscriptionFactory
from tests.api import czech_visitor, post_graphql
from tests.mailbox import open_link, text

pytestmark = pytest.mark.django_db

QUERY = "{ newsletterSettingsUrl }"
EMAIL = "jana@example.com"


def test_link_opens_the_page_of_the_address_and_has_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "SETTINGS_RATE", "1/h")
    SubscriptionFactory(confirmed=True)
    SubscriptionFactory(email=EMAIL, confirmed=True)
    token = tokens.issue(MemberFactory(email=EMAIL, is_email_verified=True))
    url = post_graphql(QUERY, token=token, client=czech_visitor()).data
    assert url.endswith("/?lang=cs#preferences")
    assert EMAIL in text(open_link(url.removeprefix("http://testserver").partition("#")[0]))
    assert post_graphql(QUERY, token=token).error["code"] == "RATE_LIMITED"


@pytest.mark.parametrize(
    ("state", "is_email_verified", "has_link"),
    [
        ({"confirmed": True}, True, True),
        ({"confirmed": True, "paused": True}, True, True),
        ({"confirmed": True}, False, False),
        ({}, True, False),
        ({"confirmed": True, "unsubscribed": True}, True, False),
        ({"confirmed": True, "bounced": True}, True, False),
        ({"confirmed": True, "email": "other@example.com"}, True, False),
    ],
)
def test_only_the_member_with_the_verified_address_of_a_subscriber_has_the_link(
    state: dict[str, Any], is_email_verified: bool, has_link: bool
) -> None:
    SubscriptionFactory(**{"email": EMAIL, **state})
    member = MemberFactory(email=EMAIL, is_email_verified=is_email_verified)
    answer = post_graphql(QUERY, token=tokens.issue(member)).body["data"]["newsletterSettingsUrl"]
    assert bool(answer) is has_link
