"""The rate at which the mail server takes mails, learned from its refusals as TCP learns (RFC 5681)."""

import threading
import time
from collections import deque
from math import inf

DECREASE = 0.95
FIRST_INCREASE_PER_SECOND = 1.2  # until the second refusal: a stall may have made the rate look too low
INCREASE_PER_SECOND = 1.005
WAIT_SECONDS = 0.3  # after a refusal: the server counts the mails of the last second
LOWEST_RATE = 0.5  # mails per second


class Pace:
    """When the next mail may be started. Without a refusal, at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rate = inf
        self._increase = FIRST_INCREASE_PER_SECOND
        self._next_at = self._slowed_at = 0.0
        self._accepted_at: deque[float] = deque(maxlen=1000)
        self.accepted_count = 0

    def reserve(self, *, is_urgent: bool = False) -> float:
        """Return after how many seconds a mail may be started: an urgent one at once, which delays others."""
        with self._lock:
            now = time.monotonic()
            start_at = max(now, self._next_at)
            self._next_at = start_at + 1 / self._rate
            return 0.0 if is_urgent else start_at - now

    def record_accepted(self) -> None:
        with self._lock:
            now = time.monotonic()
            gap = now - self._accepted_at[-1] if self._accepted_at else 0.0
            # A rate that is not used says nothing about a higher one.
            if gap < 2 / self._rate:
                self._rate *= self._increase**gap
            self._accepted_at.append(now)
            self.accepted_count += 1

    def slow_down(self) -> None:
        """Wait a little and go slower, once for all refusals within a second."""
        with self._lock:
            now = time.monotonic()
            self._next_at = max(self._next_at, now + WAIT_SECONDS)
            if now < self._slowed_at + 1:
                return
            if self._rate == inf:
                self._rate = float(sum(at > now - 1 for at in self._accepted_at))
            else:
                self._rate *= DECREASE
                self._increase = INCREASE_PER_SECOND
            self._rate = max(LOWEST_RATE, self._rate)
            self._slowed_at = now
