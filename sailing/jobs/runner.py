"""Run the jobs of the queue, one at a time in each process that has a worker."""

import threading
from contextlib import suppress

import structlog
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils.translation import gettext_noop

from sailing.background import BackgroundThread
from sailing.errors import describe_outage
from sailing.jobs import queue
from sailing.jobs.queue import JobFailed, JobStopped, RunningJob
from sailing.jobs.wake import woken
from sailing.models import JobState

POLL_SECONDS = 2.0
"""Longest wait of a job enqueued by another process; one of this process wakes the worker."""

PAUSE_SECONDS = 0.02
"""Pause after each step, which lets other writers of an SQLite database in."""

JOIN_SECONDS = 10.0
"""How long an ending process waits for the step under way. The database rolls back a longer one."""

logger = structlog.get_logger(__name__)


def run_next(stop: threading.Event | None = None) -> bool:
    """Run the most important job that is due; return whether there was one.

    The job is interrupted between two steps if it asks for a pause, `stop` is set, or a more important job
    waits; any worker then continues it. Raises database errors.
    """
    job = queue.claim_next()
    if job is None:
        return False
    log = logger.bind(job=job.pk)
    if job.is_given_up:
        job.finish(JobState.FAILED, error=gettext_noop("The job ended its worker several times."))
        log.error("job_failed", final=True)
        return True
    try:
        _run(job, stop or threading.Event())
    except JobStopped:
        log.info("job_stopped")
    except JobFailed as failure:
        with suppress(JobStopped):  # cancelled meanwhile
            job.finish(JobState.FAILED, error=str(failure)[:255])
        log.info("job_refused")
    except Exception as error:
        is_final = False
        with suppress(JobStopped):
            # If the database is away, this raises, and the claim expires.
            is_final = job.record_failure(type(error).__name__)
        if is_final or not isinstance(error, (DatabaseError, InterfaceError)):
            log.exception("job_failed", final=is_final)
        else:
            log.warning("job_postponed", error=type(error).__name__)
    return True


def _run(job: RunningJob, stop: threading.Event) -> None:
    kind = queue.kinds.get(job.kind)
    if kind is None:  # enqueued by another release
        raise JobFailed(gettext_noop("This release has no such job."))
    steps = kind.run(job)
    try:
        for pause in steps:
            if pause:
                job.release(after=pause)
                return
            if stop.wait(PAUSE_SECONDS) or queue.has_more_important(job):
                job.release()
                return
    finally:
        steps.close()  # type: ignore[attr-defined]  # closes the files of an interrupted job now
    job.finish(JobState.DONE)


def run(stop: threading.Event) -> None:
    """Run jobs until `stop` is set. No failure ends it."""
    while not stop.is_set():
        woken.clear()
        try:
            queue.enqueue_routine_jobs()
            while not stop.is_set() and run_next(stop):
                pass
        except (DatabaseError, InterfaceError) as error:  # the database is away
            logger.warning("jobs_postponed", error=type(error).__name__, reason=describe_outage(error))
        except Exception:
            logger.exception("jobs_failed")
        finally:
            close_old_connections()
        woken.wait(POLL_SECONDS)
    connection.close()


class JobThread(BackgroundThread):
    """The thread that runs jobs."""

    def __init__(self) -> None:
        super().__init__("jobs", run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        super().stop()
        woken.set()
