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
    [(50, None, 1.2, 40), (14, Random(1), 1.15, 0)],  # machines delay each mail, and now and then all
)
def test_rate_of_the_server_is_used_and_seldom_exceeded(
    clock: list[float], limit: int, stalls: Random | None, unused: float, refused: int
) -> None:
    server = LimitedServer(limit, clock)
    server.receive(Pace(), 300, stalls)
    assert server.accepted > 300 * limit / unused
    assert server.refused < 0.05 * server.accepted + refused


@pytest.mark.parametrize("accepted_before", [0, 1, 11, 14])
def test_refusal_after_a_stall_does_not_slow_mails_for_long(clock: list[float], accepted_before: int) -> None:
    """A stall of this process, or another one at the same server, makes the accepted mails too few."""
    found, server = Pace(), LimitedServer(14, clock)
    for _stall in range(6):
        clock[0] += 1.5
        for _mail in range(accepted_before):
            found.record_accepted()
        found.slow_down()
        server.receive(found, 20)
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
    first = found.reserve()
    return 1 / (found.reserve() - first)


class LimitedServer:
    """A mail server that accepts so many mails in any second."""

    def __init__(self, limit: int, clock: list[float]) -> None:
        self.clock, self.accepted, self.refused = clock, 0, 0
        self.accepted_at = deque([0.0] * limit, maxlen=limit)

    def receive(self, found: Pace, seconds: float, stalls: Random | None = None) -> None:
        """Take mails at the pace, one at a time. With `stalls`, each is late by up to 30 ms, some by 300."""
        end = self.clock[0] + seconds
        while self.clock[0] < end:
            self.clock[0] += found.reserve() or 0.001
            if stalls:
                self.clock[0] += stalls.uniform(0, 0.3 if stalls.random() < 0.03 else 0.03)
            if self.accepted_at[0] > self.clock[0] - 1:
                self.refused += 1
                found.slow_down()
            else:
                self.accepted += 1
                self.accepted_at.append(self.clock[0])
                found.record_accepted()
