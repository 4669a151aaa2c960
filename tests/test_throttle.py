"""How often one client may do one thing, over HTTP."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.test import Client, RequestFactory
from pytest_django import Settings

from sailing import throttle
from sailing.errors import RateLimited
from tests.security.corpus import SUBSCRIBE

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)


def ask(address: str = "192.0.2.1", *, forwarded: str = "") -> Any:
    body = json.dumps({"query": f"mutation {{ {SUBSCRIBE} }}"})
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return Client(REMOTE_ADDR=address).post(
        "/graphql", body, content_type="application/json", headers=headers
    )


def is_taken(response: Any) -> bool:
    return bool(response.status_code == 200 and response.json()["data"]["subscribeNewsletter"]["success"])


def try_once(*, group: str = "a", rate: str = "1/h", value: str = "", address: str = "192.0.2.1") -> bool:
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    try:
        throttle.count(request, group=group, rate=rate, value=value)
    except RateLimited:
        return False
    return True


@pytest.fixture
def at_noon() -> Iterator[time_machine.Traveller]:
    """A clock that stands, so that a test is never cut in two by the end of a minute."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.mark.django_db
class TestOverHttp:
    def test_over_the_rate_it_is_told_when_to_come_again(
        self, settings: Settings, at_noon: time_machine.Traveller
    ) -> None:
        settings.SUBSCRIBE_RATE = "2/m"
        assert is_taken(ask())
        assert is_taken(ask())
        refused = ask()

        assert refused.status_code == 429
        (error,) = refused.json()["errors"]
        assert error["message"] == "Too many attempts. Please wait a moment and try again."
        wait = error["extensions"].pop("retryAfter")
        assert error["extensions"] == {"code": "RATE_LIMITED"}
        assert refused.headers["Retry-After"] == str(wait)
        assert 1 <= wait <= 60

        at_noon.shift(timedelta(seconds=wait - 1))
        assert ask().status_code == 429
        at_noon.shift(timedelta(seconds=1))
        assert is_taken(ask())

    def test_another_client_is_counted_apart(
        self, settings: Settings, at_noon: time_machine.Traveller
    ) -> None:
        settings.SUBSCRIBE_RATE = "1/m"
        assert is_taken(ask("192.0.2.1"))
        assert ask("192.0.2.1").status_code == 429
        assert is_taken(ask("192.0.2.2"))

    def test_a_client_cannot_choose_its_address(
        self, settings: Settings, at_noon: time_machine.Traveller
    ) -> None:
        settings.SUBSCRIBE_RATE = "1/m"
        settings.TRUSTED_PROXY_COUNT = 1
        assert is_taken(ask(forwarded="203.0.113.1, 192.0.2.1"))
        assert ask(forwarded="203.0.113.2, 192.0.2.1").status_code == 429
        assert is_taken(ask(forwarded="203.0.113.1, 192.0.2.2"))


@pytest.mark.django_db
@pytest.mark.usefixtures("at_noon")
class TestCounting:
    def test_each_thing_and_each_value_has_its_own_count(self) -> None:
        assert try_once()
        assert not try_once()
        assert try_once(group="b")
        assert try_once(value="jana@example.com")
        assert not try_once(value="jana@example.com")
        assert try_once(value="petr@example.com")

    def test_a_refused_try_is_counted_too(self) -> None:
        assert [try_once(rate="2/h") for _ in range(4)] == [True, True, False, False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database", "at_noon")
def test_of_many_at_once_no_more_than_the_rate_get_through() -> None:
    barrier = Barrier(8)

    def attempt(_: int) -> bool:
        try:
            barrier.wait()
            return try_once(rate="3/h")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 3
