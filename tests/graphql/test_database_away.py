"""A database that fails at any point of a request: 503, and nothing is stored."""

from itertools import count

import pytest
from django.db import ProgrammingError
from django.test import Client

from accounts import tokens
from accounts.tests.factories import MemberFactory
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from sailing.mail.models import OutboxEmail
from tests.api import Answer, post_graphql
from tests.database import OUTAGE, failing_database
from tests.security.corpus import SUBSCRIBE

STORED = (Subscription, ConsentEvent, SubscriptionLink, OutboxEmail)


def assert_unavailable(answer: Answer) -> None:
    assert answer.http.headers["Cache-Control"] == "no-store"
    assert OUTAGE not in answer.http.text
    assert "Traceback" not in answer.http.text
    assert answer.error == {
        "message": "The service is briefly unavailable. Please try again in a moment.",
        "code": "UNAVAILABLE",
        "retryAfter": 5,
    }
    assert (answer.http.status_code, answer.http.headers["Retry-After"]) == (503, "5")


@pytest.mark.django_db(transaction=True)
def test_interrupted_subscription_stores_nothing() -> None:
    for after in count():
        with failing_database(after=after):
            answer = post_graphql(f"mutation {{ {SUBSCRIBE} }}")
        if answer.http.status_code == 200:
            break
        assert_unavailable(answer)
        assert not any(model.objects.exists() for model in STORED), after
    assert after >= 5  # each statement has failed in turn
    assert all(model.objects.exists() for model in STORED)


@pytest.mark.django_db
def test_token_cannot_be_checked_without_the_database_for_any_media_type() -> None:
    token = tokens.issue(MemberFactory())
    for query in ("{ me { id } }", "{ __typename }"):
        for accept in ("*/*", "application/json"):
            with failing_database():
                assert_unavailable(
                    post_graphql(query, token=token, client=Client(headers={"Accept": accept}))
                )
    with failing_database(ProgrammingError):  # a bug
        answer = post_graphql("{ me { id } }", token=token)
    assert (answer.http.status_code, answer.error["code"]) == (500, "INTERNAL")
    assert OUTAGE not in answer.http.text
    assert post_graphql("{ me { id } }", token=token).http.status_code == 200


def test_public_fields_need_no_database() -> None:
    assert post_graphql("{ __typename }", token="nonsense").data == "Query"
    assert post_graphql("{ me { id } }").error["code"] == "UNAUTHENTICATED"
