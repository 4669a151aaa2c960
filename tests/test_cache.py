"""The cache in the database, in which the throttles count."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.core.cache import cache, caches
from django.db import connection, connections, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

import sailing.cache
from sailing import outbox

THREADS = 8
EACH = 5
MINUTE = timedelta(minutes=1)


def count_up(key: str, *, lifetime: timedelta) -> int:
    """In the site's own cache."""
    return sailing.cache.count_up(caches["default"], key, lifetime=lifetime)


def rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache")
        (number,) = cursor.fetchone()
    return int(number)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_nothing_is_lost_when_many_count_at_once() -> None:
    barrier = Barrier(THREADS)

    def count_in_turn(_: int) -> list[int]:
        try:
            barrier.wait()
            return [count_up("count", lifetime=MINUTE) for _ in range(EACH)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        sums = [total for part in pool.map(count_in_turn, range(THREADS)) for total in part]
    assert sorted(sums) == list(range(1, THREADS * EACH + 1))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize("was_there", [False, True])
def test_of_many_at_once_one_stores_what_is_not_there_or_not_any_more(was_there: bool) -> None:
    now = timezone.now()
    if was_there:
        with time_machine.travel(now - timedelta(hours=1), tick=False):
            cache.set("place", "taken", timeout=60)
    barrier = Barrier(THREADS)

    def take(number: int) -> bool:
        try:
            barrier.wait()
            return cache.add("place", number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        stored = [number for number, is_mine in enumerate(pool.map(take, range(THREADS))) if is_mine]
    assert stored == [cache.get("place")]


@pytest.mark.django_db
def test_a_key_is_free_again_as_soon_as_its_time_is_over() -> None:
    now = timezone.now().replace(microsecond=500_000)
    with time_machine.travel(now, tick=False) as clock:
        assert cache.add("place", 1, timeout=60)
        assert not cache.add("place", 2, timeout=60)
        clock.shift(timedelta(seconds=59))
        assert cache.get("place") == 1
        assert not cache.add("place", 2, timeout=60)
        clock.shift(timedelta(seconds=1))
        assert cache.add("place", 2, timeout=60)
        assert cache.get("place") == 2


@pytest.mark.django_db
class TestCounting:
    def test_each_key_is_counted_apart(self) -> None:
        count_up("count", lifetime=MINUTE)
        assert count_up("other", lifetime=MINUTE) == 1

    def test_a_count_is_one_statement(self, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        for total in (1, 2):
            with django_assert_num_queries(1):
                assert count_up("count", lifetime=MINUTE) == total

    def test_a_count_ends_when_it_was_going_to_and_begins_anew(self) -> None:
        now = timezone.now().replace(microsecond=0)
        with time_machine.travel(now, tick=False):
            assert count_up("count", lifetime=MINUTE) == 1
        with time_machine.travel(now + timedelta(seconds=59), tick=False):
            assert count_up("count", lifetime=MINUTE) == 2
        with time_machine.travel(now + timedelta(seconds=61), tick=False):
            assert count_up("count", lifetime=MINUTE) == 1
        with time_machine.travel(now + timedelta(seconds=120), tick=False):
            assert count_up("count", lifetime=MINUTE) == 2

    def test_what_has_ended_is_forgotten_and_nothing_else(self) -> None:
        now = timezone.now().replace(microsecond=0)
        with time_machine.travel(now, tick=False):
            count_up("short", lifetime=MINUTE)
            count_up("long", lifetime=2 * MINUTE)
            cache.set("endless", 1, timeout=None)
        with time_machine.travel(now + timedelta(seconds=61), tick=False):
            outbox.tidying.send(sender=None)
            assert rows() == 2
            assert count_up("long", lifetime=MINUTE) == 2
            assert cache.get("endless") == 1

    def test_a_cache_that_forgets_by_itself_is_left_alone(self, settings: Settings) -> None:
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
        outbox.tidying.send(sender=None)

    def test_a_count_of_a_transaction_that_fails_is_undone(self) -> None:
        count_up("count", lifetime=MINUTE)
        with transaction.atomic():
            assert count_up("count", lifetime=MINUTE) == 2
            transaction.set_rollback(True)
        assert count_up("count", lifetime=MINUTE) == 2

    def test_a_cache_that_cannot_count_so_is_counted_in_by_its_own_means(self, settings: Settings) -> None:
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
        assert [count_up("count", lifetime=MINUTE) for _ in range(3)] == [1, 2, 3]

    def test_a_count_whose_time_ends_while_it_is_made_begins_anew(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
        counting = caches["default"]
        added = counting.add

        def add_too_late(*args: Any) -> bool:
            """Finds it there, a moment before its end."""
            monkeypatch.setattr(counting, "add", added)
            return False

        monkeypatch.setattr(counting, "add", add_too_late)
        assert count_up("ends", lifetime=MINUTE) == 1


@pytest.mark.django_db
class TestSize:
    def test_the_counts_of_a_busy_minute_are_not_forgotten(self) -> None:
        for number in range(400):  # Django's own default forgets from 300 on
            count_up(f"count{number}", lifetime=MINUTE)
        assert {count_up(f"count{number}", lifetime=MINUTE) for number in range(400)} == {2}

    def test_a_flood_of_clients_does_not_fill_the_database(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sailing.cache.CULL_EVERY", 10)
        default = settings.CACHES["default"]
        settings.CACHES = {"default": {**default, "OPTIONS": {"MAX_ENTRIES": 100}}}
        for number in range(300):
            count_up(f"count{number}", lifetime=MINUTE)
        assert rows() <= 110
