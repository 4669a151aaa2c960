"""Run background jobs in the test itself."""

from sailing.jobs import queue


def run_pending_jobs() -> None:
    """Run jobs until none is due. Raises database errors."""
    while queue.run_next_step():
        pass


def purge_expired() -> None:
    """Run the routine job that deletes expired data."""
    queue.enqueue("retention")
    run_pending_jobs()


class Killed(BaseException):
    """A worker that ends in the middle, as by SIGKILL: nothing handles this."""
