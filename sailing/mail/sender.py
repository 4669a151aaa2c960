"""Send the mails of the outbox, from a background thread of each web process or from `manage.py worker`.

Any number of senders share the work. Each claims a few due mails at a time, the urgent ones first, hands them
to its delivery threads (`sailing.mail.delivery`) and records the results. Only the sender's own thread uses
the database. Text and headers are deleted when a mail is sent, because its links open accounts and
subscriptions; the rest of the row is deleted after `RETENTION`.

- A 5xx reply is final. A 4xx reply postpones the mail: 1, 2, 4, ... minutes, at most an hour.
- When the mail server is unavailable, the sender pauses and then probes it with one mail. The others lose no
  attempt.
- When it refuses mail after mail of the queue beside the outbox, without a reason, only that queue is paused.
- Accepted mails are remembered until the database records them, so an outage sends nothing twice. Only a
  sender killed in between repeats its mails under way, with the same Message-ID, when their claims end.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Protocol, TypeVar

import structlog
from django.db import (
    DatabaseError,
    InterfaceError,
    close_old_connections,
    connection,
    transaction,
)
from django.db.models import QuerySet
from django.utils import timezone

from sailing import outages
from sailing.errors import describe_outage, is_database_unavailable
from sailing.jobs import claims, heartbeats, retention
from sailing.jobs.background import BackgroundThread, Backoff
from sailing.mail import installation, recording
from sailing.mail.delivery import DeliveryThreads
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.results import SERVER_PROBLEMS, DeliveryAttempt, DeliveryResult, Mail

POLL_SECONDS = 2.0
"""Longest wait of a mail stored by another process; one of this process wakes the sender."""

ROUND_SECONDS = 0.05
"""Pause between two rounds of a busy sender, which lets results gather for one statement."""

MAX_BATCH = 200
"""Mails of one priority that are claimed and not started."""

RETENTION = timedelta(days=14)
"""Of sent and failed mails. By then their links have expired."""
retention.periods["mails"] = RETENTION

CLAIM_LIFETIME = timedelta(minutes=5)
"""How long a claimed mail is left to its sender; after that, the sender counts as killed."""

TURN_SECONDS = 0.1
"""How long mails that are not in the outbox are sent before the sender looks for mails in it."""

START_SECONDS = 100.0
"""How long a claimed mail may wait to be started. The rest of the claim is for the slowest delivery."""

FIRST_BACKOFF_SECONDS = 1.0
LONGEST_BACKOFF_SECONDS = 60.0
"""Pauses while the mail server is unavailable."""

OUTAGE_SECONDS = 120.0
RECOVERY_SECONDS = 10.0
"""After so long without the database, claims may have ended whose mails were accepted. Every sender waits
this long before it claims again, so that each can record its own first."""

COPY_CHECK_SECONDS = 1.0
COPY_LOG_SECONDS = 3600.0
"""How often the log repeats that nothing is sent, because the database is a copy."""

DRAIN_SECONDS = 18.0
"""How long an ending sender waits for the mails under way."""
JOIN_SECONDS = 20.0
"""How long an ending process waits for its sender; gunicorn allows 25 s."""

logger = structlog.get_logger(__name__)
_wake = threading.Event()


def wake_after_commit() -> None:
    """Wake the sender of this process, if it has one, after the transaction."""
    transaction.on_commit(_wake.set)


@retention.register
def purge_expired() -> bool:
    """Delete a batch of old mails, sent or not; return whether more are left."""
    return retention.delete_batch(OutboxEmail.objects.filter(created_at__lt=timezone.now() - RETENTION))


def run(stop: threading.Event) -> None:
    """Send mails until `stop` is set. No outage of the database, the mail server or the disk ends it."""
    sender = Sender()
    with suppress(DatabaseError, InterfaceError):
        installation.warn_about_other_site()
    backoff = Backoff(POLL_SECONDS)
    while not stop.is_set():
        has_failed = False
        try:
            sender.send_pending(stop)
        except Exception as error:  # the thread must outlive any failure
            has_failed = True
            if is_database_unavailable(error):
                outages.report(error)
                logger.warning("outbox_waits", error=type(error).__name__, reason=describe_outage(error))
            else:
                logger.exception("outbox_failed")
        finally:
            close_old_connections()
        backoff.record(failed=has_failed)
        if not stop.is_set():
            _wake.wait(min(backoff.seconds, sender.pause_left or backoff.seconds))
    sender.close()
    connection.close()


class MailQueue(Protocol):
    """Mails that are not in the outbox. They are sent after its own, each only when a thread is free for it.

    `has_more`: the last claim ended early, and the next may return mails immediately.
    """

    has_more: bool

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record attempts. If it raises, a later call gets the same ones."""

    def claim(self, limit: int) -> Sequence[Mail]:
        """Return at most `limit` mails, which are handed to threads immediately."""


