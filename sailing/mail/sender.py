"""Send mails, from a background thread of each web process or from `manage.py worker`.

Any number of senders share the work. In each, one thread alone uses the database. If the database is away for
longer than a claim lasts, a mail of the outbox may be repeated, with the same Message-ID.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils.module_loading import import_string

from sailing.errors import is_database_unavailable
from sailing.jobs.models import MAILS
from sailing.jobs.runner import POLL_SECONDS, BackgroundThread, repeat
from sailing.mail import installation
from sailing.mail.models import MailPriority
from sailing.mail.outbox import OutboxQueue, woken
from sailing.mail.pace import Pace
from sailing.mail.transport import Connections, DeliveryAttempt, DeliveryResult, Mail

SERVER_PROBLEMS = (DeliveryResult.INTERRUPTED, DeliveryResult.UNKNOWN, DeliveryResult.NOT_TRIED)

ROUND_SECONDS = 0.005  # between two rounds, so that results gather for one statement
CLAIMED_PER_THREAD = 8
START_SECONDS = 100.0  # until a claimed mail must be started: the rest is for the slowest delivery
MAX_REFUSALS = 5  # of a mail that is throttled in a row; then the mail or the server is the reason
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0  # while the mail server is unavailable
FAILURE_SECONDS = 60.0  # a queue that fails is left alone
CHECK_SECONDS = 1.0  # between two looks whether the database is a copy
DRAIN_SECONDS, JOIN_SECONDS = 18.0, 20.0  # of an ending sender and its process; gunicorn allows 25 s

logger = structlog.get_logger(__name__)


class Queue(Protocol):
    """`is_urgent`: a thread is kept free. `is_claimed_ahead`: mails may be claimed before one is free."""

    is_urgent: bool
    is_claimed_ahead: bool

    def claim(self, limit: int) -> Sequence[Mail]:
        """Return at most `limit` due mails, which no other sender gets."""

    def record(self, attempts: Sequence[DeliveryAttempt]) -> None:
        """Record attempts, perhaps twice: a commit may only seem to fail. At the end there may be none."""


class MailThread(BackgroundThread):
    """The thread that sends mails. Stopped, it starts no further one, and waits for those under way."""

    def __init__(self) -> None:
        super().__init__(MAILS, self.run, join_seconds=JOIN_SECONDS, woken=woken)

    def run(self, stop: threading.Event) -> None:
        sender = Sender()
        repeat(MAILS, lambda: CHECK_SECONDS if sender.work() else POLL_SECONDS, stop, woken)
        sender.close()
        connection.close()


class Sender:
    """Claims mails, has them delivered and records the results. For one thread."""

    def __init__(self) -> None:
        others = [import_string(name)() for name in settings.MAIL_QUEUES]
        self._queues: list[Queue] = [*map(OutboxQueue, MailPriority), *others]
        # Urgent mails have a thread of their own, if there are two, and use the others too.
        self._size = max(1, settings.EMAIL_CONNECTIONS - 1)
        self._pool = self._urgent_pool = ThreadPoolExecutor(self._size, "smtp")
        if settings.EMAIL_CONNECTIONS > 1:
            self._urgent_pool = ThreadPoolExecutor(1, "urgent-smtp")
        self._urgent: Future[DeliveryAttempt] | None = None
        self._under_way: dict[Future[DeliveryAttempt], tuple[Queue, Mail]] = {}
        self._connections, self._pace = Connections(), Pace()
        self._pause_seconds = self._resume_at = 0.0  # 0 once a probe has succeeded
        self._unrecorded: dict[Queue, list[DeliveryAttempt]] = defaultdict(list)
        self._failed_until: dict[Queue, float] = defaultdict(float)
        self._is_copy, self._next_check = False, 0.0
        self._closing = threading.Event()

    def work(self) -> bool:
        """Record what has ended, and start what is due; return whether mails are under way."""
        time.sleep(ROUND_SECONDS)
        self._record()
        self._check_database()
        for queue in () if self._is_copy else self._queues:
            self._guard(queue, self._claim)
        if not self._under_way:
            self._connections.close()
        return bool(self._under_way)

    def close(self) -> None:
        """Hand back the mails that are not started, wait for those under way, and record them."""
        self._closing.set()
        self._cancel_waiting()
        self._failed_until.clear()
        for queue in self._queues:  # each hands back the claims that failed
            self._unrecorded.setdefault(queue, [])
        end, has_failed = time.monotonic() + DRAIN_SECONDS, True
        while (self._under_way or has_failed) and time.monotonic() < end:
            wait(self._under_way, timeout=0.5, return_when=FIRST_COMPLETED)
            time.sleep(ROUND_SECONDS)
            try:
                self._record()
                has_failed = False
            except (DatabaseError, InterfaceError) as error:
                has_failed = True
                logger.warning("mails_postponed", error=type(error).__name__)
                close_old_connections()
        self._pool.shutdown(wait=False)
        self._urgent_pool.shutdown(wait=False)
        self._connections.close()

    def _check_database(self) -> None:
        if time.monotonic() < self._next_check:
            return
        was_copy, self._is_copy = self._is_copy, installation.is_copy()
        self._next_check = time.monotonic() + CHECK_SECONDS
        if self._is_copy and not was_copy:
            logger.error("database_is_a_copy", help="manage.py after_restore, or System in admin")

    def _guard(self, queue: Queue, action: Callable[[Queue], object]) -> None:
        """Act on a queue, unless it has failed within the last FAILURE_SECONDS."""
        if self._failed_until[queue] > time.monotonic():
            return
        try:
            action(queue)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            logger.exception("mail_queue_failed", queue=type(queue).__name__)
            self._failed_until[queue] = time.monotonic() + FAILURE_SECONDS

    def _claim(self, queue: Queue) -> None:
        start_before = time.monotonic() + START_SECONDS
        for mail in queue.claim(self._count_free(queue)):
            is_first = self._has_urgent_room(queue)
            pool = self._urgent_pool if is_first else self._pool
            future = pool.submit(self._deliver, mail, queue.is_urgent, start_before)
            self._urgent = future if is_first else self._urgent
            self._under_way[future] = queue, mail
            future.add_done_callback(lambda _future: woken.set())

    def _has_urgent_room(self, queue: Queue) -> bool:
        return queue.is_urgent and self._urgent not in self._under_way

    def _count_free(self, queue: Queue) -> int:
        """Return how many mails of a queue may be started. After an outage, one probes the mail server."""
        if time.monotonic() < self._resume_at:
            return 0
        if self._pause_seconds:
            return 0 if self._under_way else 1
        wanted = CLAIMED_PER_THREAD * self._size if queue.is_claimed_ahead else self._size
        others = len(self._under_way) - int(self._urgent in self._under_way)
        return max(int(self._has_urgent_room(queue)), wanted - others)

    def _deliver(self, mail: Mail, is_urgent: bool, start_before: float) -> DeliveryAttempt:
        """Deliver a mail at the pace that the mail server allows."""
        accepted_before, error = self._pace.accepted_count, ""
        start_at: float = getattr(mail, "start_at", 0.0)  # that of a campaign with a limit
        for refusals in range(MAX_REFUSALS):
            delay = self._pace.reserve(is_urgent=is_urgent and not refusals)
            self._closing.wait(max(delay, start_at - time.monotonic()))
            if self._closing.is_set() or time.monotonic() > start_before:
                return DeliveryAttempt(mail, DeliveryResult.NOT_TRIED, error)
            attempt = self._connections.deliver(mail)
            if attempt.result is DeliveryResult.ACCEPTED:
                self._pace.record_accepted()
            if attempt.result is not DeliveryResult.THROTTLED:
                return attempt
            error = attempt.error
            self._pace.slow_down()
        # If the server takes others, this mail is the reason.
        takes_others = self._pace.accepted_count > accepted_before
        result = DeliveryResult.POSTPONED if takes_others else DeliveryResult.NOT_TRIED
        return DeliveryAttempt(mail, result, error)

    def _record(self) -> None:
        ended: list[DeliveryAttempt] = []
        for future in [each for each in self._under_way if each.done()]:
            queue, mail = self._under_way.pop(future)
            if future.cancelled():
                self._unrecorded[queue].append(DeliveryAttempt(mail, DeliveryResult.NOT_TRIED))
            else:
                ended.append(future.result())
                self._unrecorded[queue].append(ended[-1])
        self._adjust_pause(ended)
        for queue in list(self._unrecorded):
            self._guard(queue, self._record_queue)

    def _record_queue(self, queue: Queue) -> None:
        queue.record(self._unrecorded[queue])
        del self._unrecorded[queue]

    def _adjust_pause(self, ended: list[DeliveryAttempt]) -> None:
        """Pause if no mail got through, longer after each failed probe."""
        # One that waited too long for a thread says nothing about the server.
        ended = [each for each in ended if each.error or each.result is not DeliveryResult.NOT_TRIED]
        problems = [each for each in ended if each.result in SERVER_PROBLEMS]
        if len(problems) < len(ended):
            self._pause_seconds = 0.0
        elif problems and time.monotonic() >= self._resume_at:
            self._pause_seconds = min(2 * self._pause_seconds or FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            self._resume_at = time.monotonic() + self._pause_seconds
            self._cancel_waiting()
            error = problems[0].reason
            logger.warning("mail_server_unavailable", error=error, pause_seconds=self._pause_seconds)

    def _cancel_waiting(self) -> None:
        for future in self._under_way:
            future.cancel()
