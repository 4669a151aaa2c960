"""How many statements each operation sends to the database: exactly, so that no one more slips in."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

PASSWORD = "Fair winds, 2025!"
SIGN_UP = {"firstName": "Jana", "lastName": "Nováková", "email": "new@example.org", "password": PASSWORD}


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
        """The count of tries; the subscription, its two links, the mail, the consent event."""
        assert len(subscribe("new@example.org")) == 5

    def test_a_pending_one_within_the_pause(self) -> None:
        """The count of tries, an insert that finds the row, the row, the mails of the day, an open link."""
        subscribe("new@example.org")
        assert len(subscribe("new@example.org")) == 5

    def test_a_confirmed_one(self) -> None:
        """The count of tries, an insert that finds the row, the row, its change, a link, the mail."""
        SubscriptionFactory(email="new@example.org", confirmed=True)
        assert len(subscribe("new@example.org")) == 6


class TestMembers:
    def test_me(self) -> None:
        token = tokens.issue(MemberFactory())
        assert len(statements("{ me { id email firstName } }", token=token)) == 1

    def test_sign_in(self) -> None:
        """The count of tries, and of failures, the member, the time of it, one failure less."""
        MemberFactory(email="jana@example.org", password=PASSWORD)
        document = "mutation($input: SignInInput!) { signIn(input: $input) { token user { id } } }"
        found = statements(document, {"email": "jana@example.org", "password": PASSWORD})
        assert len(found) == 5

    def test_sign_up(self) -> None:
        """The count of tries, a look for the address, the member, the link, the mail."""
        document = "mutation($input: SignUpInput!) { signUp(input: $input) { token user { id } } }"
        found = statements(document, SIGN_UP)
        assert len(found) == 5

    def test_update_profile(self) -> None:
        """The member of the token, their row locked, its change."""
        token = tokens.issue(MemberFactory())
        document = "mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }"
        found = statements(document, {"firstName": "Eva"}, token=token)
        assert len(found) == 3

    def test_logout(self) -> None:
        """The member of the token, an end to what has expired, a look for this token, its end."""
        token = tokens.issue(MemberFactory())
        found = statements("mutation { logout }", token=token)
        assert len(found) == 4

    def test_resend_verification(self) -> None:
        """The member of the token, their row locked, the link before, the new one, the mail."""
        token = tokens.issue(MemberFactory(is_email_verified=False))
        found = statements("mutation { resendVerification }", token=token)
        assert len(found) == 5
