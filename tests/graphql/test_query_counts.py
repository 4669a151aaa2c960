"""Upper bounds for the number of database statements of each operation."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail import mailboxes
from tests.api import post_graphql
from tests.security.corpus import write_mutation

pytestmark = pytest.mark.django_db

PASSWORD = "Fair winds, 2025!"
SIGN_UP = {"firstName": "Jana", "lastName": "Nováková", "email": "new@example.org", "password": PASSWORD}
SUBSCRIPTION = {"email": "new@example.org", "userType": "sailor"}


@pytest.fixture(autouse=True)
def _salt(db: None) -> None:
    mailboxes.read_salt()  # once for each process


def count_statements(document: str, values: dict[str, Any] | None = None, *, token: str = "") -> int:
    """Return the number of statements of one operation, without those that begin and end transactions."""
    with CaptureQueriesContext(connection) as captured:
        answer = post_graphql(document, {"input": values}, token=token)
    assert "errors" not in answer.body
    ignored = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(ignored) for query in captured)


@pytest.mark.parametrize(
    ("state", "limit"), [("new", 11), ("pending", 4), ("confirmed", 7)], ids=lambda value: str(value)
)
def test_subscribe(state: str, limit: int) -> None:
    if state == "pending":
        count_statements(write_mutation("subscribeNewsletter"), SUBSCRIPTION)
    if state == "confirmed":
        SubscriptionFactory(email=SUBSCRIPTION["email"], confirmed=True)
    assert count_statements(write_mutation("subscribeNewsletter"), SUBSCRIPTION) <= limit


def test_sign_in() -> None:
    MemberFactory(email="jana@example.org", password=PASSWORD)
    values = {"email": "jana@example.org", "password": PASSWORD}
    assert count_statements(write_mutation("signIn"), values) <= 4


def test_sign_up() -> None:
    assert count_statements(write_mutation("signUp"), SIGN_UP) <= 8


@pytest.mark.parametrize(
    ("document", "limit"),
    [
        ("{ me { id email firstName } }", 1),
        ('mutation { updateProfile(input: {firstName: "Eva"}) { id } }', 4),
        ("mutation { logout }", 5),
        ("mutation { resendVerification }", 9),
        ("{ newsletterSettingsUrl }", 2),
        ('mutation { requestPasswordReset(email: "jana@example.org") }', 9),
        ("{ account { pendingEmail } }", 3),
        ("mutation { signOutEverywhere }", 6),
    ],
)
def test_operations_of_members(document: str, limit: int) -> None:
    token = tokens.issue(MemberFactory(is_email_verified=False))
    assert count_statements(document, token=token) <= limit
