"""Hand mails to the mail server in several threads, each with a connection that it keeps.

The threads never use the database: `sailing.mail.sender` gives them claimed mails and records the results.
A thread ends, and closes its connection, when it has had no mail for `IDLE_SECONDS`. They are daemon threads
instead of a ThreadPoolExecutor, which would keep the process alive until a stuck mail server replies.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace

from django.conf import settings

from sailing.mail.connection import Connection
from sailing.mail.models import MailPriority
from sailing.mail.pace import Pace
from sailing.mail.results import SERVER_PROBLEMS, DeliveryAttempt, DeliveryResult, Mail

IDLE_SECONDS = 5.0
"""How long a thread keeps its connection without a mail. Mail servers wait longer."""

NEW_THREAD_SECONDS = 10.0
"""How long no thread is started after the mail server has allowed no further connection."""

LAST = max(MailPriority) + 1
"""The priority of mails that are not in the outbox."""

MAX_REFUSALS = 5
"""How often a mail may be throttled while others are accepted. After that, the mail is the reason."""

MAX_UNEXPLAINED = 5
"""From so many refusals without a reason on, with no accepted mail in between, they are about the sender or
the account. Only mails that are not in the outbox count: visitors can have the others refused."""


@dataclass
class WaitingMail:
    """A mail that waits for a thread, and until when it may be started.

    `started_at`: when it was started last. `accepted_count`: how many mails the server had accepted when it
    throttled this one. `refusals`: how often it did so again, although it accepted others in between.
    """

    mail: Mail
    start_before: float
    started_at: float = 0.0
    accepted_count: int | None = None
    refusals: int = 0


class DeliveryThreads:
    """At most EMAIL_CONNECTIONS threads, and the mails that wait for one.

    Urgent mails come first, and one thread takes nothing else, so that an urgent mail never waits for the
    slow delivery of another. (A single thread takes all.) Mails that are not in the outbox come last. All
    threads share the pace that the server allows, so urgent mails come first at a slow one too.
    """

    def __init__(self, on_attempt: Callable[[], object]) -> None:
        """`on_attempt` is called in a thread after each attempt."""
        self.size = settings.EMAIL_CONNECTIONS
        self._on_attempt = on_attempt
        self._changed = threading.Condition()
        self._pace = Pace()
        self._unexplained = 0
        """Refusals without a reason since the last accepted mail, of mails that are not in the outbox."""
        self._waiting: dict[int, deque[WaitingMail]] = {rank: deque() for rank in (*MailPriority, LAST)}
        self._threads = 0
        self._new_thread_at = 0.0
        self._under_way = dict.fromkeys(self._waiting, 0)
        self._attempts: list[DeliveryAttempt] = []
        self._is_closed = False

    def add(self, mails: Collection[Mail], *, start_before: float) -> None:
        """Deliver mails. One not started before a time (`time.monotonic`) is handed back.

        All are if no thread can be started and none is there.
        """
        with self._changed:
            for mail in mails:
                self._waiting[mail.priority].append(WaitingMail(mail, start_before))
            size = self.size if time.monotonic() >= self._new_thread_at else 1
            needed = min(size, self._count())
            with suppress(RuntimeError):  # the system allows no more: those that run take the mails
                while self._threads < needed:
                    threading.Thread(target=self._run, name="smtp", daemon=True).start()
                    self._threads += 1
            if not self._threads:
                self._hand_back_waiting()
            self._changed.notify(len(mails))

    def count_waiting(self, priority: MailPriority) -> int:
        return len(self._waiting[priority])

    def count_free(self) -> int:
        """Return how many mails that are not in the outbox could be started now."""
        with self._changed:
            urgent = self._under_way[MailPriority.URGENT] + len(self._waiting[MailPriority.URGENT])
            others = self._count() - urgent
            return 1 - others - urgent if self.size == 1 else self.size - 1 - others

    @property
    def is_busy(self) -> bool:
        """Whether there are mails of the outbox."""
        with self._changed:
            return self._count() > self._under_way[LAST] + len(self._waiting[LAST])

    @property
    def has_others(self) -> bool:
        """Whether there are mails that are not in the outbox."""
        with self._changed:
            return bool(self._under_way[LAST] or self._waiting[LAST])

    def take_attempts(self) -> list[DeliveryAttempt]:
        """Return the attempts since the last call."""
        with self._changed:
            taken, self._attempts = self._attempts, []
            return taken

    def close(self, *, seconds: float) -> None:
        """Hand back the waiting mails, and wait a while for those under way."""
        with self._changed:
            self._is_closed = True
            self._hand_back_waiting()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not any(self._under_way.values()), seconds)

    def _count(self) -> int:
        return sum(self._under_way.values()) + sum(map(len, self._waiting.values()))

    def _run(self) -> None:
        connection = Connection()
        try:
            while waiting := self._wait_for_mail():
                attempt = connection.deliver(waiting.mail)
                with self._changed:
                    self._under_way[waiting.mail.priority] -= 1
                    self._pace.record_end(is_accepted=attempt.result is DeliveryResult.ACCEPTED)
                    if attempt.result is DeliveryResult.UNREACHABLE and self._requeue_if_others_run(waiting):
                        break
                    self._finish(waiting, attempt)
                    if self._is_closed:
                        self._changed.notify_all()
                self._on_attempt()
        finally:
            connection.close()

    def _requeue_if_others_run(self, waiting: WaitingMail) -> bool:
        """Give the mail to the other threads and return True; the caller then ends this thread.

        The server may allow fewer connections. Return False in the last thread, which reports the server as
        unreachable.
        """
        if self._threads == 1 or self._is_closed:
            self._new_thread_at = 0.0
            return False
        self._threads -= 1
        self._new_thread_at = time.monotonic() + NEW_THREAD_SECONDS
        self._waiting[waiting.mail.priority].appendleft(waiting)
        self._changed.notify()
        return True

    def _finish(self, waiting: WaitingMail, attempt: DeliveryAttempt) -> None:
        """Keep an attempt for its recording, or try a throttled mail again."""
        if attempt.result is DeliveryResult.THROTTLED:
            seen, waiting.accepted_count = waiting.accepted_count, self._pace.accepted_count
            if seen is None or seen == self._pace.accepted_count:
                self._pace.slow_down(started_at=waiting.started_at)
            else:
                waiting.refusals += 1
            if self._is_closed:
                attempt = replace(attempt, result=DeliveryResult.NOT_STARTED)
            elif self._pace.is_stuck:
                attempt = replace(attempt, result=DeliveryResult.UNREACHABLE)
            elif waiting.refusals < MAX_REFUSALS:
                # Behind the others, whose acceptance would show that it is not the rate.
                self._waiting[waiting.mail.priority].append(waiting)
                self._changed.notify()
                return
            else:
                attempt = replace(attempt, result=DeliveryResult.POSTPONED)
        elif attempt.result is DeliveryResult.UNEXPLAINED:
            self._unexplained += waiting.mail.priority == LAST
            if waiting.mail.priority != LAST or self._unexplained < MAX_UNEXPLAINED:
                attempt = replace(attempt, result=DeliveryResult.POSTPONED)
        elif attempt.result is DeliveryResult.ACCEPTED and waiting.mail.priority == LAST:
            self._unexplained = 0
        self._attempts.append(attempt)
        if attempt.result in SERVER_PROBLEMS:
            self._hand_back_waiting()
        elif attempt.result is DeliveryResult.UNEXPLAINED:  # their queue pauses
            self._hand_back(self._waiting[LAST])

    def _wait_for_mail(self) -> WaitingMail | None:
        """Return the next mail to deliver, or None if the thread has to end."""
        end = time.monotonic() + IDLE_SECONDS
        with self._changed:
            while True:
                delay = self._pace.get_delay()
                if not delay and (waiting := self._next_mail()):
                    waiting.started_at = self._pace.record_start()
                    self._under_way[waiting.mail.priority] += 1
                    return waiting
                seconds = end - time.monotonic()
                # Mails that wait for the pace keep their threads: nothing else would start one for them.
                is_paced = delay > 0 and any(self._waiting.values())
                if self._is_closed or (seconds <= 0 and not is_paced):
                    self._threads -= 1
                    return None
                self._changed.wait(delay or seconds)

    def _next_mail(self) -> WaitingMail | None:
        now = time.monotonic()
        others = sum(self._under_way.values()) - self._under_way[MailPriority.URGENT]
        for priority, mails in self._waiting.items():
            if priority != MailPriority.URGENT and others >= max(1, self.size - 1):
                return None
            while mails:
                waiting = mails.popleft()
                if now < waiting.start_before:
                    return waiting
                self._attempts.append(DeliveryAttempt(waiting.mail, DeliveryResult.NOT_STARTED))
        return None

    def _hand_back_waiting(self) -> None:
        for mails in self._waiting.values():
            self._hand_back(mails)

    def _hand_back(self, mails: deque[WaitingMail]) -> None:
        self._attempts += [DeliveryAttempt(waiting.mail, DeliveryResult.NOT_STARTED) for waiting in mails]
        mails.clear()
