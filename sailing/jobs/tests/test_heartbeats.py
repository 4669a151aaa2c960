"""Heartbeats: how long nobody has recorded one."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from time_machine import TimeMachineFixture

from sailing.jobs import heartbeats
from tests.concurrency import run_overlapping

HOUR = timedelta(hours=1)


@pytest.mark.django_db
def test_age_is_the_time_since_any_process_touched_the_part(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2026-01-01T12:00:00+00:00", tick=False)
    assert heartbeats.get_age("part") == timedelta()
    heartbeats.touch("part")
    time_machine.shift(HOUR)
    heartbeats.touch("other")
    assert heartbeats.get_age("part") == HOUR


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_one_process_at_a_time_acts_on_an_age(time_machine: TimeMachineFixture) -> None:
    heartbeats.touch("part")
    time_machine.move_to(timezone.now() + 2 * HOUR)
    ages = []

    def act() -> None:
        with transaction.atomic():
            ages.append(heartbeats.get_age("part", is_locked=True))
            heartbeats.touch("part")

    run_overlapping(act, act)
    assert sorted(age > HOUR for age in ages) == [False, True]
