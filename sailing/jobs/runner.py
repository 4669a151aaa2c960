"""Run the jobs of the queue, one of each kind at a time in each process that has a worker."""

import threading
import time
from contextlib import suppress
from contextvars import copy_context

import structlog
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils.translation import gettext_noop

from sailing import outages
from sailing.errors import is_database_unavailable
from sailing.jobs import heartbeats, queue
from sailing.jobs.background import BackgroundThread, Backoff
from sailing.jobs.models import JobState
from sailing.jobs.queue import JobFailed, JobStopped, RunningJob

POLL_SECONDS = 2.0
"""Longest wait of a job enqueued by another process; one of this process wakes the worker."""

TURN_SECONDS = 0.2
"""How long a kind of job may run while others wait, and as much longer as its step takes."""

PAUSE_SECONDS = 0.02
"""Pause after each step on SQLite, which lets other writers in."""

DATABASE_UNAVAILABLE = gettext_noop("The database was unavailable.")
UNEXPECTED = gettext_noop("Something unexpected went wrong. The site's log has the details.")

JOIN_SECONDS = 10.0
"""How long an ending process waits for the step under way. The database rolls back a longer one."""

logger = structlog.get_logger(__name__)


class OpenJob:
    """A claimed job between two of its steps.

    Its steps share a context, so that what one activates, such as a language, does not reach other jobs.
    """

    def __init__(self, job: RunningJob) -> None:
        self.job = job
        self._steps = queue.kinds[job.kind].run(job)
        self._context = copy_context()

    def run_step(self) -> bool:
        """Run the next step; return whether the job is still open. Raises database errors."""
        log = logger.bind(job=self.job.pk)
        is_open = False
        try:
            pause = self._context.run(next, self._steps)
            if pause:
                self.job.release(after=pause)
            is_open = not pause
        except StopIteration:
            with suppress(JobStopped):
                self.job.finish(JobState.DONE)
        except JobStopped:
            log.info("job_stopped")
        except JobFailed as failure:
            with suppress(JobStopped):  # cancelled meanwhile
                self.job.finish(JobState.FAILED, error=str(failure)[:255])
            log.info("job_refused")
        except Exception as error:
            reason = UNEXPECTED
            if is_database_unavailable(error):
                outages.report(error)
                reason = DATABASE_UNAVAILABLE
            is_final = False
            with suppress(JobStopped):
                # If the database is unavailable, this raises, and the claim expires.
                is_final = self.job.record_failure(reason)
            if is_final or not isinstance(error, (DatabaseError, InterfaceError)):
                log.exception("job_failed", final=is_final)
            else:
                log.warning("job_postponed", error=type(error).__name__)
        finally:
            if not is_open:
                self.close()
        return is_open

    def close(self) -> None:
        """Close the files of the job."""
        self._context.run(self._steps.close)  # type: ignore[attr-defined]


class Turns:
    """The open jobs of one worker: at most one of each kind. The kinds take turns of `TURN_SECONDS`.

    A job stays open between its turns, so whatever else runs, it does not begin again.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._open: dict[str, OpenJob] = {}

    def run_round(self) -> bool:
        """Give each kind that has a job a turn; return whether there was any. Raises database errors."""
        kinds = list(dict.fromkeys([*self._open, *queue.find_due_kinds()]))
        for kind in kinds:
            end = time.monotonic() + TURN_SECONDS
            while self._run_step(kind) and time.monotonic() < end:
                pass
        return bool(kinds)

    def close(self) -> None:
        """Let any worker continue the open jobs. Raises database errors."""
        while self._open:
            _kind, opened = self._open.popitem()
            opened.close()
            with suppress(JobStopped):
                opened.job.release()

    def _run_step(self, kind: str) -> bool:
        """Run the next step of a kind; return False if none of its jobs is due, or the worker ends."""
        opened = None if self._stop.is_set() else self._open.pop(kind, None) or _open_next(kind)
        if opened is None:
            return False
        if opened.run_step():
            self._open[kind] = opened
        if connection.vendor == "sqlite":
            self._stop.wait(PAUSE_SECONDS)
        return True


def _open_next(kind: str) -> OpenJob | None:
    while job := queue.claim_next(kind):
        if not job.has_used_its_attempts:
            return OpenJob(job)
        job.finish(JobState.FAILED, error=gettext_noop("The job ended its worker several times."))
        logger.error("job_failed", job=job.pk, final=True)
    return None


def run(stop: threading.Event) -> None:
    """Run jobs until `stop` is set. No failure ends it."""
    turns = Turns(stop)
    backoff = Backoff(POLL_SECONDS)
    heartbeat = heartbeats.Heartbeat(heartbeats.JOBS)
    next_check_at = 0.0
    while not stop.is_set():
        queue.woken.clear()
        try:
            heartbeat.renew_if_due()
            if time.monotonic() >= next_check_at:
                queue.enqueue_routine_jobs()
                next_check_at = time.monotonic() + POLL_SECONDS
            has_worked = turns.run_round()
            backoff.record(failed=False)
            if has_worked:
                continue
        except (DatabaseError, InterfaceError) as error:  # the database is unavailable
            backoff.record(failed=True)
            outages.report(error)
            logger.warning("jobs_postponed", error=type(error).__name__)
        except Exception:
            backoff.record(failed=True)
            logger.exception("jobs_failed")
        finally:
            close_old_connections()
        queue.woken.wait(backoff.seconds)
    with suppress(DatabaseError, InterfaceError):  # then the claims expire
        turns.close()
    connection.close()


class JobThread(BackgroundThread):
    """The thread that runs jobs."""

    def __init__(self) -> None:
        super().__init__("jobs", run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        super().stop()
        queue.woken.set()
