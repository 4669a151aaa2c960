"""How often one client may do one thing, over HTTP."""

import json
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.models import User
from sailing import throttle
from sailing.errors import RateLimited
from tests.security.corpus import SUBSCRIBE

FIVE_MINUTES = timedelta(minutes=5)
REDIS = {"BACKEND": "django.core.cache.backends.redis.RedisCache"}
MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "throttle"}
NOON = datetime(2025, 6, 1, 12, 0, 0, 500_000, tzinfo=UTC)
"""And a bit, as clocks have it: the cache in the database keeps whole seconds."""


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

    @pytest.mark.parametrize(
        ("first", "second", "is_one"),
        [
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),
            ("2001:db8:0:1::1", "2001:DB8:0000:0001::2", True),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
            ("192.0.2.1", "::ffff:192.0.2.1", True),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
            ("192.0.2.1", "192.0.2.2", False),
            ("fe80::1%eth0", "fe80::2%eth0", True),
            ("unknown", "unknown", True),
            ("", "unknown", False),
        ],
    )
    def test_a_client_is_an_ipv4_address_or_an_ipv6_network(
        self, first: str, second: str, is_one: bool
    ) -> None:
        assert try_once(address=first)
        assert try_once(address=second) is not is_one


class WrongPassword(Exception):
    """What a try that fails raises."""


@pytest.mark.django_db
class TestFailures:
    @pytest.fixture(autouse=True)
    def _clock(self, at_noon: time_machine.Traveller) -> None:
        self.clock = at_noon

    def attempt(self, password: str = "wrong", *, account: str = "a", address: str = "192.0.2.1") -> str:
        """What comes of a try to sign in with three failures allowed in five minutes."""
        request = RequestFactory().post("/", REMOTE_ADDR=address)
        try:
            with throttle.failures(
                request, group="g", most=3, within=FIVE_MINUTES, value=account, failure=WrongPassword
            ):
                if password == "wrong":
                    raise WrongPassword
        except WrongPassword:
            return "failed"
        except RateLimited as error:
            self.wait = timedelta(seconds=error.retry_after)
            return "refused"
        return "in"

    def test_past_the_limit_even_the_right_password_is_refused_until_the_time_told(self) -> None:
        assert [self.attempt() for _ in range(4)] == ["failed", "failed", "failed", "refused"]
        assert self.attempt("right") == "refused"
        assert timedelta(0) < self.wait <= FIVE_MINUTES
        self.clock.shift(self.wait - timedelta(seconds=1))
        assert self.attempt("right") == "refused"
        self.clock.shift(timedelta(seconds=1))
        assert self.attempt("right") == "in"

    @pytest.mark.parametrize("cache", [None, MEMORY])
    def test_no_five_minutes_hold_more_than_the_limit_wherever_they_begin(
        self, settings: Settings, cache: dict[str, str] | None
    ) -> None:
        """Also around the end of five minutes of the clock. None is the site's own cache, in the database."""
        if cache:
            settings.CACHES = {"default": cache}
        self.clock.shift(FIVE_MINUTES - timedelta(seconds=3))
        assert self.attempt() == "failed"
        self.clock.shift(timedelta(seconds=2))
        assert [self.attempt(), self.attempt()] == ["failed", "failed"]
        self.clock.shift(timedelta(seconds=2))
        assert self.attempt() == "refused"
        assert self.wait == FIVE_MINUTES - timedelta(seconds=4)
        self.clock.shift(self.wait)
        assert [self.attempt(), self.attempt()] == ["failed", "refused"]
        assert self.wait == timedelta(seconds=2)

    def test_who_succeeds_is_never_refused(self) -> None:
        assert {self.attempt("right") for _ in range(9)} == {"in"}
        assert [self.attempt() for _ in range(4)] == ["failed", "failed", "failed", "refused"]

    def test_another_account_and_another_client_are_counted_apart(self) -> None:
        for _ in range(4):
            self.attempt()
        assert self.attempt("right", account="b") == "in"
        assert self.attempt("right", address="192.0.2.2") == "in"

    def test_a_client_is_a_network_here_too(self) -> None:
        tries = [self.attempt(address=f"2001:db8::{number}") for number in range(4)]
        assert tries == ["failed", "failed", "failed", "refused"]

    def test_an_accident_is_no_failure(self) -> None:
        request = RequestFactory().post("/")
        for _ in range(5):
            with (
                pytest.raises(ZeroDivisionError),
                throttle.failures(
                    request, group="g", most=3, within=FIVE_MINUTES, value="a", failure=WrongPassword
                ),
            ):
                raise ZeroDivisionError


class TestWithoutItsCache:
    """Redis is away: each process counts for itself, and the log says so."""

    @pytest.fixture(autouse=True)
    def _away(self, settings: Settings, at_noon: time_machine.Traveller) -> Iterator[None]:
        settings.CACHES = {"default": {**REDIS, "LOCATION": "redis://127.0.0.1:1/0"}}
        yield
        throttle.OWN.clear()

    @pytest.mark.django_db
    def test_the_rate_is_kept(
        self, settings: Settings, caplog: pytest.LogCaptureFixture, at_noon: time_machine.Traveller
    ) -> None:
        settings.SUBSCRIBE_RATE = "2/m"
        assert is_taken(ask())
        assert is_taken(ask())
        assert "not_counted" in caplog.text
        refused = ask()
        assert refused.status_code == 429
        at_noon.shift(timedelta(seconds=int(refused.headers["Retry-After"])))
        assert is_taken(ask())

    @pytest.mark.django_db
    def test_passwords_are_guessed_no_faster(self, client: Client) -> None:
        """Who signs in with the right one takes nothing from how often they may fail."""
        User.objects.create_superuser("admin@example.com", "fair winds 2025")

        def sign_in(password: str) -> int:
            form = {"username": "admin@example.com", "password": password}
            return client.post("/admin/login/?next=/admin/", form).status_code

        assert sign_in("fair winds 2025") == 302
        assert [sign_in("wrong") for _ in range(throttle.FAILURES)] == [200] * throttle.FAILURES
        assert sign_in("fair winds 2025") == 200  # the form again

    def test_one_that_does_not_answer_is_not_waited_for(self, settings: Settings) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            location = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
            options = {"socket_connect_timeout": 0.01, "socket_timeout": 0.01}
            settings.CACHES = {"default": {**REDIS, "LOCATION": location, "OPTIONS": options}}
            assert try_once()
            assert not try_once()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database", "at_noon")
class TestManyAtOnce:
    def at_once(self, attempt: Callable[[], bool]) -> int:
        """How many of eight get through."""
        barrier = Barrier(8)

        def one(_: int) -> bool:
            try:
                barrier.wait()
                return attempt()
            finally:
                connections.close_all()

        with ThreadPoolExecutor(8) as pool:
            return sum(pool.map(one, range(8)))

    def test_no_more_than_the_rate_get_through(self) -> None:
        assert self.at_once(lambda: try_once(rate="3/h")) == 3

    def test_no_more_than_the_limit_fail(self, at_noon: time_machine.Traveller) -> None:
        def fail() -> bool:
            request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
            try:
                with throttle.failures(
                    request, group="g", most=3, within=FIVE_MINUTES, value="a", failure=WrongPassword
                ):
                    raise WrongPassword
            except WrongPassword:
                return True
            except RateLimited:
                return False

        assert self.at_once(fail) == 3
        at_noon.shift(FIVE_MINUTES)
        assert self.at_once(fail) == 3
