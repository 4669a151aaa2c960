"""The heartbeats of the background worker: when each of its parts last worked, in any process."""

from sailing.database import Now
from sailing.jobs.models import WorkerHeartbeat

INTERVAL_SECONDS = 30.0
"""Between two heartbeats of a part in one process."""

MAILS, JOBS = PARTS = ("mails", "jobs")
BACKUP = "backup"  # at the end of each


def touch(part: str) -> None:
    """Record that a part works. Raises database errors."""
    WorkerHeartbeat.objects.update_or_create(part=part, defaults={"at": Now()})
