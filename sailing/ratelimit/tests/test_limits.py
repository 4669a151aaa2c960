"""Rate limits: sliding windows, network budgets, failure limits and their storage."""

import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries, Settings

from sailing.client import Client, get_client
from sailing.errors import RateLimited
from sailing.ratelimit import limits
from sailing.ratelimit.limits import Budget, check_key_rate, check_rate, forget_failures, limit_failures
from sailing.ratelimit.models import RateCounter
from tests.concurrency import run_at_once
from tests.jobs import purge_expired

pytestmark = pytest.mark.django_db

NOON = datetime(2025, 6, 1, 12, 0, 5, 500_000, tzinfo=UTC)
"""In the middle of a sub-window of a minute, and not on a whole second."""

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
THREADS = 8


def client_of(address: str) -> Client:
    return get_client(RequestFactory().post("/", REMOTE_ADDR=address))


def retry_after(*, group: str = "a", rate: str = "1/h", address: str = "192.0.2.1", **changes: Any) -> int:
    """Return the seconds to wait after an attempt; 0 if it is accepted."""
    try:
        check_rate(client_of(address), group=group, rate=rate, **changes)
    except RateLimited as error:
        return error.retry_after
    return 0


def is_allowed(**changes: Any) -> bool:
    return retry_after(**changes) == 0


def attempt(password: str = "wrong", *, account: str = "a", address: str = "192.0.2.1") -> str | int:
    """Return the result of a sign-in attempt: "in", "failed", or the seconds to wait."""
    try:
        with limit_failures(client_of(address), account=account, failure=PermissionError):
            if password == "wrong":
                raise PermissionError
    except PermissionError:
        return "failed"
    except RateLimited as error:
        return error.retry_after
    return "in"


def forget(address: str = "192.0.2.1") -> None:
    forget_failures(client_of(address), account="a")


@pytest.fixture(autouse=True)
def clock(settings: Settings) -> Iterator[time_machine.Traveller]:
    settings.SIGNIN_RATE = "1000/m"
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


