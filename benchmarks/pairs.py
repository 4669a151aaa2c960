"""Measures two things side by side, again and again in turn, and holds their ratio against a bar.

What else the machine does meets both alike, so a ratio holds where a single figure is noise.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

WITHIN_BAR, MISSED = 0, 1


@dataclass(frozen=True)
class Effort:
    """How much measuring a run is worth."""

    rounds: int
    seconds: float
    smoke: bool

    @classmethod
    def chosen(cls, description: str | None, *, rounds: int = 9, seconds: float = 2.0) -> "Effort":
        """As the command line says: `--rounds`, `--seconds` (of load a side and round), `--smoke`.

        A smoke run shows that a measurement works: one short round, and no bar.
        """
        parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
        parser.add_argument("--rounds", type=int, default=rounds)
        parser.add_argument("--seconds", type=float, default=seconds)
        parser.add_argument("--smoke", action="store_true", help="one short round, no bar")
        given = parser.parse_args()
        if given.smoke:
            return cls(rounds=1, seconds=0.3, smoke=True)
        return cls(rounds=given.rounds, seconds=given.seconds, smoke=False)


@dataclass(frozen=True)
class Bar:
    """The least, or the most, that a ratio may be."""

    limit: float
    at_least: bool

    def holds(self, ratio: float) -> bool:
        return ratio >= self.limit if self.at_least else ratio <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}"


def at_least(limit: float) -> Bar:
    return Bar(limit, at_least=True)


def at_most(limit: float) -> Bar:
    return Bar(limit, at_least=False)


def in_turn(*sides: Callable[[], float], rounds: int) -> list[list[float]]:
    """What each side measures in each round: A B, A B, ... A list a side. A first round does not count."""
    found: list[list[float]] = [[] for _side in sides]
    for side in sides:
        side()
    for _round in range(rounds):
        for figures, side in zip(found, sides, strict=True):
            figures.append(side())
    return found


def report(what: str, ours: Sequence[float], peer: Sequence[float], *, unit: str, bar: Bar) -> bool:
    """Print a row of the table; return whether the median of the rounds' ratios keeps to the bar."""
    ratios = sorted(one / other for one, other in zip(ours, peer, strict=True))
    ratio = median(ratios)
    middle = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    verdict = "-" if len(ratios) == 1 else "yes" if bar.holds(ratio) else "NO"  # one round says nothing
    cells = [
        what,
        f"{median(ours):.4g}",
        f"{median(peer):.4g}",
        unit,
        f"{ratio:.2f}",
        f"{middle[0]:.2f} to {middle[1]:.2f}",
        str(len(ratios)),
        str(bar),
        verdict,
    ]
    print(f"| {' | '.join(cells)} |", flush=True)
    return bar.holds(ratio)


def heading() -> None:
    """Print what the rows are of."""
    cells = ["what", "ours", "peer", "unit", "ratio", "middle half", "rounds", "bar", "kept"]
    print(f"| {' | '.join(cells)} |\n|{' --- |' * len(cells)}", flush=True)


def machine() -> str:
    """What a figure depends on."""
    load = f"{os.getloadavg()[0]:.1f}"
    return f"{os.cpu_count()} cores at load {load}, {platform.system()}, Python {platform.python_version()}"


def finish(effort: Effort, *kept: bool) -> None:
    """End the process: status 0, or 1 when a bar was missed, which a smoke run does not ask."""
    sys.exit(WITHIN_BAR if effort.smoke or all(kept) else MISSED)
