"""Heartbeats from which something follows: how long nobody has recorded one."""

from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from sailing.jobs import claims, heartbeats
from sailing.jobs.models import WorkerHeartbeat
from tests.concurrency import run_overlapping

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)


def record(at: datetime) -> None:
    WorkerHeartbeat.objects.create(part="part", at=at)


@pytest.mark.parametrize(
    ("age", "is_recent"),
    [(timedelta(), True), (timedelta(seconds=30), True), (timedelta(seconds=31), False), (-HOUR, False)],
)
def test_heartbeat_is_recent_within_the_interval(
    age: timedelta, is_recent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in the future, after the clock of the database was set back, is recorded anew."""
    now = timezone.now()
    monkeypatch.setattr(claims, "now", lambda: now)
    record(now - age)
    assert heartbeats.is_recent("part") is is_recent


def test_silence_is_told_to_one_process_only() -> None:
    record(timezone.now() - 2 * HOUR)
    silences: list[timedelta] = []

    def renew() -> None:
        with transaction.atomic():
            silence = heartbeats.renew("part")
            # A lock, at which the other process begins if `renew` takes none.
            list(WorkerHeartbeat.objects.select_for_update())
        silences.append(silence)

    run_overlapping(renew, renew)
    assert sorted(silence > HOUR for silence in silences) == [False, True]


def test_part_that_has_never_worked_is_not_silent() -> None:
    assert heartbeats.get_silence("part") == timedelta()