class TestRate:
    def test_each_group_client_and_user_has_a_budget_without_its_name_in_storage(
        self, settings: Settings
    ) -> None:
        assert is_allowed()
        assert not is_allowed()
        assert is_allowed(group="jana@example.com")
        settings.MAIL_RATES = ["2/h", "9/h"]  # each has its own
        assert [is_allowed(group=f"{n}", causes_mail=True) for n in range(3)] == [True, True, False]
        assert is_allowed(address="192.0.2.2")
        for user in (1, 2):
            check_key_rate(user, group="a", rate="1/h")
        with pytest.raises(RateLimited):
            check_key_rate(1, group="a", rate="1/h")
        stored = str(RateCounter.objects.values())
        assert "192.0.2." not in stored
        assert "jana" not in stored

    def test_no_window_accepts_more_attempts_than_the_rate(self, clock: time_machine.Traveller) -> None:
        """Three minutes of bursts have room for fifteen attempts."""
        numbers = random.Random(1)
        accepted: list[int] = []
        for second in range(180):
            accepted += [second for _ in range(numbers.choice([0, 0, 0, 1, 7])) if is_allowed(rate="6/m")]
            clock.shift(SECOND)
        assert max(sum(begin <= at < begin + 60 for at in accepted) for begin in range(180)) == 6
        assert len(accepted) >= 15

    def test_wait_ends_when_enough_attempts_have_expired(self, clock: time_machine.Traveller) -> None:
        assert is_allowed(rate="2/m")
        clock.shift(30 * SECOND)
        assert is_allowed(rate="2/m")
        clock.shift(10.5 * SECOND)
        assert [retry_after(rate="2/m") for _ in range(2)] == [20, 20]
        clock.shift(19.5 * SECOND)
        assert is_allowed(rate="2/m")
        assert retry_after(rate="2/m") == 30

    def test_attempt_is_one_statement(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        attempt = {"address": "2001:db8::1", "causes_mail": True}
        with django_assert_num_queries(1):
            assert is_allowed(**attempt)
        stored = list(RateCounter.objects.values())
        with django_assert_num_queries(2):
            assert not is_allowed(**attempt)
        assert list(RateCounter.objects.values()) == stored


class TestNetworks:
    @pytest.mark.parametrize(
        ("networks", "accepted"),
        [([f"2001:db8:7:{n:x}00" for n in range(18)], 32), ([f"2001:db8:7:4{n:x}" for n in range(6)], 8)],
    )
    def test_wide_networks_share_budgets(self, networks: list[str], accepted: int) -> None:
        addresses = [f"{network}::{n}" for network in [*networks, "2001:db8:8:0"] for n in (1, 2)]
        found = [is_allowed(rate="2/m", address=address) for address in addresses]
        assert (sum(found[:-2]), found[-2:]) == (accepted, [True, True])

    @pytest.mark.parametrize(
        ("networks", "accepted"),
        [([f"2001:db8:7:{n}00" for n in range(3)], 8), ([f"2001:db8:7:4{n}" for n in range(3)], 6)],
    )
    def test_sign_ins_get_tight_budgets(self, settings: Settings, networks: list[str], accepted: int) -> None:
        settings.SIGNIN_RATE = "4/m"
        tries = [
            attempt(account=f"{network} {number}", address=f"{network}::1")
            for network in networks
            for number in range(4)
        ]
        assert tries.count("failed") == accepted


class TestFailures:
    def test_sixth_failure_is_refused_until_the_retry_time(self, clock: time_machine.Traveller) -> None:
        assert {attempt("right") for _ in range(9)} == {"in"}
        assert [attempt() for _ in range(6)] == ["failed"] * 5 + [300]
        assert attempt("right", account="b") == "in"
        assert attempt("right", address="192.0.2.2") == "in"
        clock.shift(299 * SECOND)
        assert attempt("right") == 1
        clock.shift(SECOND)
        assert attempt("right") == "in"

    def test_other_exceptions_do_not_count_as_failures(self) -> None:
        for _ in range(9):
            with suppress(OSError), limit_failures(client_of("192.0.2.1"), account="a", failure=KeyError):
                raise OSError
        assert attempt("right") == "in"

    def test_forgotten_failures_count_elsewhere(self, settings: Settings) -> None:
        settings.SIGNIN_RATE = "15/m"
        for account in "ab":
            assert [attempt(account=account) for _ in range(5)] == ["failed"] * 5
        forget()
        assert attempt("right", account="b") == 300
        assert [attempt() for _ in range(6)] == ["failed"] * 5 + [300]
        forget()
        assert attempt() == 60

    def test_forgotten_failures_leave_those_of_the_neighbors(self) -> None:
        networks = {"2001:db8:7:100::1": 4, "2001:db8:7:200::1": 4, "2001:db8:7:300::1": 2}
        for address, failures in networks.items():
            assert [attempt(address=address) for _ in range(failures)] == ["failed"] * failures
        forget(address)
        assert [attempt(address=address) for _ in range(3)] == ["failed", "failed", 300]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestConcurrency:
    def test_concurrent_attempts_share_the_rate_and_failures_the_limit(self) -> None:
        assert run_at_once(THREADS, lambda _number: is_allowed(rate="3/h")).count(True) == 3
        assert not is_allowed(rate="3/h")
        assert run_at_once(THREADS, lambda _number: attempt()).count("failed") == 5

    def test_different_orders_of_keys_neither_deadlock_nor_lose_a_hit(self) -> None:
        budgets = [Budget(f"{number:032x}", limit=1000, period=MINUTE) for number in range(200)]

        def count(number: int) -> bool:
            asked = budgets[:: 1 if number % 2 else -1]
            return all(limits.add_hits(asked, NOON, hits=1) for _ in range(10))

        assert all(run_at_once(THREADS, count))
        assert set(RateCounter.objects.values_list("hits", flat=True)) == {10 * THREADS}

    def test_concurrent_attempts_on_both_sides_of_a_sub_window_share_the_rate(self) -> None:
        """The clocks of two machines differ by a moment."""
        boundary = NOON.replace(second=10, microsecond=0)
        budget = Budget("0" * 32, limit=3, period=MINUTE)
        times = [boundary, boundary - timedelta(milliseconds=1)] * THREADS
        added = run_at_once(THREADS, lambda number: limits.add_hits([budget], times[number], hits=1))
        assert added.count(True) == 3


def test_expired_rows_alone_are_deleted(clock: time_machine.Traveller) -> None:
    assert is_allowed(rate="1/h")
    assert is_allowed(rate="1/m", address="192.0.2.2")
    clock.shift(MINUTE)
    purge_expired()
    assert RateCounter.objects.count() == 1
    assert not is_allowed(rate="1/h")
