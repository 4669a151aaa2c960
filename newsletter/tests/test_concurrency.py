"""Many at once, and a database that does not answer."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier

import pytest
from django.db import connection, connections

from newsletter.models import ConsentEvent, Subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from tests.api import Answer
from tests.mailbox import mails

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("shared_database")]

REQUESTS = 20


def at_once(subscribe: Subscribe) -> list[Answer]:
    """The answers to equal requests that start together."""
    barrier = Barrier(REQUESTS)

    def request(_: int) -> Answer:
        try:
            barrier.wait()
            return subscribe()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(REQUESTS) as pool:
        return list(pool.map(request, range(REQUESTS)))


def test_equal_requests_create_one_row_mail_and_event(subscribe: Subscribe) -> None:
    answers = at_once(subscribe)

    assert all(answer.data["success"] for answer in answers)
    assert Subscription.objects.count() == 1
    assert len(mails()) == 1
    assert ConsentEvent.objects.count() == 1


@pytest.mark.parametrize("state", ["confirmed", "unsubscribed"])
def test_equal_requests_for_a_known_address_send_one_mail(subscribe: Subscribe, state: str) -> None:
    SubscriptionFactory(email="sailor@example.com", **{state: True})
    answers = at_once(subscribe)

    assert all(answer.data["success"] for answer in answers)
    assert len(mails()) == 1


@contextmanager
def locked_database() -> Iterator[None]:
    """Somebody else holds what a subscription needs; waiting for it ends after a short while."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100" if sqlite else "SET statement_timeout = 100")
    other = connections.create_connection("default")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(
            "BEGIN IMMEDIATE" if sqlite else "LOCK newsletter_subscription IN ACCESS EXCLUSIVE MODE"
        )
    try:
        yield
    finally:
        other.rollback()
        other.close()
        if not sqlite:  # the connection goes on to other tests
            with connection.cursor() as cursor:
                cursor.execute("RESET statement_timeout")


def test_locked_database_is_reported_as_unavailable(subscribe: Subscribe) -> None:
    with locked_database():
        answer = subscribe()

    assert answer.http.status_code == 503
    assert answer.error["code"] == "UNAVAILABLE"
    assert answer.http["Retry-After"]
    assert not Subscription.objects.exists()
    assert not mails()

    assert subscribe().data["success"]
    assert len(mails()) == 1