Queue = TypeVar("Queue", bound=MailQueue)

_make_queue: Callable[[], MailQueue] | None = None


def register_queue(queue: type[Queue]) -> type[Queue]:
    """Give each sender a queue of mails beside the outbox. A class decorator, for a module `sender`."""
    global _make_queue
    _make_queue = queue
    return queue


class OutboxThread(BackgroundThread):
    """The sender beside a web process."""

    def __init__(self) -> None:
        super().__init__("outbox", run, join_seconds=JOIN_SECONDS)

    def stop(self) -> None:
        """Start no further mail. `shutdown` waits for those under way, which would be sent twice."""
        super().stop()
        _wake.set()


class Pause:
    """A pause that gets longer with each failed probe. `seconds` is 0 once one has succeeded."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.resume_at = time.monotonic()

    @property
    def left(self) -> float:
        """Seconds until mails may be claimed again; 0 if they may now."""
        return max(0.0, self.resume_at - time.monotonic())

    def adjust(
        self, attempts: Sequence[DeliveryAttempt], reasons: Collection[DeliveryResult], *, event: str
    ) -> None:
        """Pause if an attempt ended for one of the reasons; end the pause if the server replied otherwise."""
        if self.left:  # other threads may report the same problem
            return
        problems = [attempt for attempt in attempts if attempt.result in reasons]
        if problems:
            self.seconds = min(2 * self.seconds or FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS)
            self.resume_at = time.monotonic() + self.seconds
            logger.warning(event, error=problems[0].reason, pause_seconds=self.seconds)
        elif {attempt.result for attempt in attempts} - SERVER_PROBLEMS - {DeliveryResult.NOT_STARTED}:
            self.seconds = 0.0


class Sender:
    """Claims mails, has them delivered and records the results. Used by one thread."""

    def __init__(self) -> None:
        self._has_attempts = threading.Event()
        self._threads = DeliveryThreads(on_attempt=self._report_attempt)
        self._heartbeat = heartbeats.Heartbeat(heartbeats.MAILS)
        self._unrecorded: list[DeliveryAttempt] = []
        self._queue = _make_queue() if _make_queue else None
        self._unrecorded_of_queue: list[DeliveryAttempt] = []
        self._recent = 0
        self._check_copy_at = self._log_copy_at = 0.0
        self._last_contact = time.monotonic()
        self._pause = Pause()
        self._queue_pause = Pause()

    @property
    def pause_left(self) -> float:
        """Seconds until the sender may claim mails again; 0 if it may now."""
        return self._pause.left

    def send_pending(self, stop: threading.Event) -> int:
        """Send every mail that is due, or until `stop` is set; return how many were accepted.

        A copy of the site's database sends nothing. Raises what the database raises when it is unavailable.
        """
        accepted = 0
        while not stop.is_set():
            # First, so that `run` waits however this round ends.
            _wake.clear()
            self._heartbeat.renew_if_due()
            if self._is_copy():
                break
            was_busy = self._threads.is_busy
            accepted += self._record()
            has_claimed = self._claim()
            if self._send_from_queue(stop):
                continue
            if not was_busy and not has_claimed:
                break
            _wake.wait(POLL_SECONDS)
            time.sleep(ROUND_SECONDS)
        return accepted

    def _report_attempt(self) -> None:
        self._has_attempts.set()
        _wake.set()

    def _is_copy(self) -> bool:
        """Return whether nothing may be sent. A busy sender looks once a second."""
        now = time.monotonic()
        if now < self._check_copy_at:
            return False
        is_copy = not installation.may_send()
        if not is_copy:
            self._check_copy_at = now + COPY_CHECK_SECONDS
        elif now >= self._log_copy_at:
            self._log_copy_at = now + COPY_LOG_SECONDS
            logger.error("database_is_a_copy", help="manage.py after_restore, or Operations in admin")
        return is_copy

    def close(self) -> None:
        """Hand back the mails that are not started, wait for those under way, and record them."""
        until = time.monotonic() + DRAIN_SECONDS
        self._threads.close(seconds=DRAIN_SECONDS)
        while True:
            try:
                self._record()
                if self._queue:
                    self._queue.record(self._unrecorded_of_queue)
                break
            except (DatabaseError, InterfaceError) as error:
                logger.warning("outbox_waits", error=type(error).__name__, reason=describe_outage(error))
                close_old_connections()
                if time.monotonic() >= until:
                    break
                time.sleep(0.5)

    def _send_from_queue(self, stop: threading.Event) -> bool:
        """Keep free threads busy with mails of the queue for `TURN_SECONDS`; return whether it has any."""
        if self._queue is None:
            return False
        end = time.monotonic() + TURN_SECONDS
        while True:
            # Not `_wake`, which may tell of a new mail in the outbox.
            self._has_attempts.clear()
            free = self._count_free()
            # After the count, so that each mail counted as ended is recorded.
            self._record_from_queue(self._queue)
            is_paused = self._pause.left or self._queue_pause.left
            mails = self._queue.claim(0 if stop.is_set() or is_paused else free)
            if mails:
                self._threads.add(mails, start_before=time.monotonic() + START_SECONDS)
            seconds = end - time.monotonic()
            has_mails = self._threads.has_others or self._queue.has_more
            if seconds <= 0 or not has_mails:
                self._record_from_queue(self._queue)  # those that have ended meanwhile
                return has_mails
            if not self._queue.has_more:
                self._has_attempts.wait(seconds)

    def _record_from_queue(self, queue: MailQueue) -> None:
        self._collect()
        queue.record(self._unrecorded_of_queue)
        self._unrecorded_of_queue = []

    def _count_free(self) -> int:
        """Return how many mails of the queue may be started.

        It is one to probe a mail server that was unavailable, or that refused the mails of the queue.
        """
        if self._pause.seconds:
            return 0 if self._threads.is_busy or self._threads.has_others else 1
        free = self._threads.count_free()
        if self._queue_pause.seconds:
            return 0 if self._threads.has_others else min(1, free)
        return free

    def _collect(self) -> None:
        """Take the attempts since the last call from the threads."""
        attempts = self._threads.take_attempts()
        of_queue = [attempt for attempt in attempts if not isinstance(attempt.mail, OutboxEmail)]
        self._pause.adjust(attempts, SERVER_PROBLEMS, event="mail_server_unavailable")
        self._queue_pause.adjust(of_queue, {DeliveryResult.UNEXPLAINED}, event="queue_refused")
        self._unrecorded += [attempt for attempt in attempts if isinstance(attempt.mail, OutboxEmail)]
        self._unrecorded_of_queue += of_queue

    def _claim(self) -> bool:
        """Claim due mails and have them delivered; return whether there were any."""
        now = time.monotonic()
        is_busy = self._threads.is_busy
        if self._pause.left or (self._pause.seconds and (is_busy or self._threads.has_others)):
            return False
        # An idle sender only looks: a claim locks, on SQLite the whole database.
        due = [priority for priority in MailPriority if is_busy or _due(priority).exists()]
        outage, self._last_contact = now - self._last_contact, now
        if outage > OUTAGE_SECONDS:
            self._pause.resume_at = now + RECOVERY_SECONDS
            return False
        # Few while deliveries are slow, so that a mail cancelled meanwhile is rarely in memory already.
        target = min(max(4 * self._threads.size, 2 * self._recent), MAX_BATCH)
        if self._pause.seconds:  # a probe
            due, target = due[:1], 1
        has_claimed = False
        for priority in due:
            room = target - self._threads.count_waiting(priority)
            mails: list[OutboxEmail] = []
            if room > 0:
                until = claims.now() + CLAIM_LIFETIME
                mails = claims.claim(_due(priority), limit=room, next_attempt_at=until)
                self._threads.add(mails, start_before=time.monotonic() + START_SECONDS)
                has_claimed |= bool(mails)
            if len(mails) >= room:  # others would wait behind the rest of these
                break
        return has_claimed

    def _record(self) -> int:
        """Record the attempts since the last call; return how many mails were accepted.

        If the database is unavailable, all are recorded by a later call.
        """
        self._collect()
        self._recent = len(self._unrecorded)
        accepted = recording.record(self._unrecorded)
        self._unrecorded = []
        return accepted


def _due(priority: MailPriority) -> QuerySet[OutboxEmail]:
    """Return the due mails of one priority: a range of the partial index, whatever else waits."""
    waiting = OutboxEmail.objects.filter(
        state=MailState.WAITING, priority=priority, next_attempt_at__lte=claims.now()
    )
    return waiting.order_by("next_attempt_at", "pk")
