"""The rate at which the mail server takes mails, learned from its refusals.

Providers limit the mails per second and do not say to how many. So the rate is found as TCP finds that of a
network (RFC 5681): mails are sent as fast as they come until one is refused for the rate; then at a little
less than what was accepted, and a little faster each second until the next refusal.
"""

import time
from collections import deque

DECREASE = 0.95
FIRST_INCREASE_PER_SECOND = 1.2
"""Until the second refusal."""
INCREASE_PER_SECOND = 1.005

LOWEST_RATE = 0.5
"""Mails per second, however often the server refuses."""

FIRST_PAUSE_SECONDS = 1.0
"""After the first refusal. Providers count the mails of the last second, and that is full."""

PAUSE_SECONDS = 0.1
"""After a later refusal."""

STUCK_SECONDS = 5.0
"""How long all mails may be refused before the server counts as away."""


class Pace:
    """The times at which mails may be started. Without a refusal, any time. Used under the caller's lock."""

    def __init__(self) -> None:
        self.accepted_count = 0
        self._refused_since: float | None = None
        """When the first mail was refused for the rate after the last accepted one."""
        self._rate: float | None = None
        self._increase_per_second = FIRST_INCREASE_PER_SECOND
        self._accepted_at: deque[float] = deque(maxlen=1000)
        self._next_at = self._slowed_at = 0.0

    def get_delay(self) -> float:
        """Return the seconds until the next mail may be started."""
        return max(0.0, self._next_at - time.monotonic())

    def record_start(self) -> float:
        """Count a mail that is being started; return the time."""
        now = time.monotonic()
        if self._rate is None:
            return now
        # A pace that is not used says nothing about a higher one.
        unused = min(max(0.0, now - self._next_at), 1.0)
        gap = 1 / self._rate
        self._rate *= self._increase_per_second ** (gap + unused)
        self._next_at = max(now, self._next_at) + gap
        return now

    def record_accepted(self) -> None:
        """Count a mail that the server has accepted."""
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
            rate = float(sum(at > now - 1 for at in self._accepted_at))
            self._next_at = now + FIRST_PAUSE_SECONDS
        else:
            rate = self._rate
            self._increase_per_second = INCREASE_PER_SECOND
            self._next_at = now + PAUSE_SECONDS
        self._rate = max(LOWEST_RATE, rate * DECREASE)
        self._slowed_at = now
