"""A database that fails at any point of a request: the caller is told to come again, nothing is left over."""

import json
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
from django.test import Client
from post_office.models import Email

from accounts import tokens
from accounts.models import User
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from tests.security.corpus import SUBSCRIBE

STORED = (Subscription, ConsentEvent, SubscriptionLink, Email)
SECRET = "connection to server at 10.0.0.7 failed"


def ask(query: str, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = json.dumps({"query": query})
    return Client().post("/graphql", body, content_type="application/json", headers=headers)


@contextmanager
def failing(error: type[Exception] = OperationalError, *, after: int = 0) -> Iterator[None]:
    """A database that takes so many statements more, and none then."""
    numbers = count()

    def execute(run: Callable[..., Any], *args: Any) -> Any:
        if next(numbers) >= after:
            raise error(SECRET)
        return run(*args)

    with connection.execute_wrapper(execute):
        yield


def is_told_to_come_again(response: Any) -> bool:
    (error,) = response.json()["errors"]
    assert response.headers["Cache-Control"] == "no-store"
    assert SECRET not in response.content.decode()
    assert "Traceback" not in response.content.decode()
    told: bool = error["message"] == "The service is briefly unavailable. Please try again in a moment."
    code: bool = error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 5}
    return told and code and (response.status_code, response.headers["Retry-After"]) == (503, "5")


@pytest.mark.django_db(transaction=True)
def test_wherever_a_subscription_is_cut_off_nothing_of_it_is_stored() -> None:
    for after in count():
        with failing(after=after):
            response = ask(f"mutation {{ {SUBSCRIBE} }}")
        if response.status_code == 200:
            break
        assert is_told_to_come_again(response), after
        assert not any(model.objects.exists() for model in STORED), after
    assert after >= 5  # the count, the row, its links, the consent and the mail were cut off in turn
    assert all(model.objects.exists() for model in STORED)


@pytest.mark.django_db
def test_who_asks_cannot_be_found_out() -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    for query in ("{ me { id } }", "{ __typename }"):
        with failing():
            assert is_told_to_come_again(ask(query, token))
    assert ask("{ me { id } }", token).status_code == 200


def test_what_needs_no_database_works_without() -> None:
    assert ask("{ __typename }").json() == {"data": {"__typename": "Query"}}
    assert ask("{ me { id } }").json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError, InterfaceError, InternalError])
def test_an_outage_is_told_as_one(error: type[Exception]) -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    with failing(error):
        assert is_told_to_come_again(ask("{ me { id } }", token))


@pytest.mark.django_db
@pytest.mark.parametrize("error", [IntegrityError, DataError, ProgrammingError])
def test_a_mistake_of_ours_is_not_told_as_an_outage(error: type[DatabaseError]) -> None:
    token = tokens.issue(User.objects.create_user("jana@example.org", "a long password"))
    with failing(error):
        response = ask("{ me { id } }", token)
    assert response.status_code == 500
    assert response.json()["errors"][0]["extensions"]["code"] == "INTERNAL"
    assert SECRET not in response.content.decode()
