"""Run background jobs in the test itself."""

import threading

from sailing.jobs import queue
from sailing.jobs.runner import Turns


def run_pending_jobs(stop: threading.Event | None = None) -> None:
    """Run jobs until none is due or `stop` is set. Raises database errors."""
    stop = stop or threading.Event()
    turns = Turns(stop)
    try:
        while not stop.is_set() and turns.run_round():
            pass
    finally:
        turns.close()


def purge_expired() -> None:
    """Run the routine job that deletes expired data."""
    queue.enqueue("retention")
    run_pending_jobs()
