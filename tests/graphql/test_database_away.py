"""A database that fails at any point of a request: 503, and nothing is stored."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
)
from post_office.models import Email

from accounts import tokens
from accounts.models import User
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from tests.api import post_graphql
from tests.security.corpus import SUBSCRIBE

STORED = (Subscription, ConsentEvent, SubscriptionLink, Email)
SECRET = "connection to server at 10.0.0.7 failed"


@contextmanager
def failing(error: type[Exception] = OperationalError, *, after: int = 0) -> Iterator[None]:
    """Make every database statement fail, after a number of successful ones."""
    numbers = count()

    def execute(run: Callable[..., Any], *args: Any) -> Any:
        if next(numbers) >= after:
            raise error(SECRET)
        return run(*args)

    with connection.execute_wrapper(execute):
        yield


def assert_unavailable(response: Any) -> None:
    (error,) = response.json()["errors"]
    assert response.headers["Cache-Control"] == "no-store"
    assert SECRET not in response.content.decode()
    assert "Traceback" not in response.content.decode()
    assert error["message"] == "The service is briefly unavailable. Please try again in a moment."
    assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 5}
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")


@pytest.mark.django_db(transaction=True)
def test_interrupted_subscription_stores_nothing() -> None:
    for after in count():
        with failing(after=after):
            response = post_graphql(f"mutation {{ {SUBSCRIBE} }}")
        if response.status_code == 200:
            break
        assert_unavailable(response)
        assert not any(model.objects.exists() for model in STORED), after
    assert after >= 5  # each statement has failed in turn
    assert all(model.objects.exists() for model in STORED)


@pytest.mark.django_db
def test_token_cannot_be_checked_without_the_database() -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    for query in ("{ me { id } }", "{ __typename }"):
        with failing():
            assert_unavailable(post_graphql(query, token=token))
    assert post_graphql("{ me { id } }", token=token).status_code == 200


def test_public_fields_need_no_database() -> None:
    assert post_graphql("{ __typename }").json() == {"data": {"__typename": "Query"}}
    assert post_graphql("{ me { id } }").json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, InternalError])
def test_outage_is_reported_as_unavailable(error: type[Exception]) -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    with failing(error):
        assert_unavailable(post_graphql("{ me { id } }", token=token))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no permissions")
@pytest.mark.django_db
def test_database_without_write_permission_is_reported_as_unavailable() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE full_plan")
        cursor.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO full_plan")
        cursor.execute("SET LOCAL ROLE full_plan")
    assert_unavailable(post_graphql(f"mutation {{ {SUBSCRIBE} }}"))


@pytest.mark.django_db
@pytest.mark.parametrize("error", [IntegrityError, DataError, ProgrammingError])
def test_bug_is_reported_as_internal_error(error: type[DatabaseError]) -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    with failing(error):
        response = post_graphql("{ me { id } }", token=token)
    assert response.status_code == 500
    assert response.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert SECRET not in response.content.decode()
