"""The heartbeats of the background worker: when each of its parts last worked, in any process.

A part that no process runs, or that hangs in all of them, is noticed by the web processes
(`sailing.operations.queues`).
"""

import time
from datetime import datetime, timedelta

from django.utils import timezone

from sailing.jobs import claims
from sailing.jobs.models import WorkerHeartbeat

INTERVAL_SECONDS = 30.0
MAILS, JOBS = PARTS = ("mails", "jobs")

_started_at = timezone.now()
"""Stands for the heartbeat of a part that has never run. This process waits for it since then."""


class Heartbeat:
    """The heartbeat of one part in this process."""

    def __init__(self, part: str) -> None:
        self._part = part
        self._next = time.monotonic()

    def renew_if_due(self) -> None:
        """Record that this part works. Raises database errors."""
        if time.monotonic() < self._next:
            return
        _store(self._part, claims.now())
        self._next = time.monotonic() + INTERVAL_SECONDS


def is_recent(part: str) -> bool:
    """Return whether any process has recorded a heartbeat of a part within the interval."""
    now = claims.now()
    since = now - timedelta(seconds=INTERVAL_SECONDS)
    return WorkerHeartbeat.objects.filter(part=part, at__range=(since, now)).exists()


def get_silence(part: str) -> timedelta:
    """Return how long no process has recorded a heartbeat of a part; zero if none ever has."""
    last = WorkerHeartbeat.objects.filter(part=part).first()
    return claims.now() - last.at if last else timedelta()


def renew(part: str) -> timedelta:
    """Record that a part works, and return how long no process had recorded it; zero if none ever had.

    Call it in the transaction of what follows from that time, so that one process at a time does it.
    """
    before = WorkerHeartbeat.objects.select_for_update().filter(part=part).first()
    now = claims.now()
    _store(part, now)
    return now - before.at if before else timedelta()


def read_oldest() -> datetime:
    """Return the oldest heartbeat of all parts, the start of this process for a part without one."""
    known = dict(WorkerHeartbeat.objects.values_list("part", "at"))
    return min(known.get(part, _started_at) for part in PARTS)


def list_never_run() -> list[str]:
    """Return the parts that no process has run since the database is used."""
    known = set(WorkerHeartbeat.objects.values_list("part", flat=True))
    return [part for part in PARTS if part not in known]


def _store(part: str, at: datetime) -> None:
    WorkerHeartbeat.objects.bulk_create(
        [WorkerHeartbeat(part=part, at=at)],
        update_conflicts=True,
        unique_fields=["part"],
        update_fields=["at"],
    )
