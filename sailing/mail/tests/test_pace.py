"""The pace that a mail server allows, which is learned from its refusals."""

from collections import deque
from random import Random

import pytest

from sailing.mail.pace import Pace


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time in seconds, which the test changes."""
    now = [1000.0]
    monkeypatch.setattr("sailing.mail.pace.time.monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("limit", "stalls", "unused", "refused"),
    [
        (50, None, 1.2, 40),
        # Busy machines delay each mail a little, and now and then all of them.
        (14, Random(1), 1.15, 0),
    ],
)
def test_rate_of_the_server_is_used_and_seldom_exceeded(
    clock: list[float], limit: int, stalls: Random | None, unused: float, refused: int
) -> None:
    server = LimitedServer(limit)
    send_until(clock[0] + 300, Pace(), server, clock, stalls)
    assert server.accepted > 300 * limit / unused
    assert server.refused < 0.05 * server.accepted + refused


@pytest.mark.parametrize("accepted_before", [0, 1, 11, 14])
def test_refusal_after_a_stall_does_not_slow_mails_for_long(clock: list[float], accepted_before: int) -> None:
    """A stall of this process, or another one at the same server, makes the accepted mails too few."""
    found, server = Pace(), LimitedServer(14)
    for _stall in range(6):
        clock[0] += 1.5
        for _mail in range(accepted_before):
            found.record_accepted()
        found.slow_down()
        send_until(clock[0] + 20, found, server, clock)
    assert server.accepted > (120 - 6 * 1.5) * 14 / 1.2


def test_rate_grows_by_its_use_alone_and_falls_once_for_the_mails_under_way(clock: list[float]) -> None:
    found = Pace()
    for _mail in range(10):
        assert not found.reserve(), "slower before the first refusal"
        found.record_accepted()
    found.slow_down()
    for _mail in range(500):
        clock[0] += 1
        found.record_accepted()
    assert measure_rate(found) == pytest.approx(10)
    clock[0] += 1
    for _refusal in range(4):
        found.slow_down()
        clock[0] += 0.01
    assert measure_rate(found) == pytest.approx(9.5)


def test_urgent_mail_goes_first_and_delays_the_others(clock: list[float]) -> None:
    found = Pace()
    found.record_accepted()
    found.slow_down()
    clock[0] += 10
    assert [found.reserve(is_urgent=urgent) for urgent in (False, False, True, False)] == [0, 1, 0, 3]


def measure_rate(found: Pace) -> float:
    """Return the mails per second between two starts."""
    first = found.reserve()
    return 1 / (found.reserve() - first)


class LimitedServer:
    """A mail server that accepts so many mails in any second."""

    def __init__(self, limit: int) -> None:
        self.accepted = self.refused = 0
        self._accepted_at = deque([0.0] * limit, maxlen=limit)

    def accepts(self, now: float) -> bool:
        is_refused = self._accepted_at[0] > now - 1
        if not is_refused:
            self._accepted_at.append(now)
        self.refused += is_refused
        self.accepted += not is_refused
        return not is_refused


def send_until(
    end: float, found: Pace, server: LimitedServer, clock: list[float], stalls: Random | None = None
) -> None:
    """Send mails at the pace, one at a time. With `stalls`, each arrives late by up to 30 ms, some by 300."""
    while clock[0] < end:
        clock[0] += found.reserve() or 0.001
        if stalls:
            clock[0] += stalls.uniform(0, 0.3 if stalls.random() < 0.03 else 0.03)
        if server.accepts(clock[0]):
            found.record_accepted()
        else:
            found.slow_down()
