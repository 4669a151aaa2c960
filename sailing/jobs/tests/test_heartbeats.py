"""Heartbeats: when a part of the worker last worked."""

import pytest
from django.utils import timezone

from sailing.jobs import heartbeats
from sailing.jobs.models import WorkerHeartbeat


@pytest.mark.django_db
@pytest.mark.usefixtures("frozen_clock")
def test_last_time_that_any_process_touched_a_part_is_stored() -> None:
    for _process in range(2):
        heartbeats.touch("part")
    assert list(WorkerHeartbeat.objects.values_list("part", "at")) == [("part", timezone.now())]
