"""The rate at which the mail server takes mails, learned from its refusals.

Providers limit the mails per second and do not say to how many. So the limit is found as TCP finds that of a
network (RFC 5681). Mails are sent as fast as they come until one is refused for the rate. From then on
the mails under way and those accepted within the last second are limited to the number that the server took.
Each further refusal lowers the limit a little; it rises slowly in between.

The second of a mail begins with its reply. A mail that arrives late at a busy server is then counted for as
long as the server counts it.
"""

import time
from collections import deque

DECREASE = 0.95
FIRST_INCREASE_PER_SECOND = 1.2
"""Until the second refusal."""
INCREASE_PER_SECOND = 1.005

LOWEST_RATE = 0.5
"""Mails per second, however often the server refuses."""

SPREAD = 0.7
"""The part of a second over which its mails are started: some servers refuse bursts."""

STUCK_SECONDS = 5.0
"""How long all mails may be refused before the server counts as unavailable."""


class Pace:
    """The times at which mails may be started. Without a refusal, any time. Used under the caller's lock.

    Each mail is reported by `record_start` and, when its reply is there, `record_end`.
    """

    def __init__(self) -> None:
        self.accepted_count = 0
        self._refused_since: float | None = None
        """When the first mail was refused for the rate after the last accepted one."""
        self._rate: float | None = None
        self._increase_per_second = FIRST_INCREASE_PER_SECOND
        self._under_way = 0
        self._accepted_at: deque[float] = deque(maxlen=1000)
        self._started_at = self._slowed_at = 0.0

    def get_delay(self) -> float:
        """Return the seconds until the next mail may be started, or until the caller should ask again."""
        if self._rate is None:
            return 0.0
        now = time.monotonic()
        gap = SPREAD / self._rate
        delay = max(0.0, self._started_at + gap - now)
        free = max(1, int(self._rate)) - self._under_way
        if free <= 0:
            return max(delay, gap)
        if free <= len(self._accepted_at):
            delay = max(delay, self._accepted_at[-free] + max(1.0, 1 / self._rate) - now)
        return delay

    def record_start(self) -> float:
        """Count a mail that is being started; return the time."""
        now = time.monotonic()
        if self._rate is not None and self._is_used(self._rate, now):
            self._rate *= self._increase_per_second ** min(now - self._started_at, 1.0)
        self._started_at = now
        self._under_way += 1
        return now

    def _is_used(self, rate: float, now: float) -> bool:
        """Return whether half of a rate is used. One that is not used says nothing about a higher one."""
        half = int(rate / 2) - self._under_way
        if half <= 0:
            return True
        return half <= len(self._accepted_at) and self._accepted_at[-half] > now - 1

    def record_end(self, *, is_accepted: bool) -> None:
        """Count the reply to a mail."""
        self._under_way -= 1
        if is_accepted:
            self.accepted_count += 1
            self._refused_since = None
            self._accepted_at.append(time.monotonic())

    @property
    def is_stuck(self) -> bool:
        """Whether the server has taken no mail for a while, at any rate."""
        since = self._refused_since
        return since is not None and time.monotonic() > since + STUCK_SECONDS

    def slow_down(self, *, started_at: float) -> None:
        """Go slower, because the server has refused for the rate a mail that was started then.

        Several mails may be under way, and refused for the same reason.
        """
        now = time.monotonic()
        if self._refused_since is None:
            self._refused_since = now
        if started_at < self._slowed_at:
            return
        if self._rate is None:
            rate = float(sum(at > started_at - 1 for at in self._accepted_at))
        else:
            rate = self._rate * DECREASE
            self._increase_per_second = INCREASE_PER_SECOND
        self._rate = max(LOWEST_RATE, rate)
        self._slowed_at = now
