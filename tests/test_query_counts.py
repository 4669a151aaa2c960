"""Upper bounds for the number of database statements of each operation."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import tokens
from accounts.tests.factories import PASSWORD, MemberFactory, form
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail import mailboxes
from tests.api import post_graphql
from tests.security.corpus import write_mutation

pytestmark = pytest.mark.django_db

SUBSCRIPTION = {"email": "new@example.org", "userType": "sailor"}
SUBSCRIBE, SIGN_IN, SIGN_UP = map(write_mutation, ("subscribeNewsletter", "signIn", "signUp"))


def count_statements(document: str, values: dict[str, Any] | None = None, *, token: str = "") -> int:
    """Return the number of statements of one operation, without those that begin and end transactions."""
    mailboxes.read_salt()  # once for each process
    with CaptureQueriesContext(connection) as captured:
        answer = post_graphql(document, {"input": values}, token=token)
    assert "errors" not in answer.body
    ignored = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(ignored) for query in captured)


def test_operations_of_visitors() -> None:
    assert count_statements(SUBSCRIBE, SUBSCRIPTION) <= 11
    assert count_statements(SUBSCRIBE, SUBSCRIPTION) <= 4
    SubscriptionFactory(email="known@example.org", confirmed=True)
    assert count_statements(SUBSCRIBE, SUBSCRIPTION | {"email": "known@example.org"}) <= 7
    assert count_statements(SIGN_UP, form()) <= 8
    assert count_statements(SIGN_IN, {"email": "jana@example.com", "password": PASSWORD}) <= 4


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
