"""The cache in the database, on which the throttles count."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.core.cache import cache
from django.db import connections, transaction
from django.utils import timezone
from pytest_django import Settings

from sailing import outbox

THREADS = 8
EACH = 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_nothing_is_lost_when_many_count_at_once() -> None:
    cache.set("count", 0)
    barrier = Barrier(THREADS)

    def count(_: int) -> list[int]:
        try:
            barrier.wait()
            return [cache.incr("count") for _ in range(EACH)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        sums = [total for part in pool.map(count, range(THREADS)) for total in part]
    assert sorted(sums) == list(range(1, THREADS * EACH + 1))
    assert cache.get("count") == THREADS * EACH


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
    def test_by_more_than_one_and_down(self) -> None:
        cache.set("count", 5)
        assert cache.incr("count", 3) == 8
        assert cache.decr("count", 2) == 6

    def test_a_count_ends_when_it_was_going_to(self) -> None:
        now = timezone.now().replace(microsecond=0)
        with time_machine.travel(now, tick=False):
            cache.set("count", 1, timeout=60)
        with time_machine.travel(now + timedelta(seconds=59), tick=False):
            assert cache.incr("count") == 2
        with time_machine.travel(now + timedelta(seconds=61), tick=False):
            assert cache.get("count") is None

    def test_what_has_ended_cannot_be_counted_up(self) -> None:
        now = timezone.now()
        with time_machine.travel(now, tick=False):
            cache.set("count", 1, timeout=60)
        with (
            time_machine.travel(now + timedelta(seconds=61), tick=False),
            pytest.raises(ValueError, match="count"),
        ):
            cache.incr("count")

    def test_what_never_was_cannot_either(self) -> None:
        with pytest.raises(ValueError, match="other"):
            cache.incr("other")

    def test_what_has_ended_is_forgotten_and_nothing_else(self) -> None:
        now = timezone.now().replace(microsecond=0)
        with time_machine.travel(now, tick=False):
            cache.set("short", 1, timeout=60)
            cache.set("long", 1, timeout=3600)
            cache.set("endless", 1, timeout=None)
        with time_machine.travel(now + timedelta(seconds=61), tick=False):
            outbox.tidying.send(sender=None)
        with time_machine.travel(now, tick=False):
            found = cache.get_many(["short", "long", "endless"])
        assert set(found) == {"long", "endless"}

    def test_a_cache_that_forgets_by_itself_is_left_alone(self, settings: Settings) -> None:
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
        outbox.tidying.send(sender=None)

    def test_a_busy_hour_of_counts_fits(self) -> None:
        now = timezone.now()
        with time_machine.travel(now, tick=False):
            for number in range(400):
                cache.add(f"count-{number}", 1, timeout=60)
            assert len(cache.get_many([f"count-{number}" for number in range(400)])) == 400

    def test_versions_are_counted_apart(self) -> None:
        cache.set("count", 1)
        cache.set("count", 10, version=2)
        assert cache.incr("count", version=2) == 11
        assert cache.get("count") == 1

    def test_a_count_of_a_transaction_that_fails_is_undone(self) -> None:
        cache.set("count", 1)
        with transaction.atomic():
            assert cache.incr("count") == 2
            transaction.set_rollback(True)
        assert cache.get("count") == 1


@pytest.mark.django_db
def test_the_counts_of_a_busy_minute_are_not_forgotten() -> None:
    keys = [f"count{number}" for number in range(400)]  # Django's own default forgets from 300 on
    for key in keys:
        cache.add(key, 1)
    assert len(cache.get_many(keys)) == len(keys)
