"""How many statements each operation sends to the database, at most."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

NOON = "2025-06-01T12:00:05+00:00"
"""In the middle of a sub-window of each rate limit; near its ends one more statement counts."""

PASSWORD = "Fair winds, 2025!"
SIGN_UP = {"firstName": "Jana", "lastName": "Nováková", "email": "new@example.org", "password": PASSWORD}


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(NOON, tick=False)


def statements(document: str, values: dict[str, Any] | None = None, *, token: str = "") -> list[str]:
    """What one call sends, but for the beginnings and ends of transactions."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = json.dumps({"query": document, "variables": {"input": values}})
    with CaptureQueriesContext(connection) as captured:
        answer = Client().post("/graphql", body, content_type="application/json", headers=headers)
    assert "errors" not in answer.json()
    sent = [query["sql"] for query in captured]
    return [sql for sql in sent if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]


def subscribe(email: str) -> list[str]:
    document = (
        "mutation($input: SubscribeNewsletterInput!) { subscribeNewsletter(input: $input) { success } }"
    )
    return statements(document, {"email": email, "userType": "sailor"})


class TestSubscribe:
    def test_a_new_address(self) -> None:
        """Rate limit (2), the subscription, its lock, the budget (3), two links, mail, consent event."""
        assert len(subscribe("new@example.org")) <= 10

    def test_a_pending_one_within_the_pause(self) -> None:
        """Two for the rate limit, an insert that finds the row, the row, its mails of the day, a link."""
        subscribe("new@example.org")
        assert len(subscribe("new@example.org")) <= 6

    def test_a_confirmed_one(self) -> None:
        """Two for the rate limit, a failing insert, the row, the budget (3), its change, a link, the mail."""
        SubscriptionFactory(email="new@example.org", confirmed=True)
        assert len(subscribe("new@example.org")) <= 10


class TestMembers:
    def test_me(self) -> None:
        token = tokens.issue(MemberFactory())
        assert len(statements("{ me { id email firstName } }", token=token)) == 1

    def test_sign_in(self) -> None:
        """Two for the rate limit, three for the limit of failures, the member, the time of it."""
        MemberFactory(email="jana@example.org", password=PASSWORD)
        document = "mutation($input: SignInInput!) { signIn(input: $input) { token user { id } } }"
        found = statements(document, {"email": "jana@example.org", "password": PASSWORD})
        assert len(found) <= 7

    def test_sign_up(self) -> None:
        """Two for the rate limit, a look for the address, the member, the budget (3), the link, the mail."""
        document = "mutation($input: SignUpInput!) { signUp(input: $input) { token user { id } } }"
        found = statements(document, SIGN_UP)
        assert len(found) <= 9

    def test_update_profile(self) -> None:
        """The member of the token, two for the rate limit, their row locked, its change."""
        token = tokens.issue(MemberFactory())
        document = "mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }"
        found = statements(document, {"firstName": "Eva"}, token=token)
        assert len(found) <= 5

    def test_logout(self) -> None:
        """The member of the token, two for the rate limit, what expired, a look for this one, its end."""
        token = tokens.issue(MemberFactory())
        found = statements("mutation { logout }", token=token)
        assert len(found) <= 6

    def test_resend_verification(self) -> None:
        """The member, rate limit (2), their row, the link before, the budget (3), a link, the mail."""
        token = tokens.issue(MemberFactory(is_email_verified=False))
        found = statements("mutation { resendVerification }", token=token)
        assert len(found) <= 10
