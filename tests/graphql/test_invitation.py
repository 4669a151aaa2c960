"""The invitation link of the signed-in member over GraphQL."""

import pytest
from pytest_django import Settings

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.invitations.models import Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Subscription
from tests.api import czech_visitor, post_graphql

pytestmark = pytest.mark.django_db

ANNA = "anna@example.com"
QUERY = "{ invitation { url count milestones { threshold name } } }"


@pytest.fixture
def anna() -> Subscription:
    return create_reader(ANNA)


def test_member_sees_the_link(anna: Subscription, settings: Settings) -> None:
    Milestone.objects.create(threshold=3, name_en="The first wave", name_cs="První vlna")
    come(anna, "friend@example.com")
    member = MemberFactory(email=ANNA, is_email_verified=True)
    answer = post_graphql(QUERY, token=tokens.issue(member), client=czech_visitor())
    assert answer.data == {
        "url": f"{settings.SITE_URL}/newsletter?invitation={anna.pk.hex}",
        "count": 1,
        "milestones": [{"threshold": 3, "name": "První vlna"}],
    }


@pytest.mark.parametrize("missing", ["verified address", "newsletter"])
def test_member_who_lacks_a_condition_has_no_link(missing: str) -> None:
    create_reader(ANNA, is_active=missing != "newsletter")
    member = MemberFactory(email=ANNA, is_email_verified=missing != "verified address")
    assert post_graphql(QUERY, token=tokens.issue(member)).data is None


def test_visitor_is_refused() -> None:
    assert post_graphql(QUERY).error["code"] == "UNAUTHENTICATED"
