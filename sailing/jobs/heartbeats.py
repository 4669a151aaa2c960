"""The heartbeats of the background worker: when each of its parts last worked, in any process."""

from datetime import timedelta
from typing import Any

from sailing.database import Now
from sailing.jobs.models import WorkerHeartbeat

INTERVAL_SECONDS = 30.0
"""Between two heartbeats of a part in one process."""

MAILS, JOBS = PARTS = ("mails", "jobs")


def touch(part: str) -> None:
    """Record that a part works. Raises database errors."""
    WorkerHeartbeat.objects.update_or_create(part=part, defaults={"at": Now()})


def get_age(part: str, *, is_locked: bool = False) -> timedelta:
    """Return how long no process has recorded a heartbeat of a part; zero if none ever has.

    `is_locked`: lock the row until the transaction ends, so that one process at a time acts on the age.
    """
    beats = WorkerHeartbeat.objects.filter(part=part).annotate(now=Now())
    beat: Any = (beats.select_for_update() if is_locked else beats).first()
    return beat.now - beat.at if beat else timedelta()
