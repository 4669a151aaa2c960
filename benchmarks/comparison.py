"""Measure two sides alternately and compare their ratio with a bar.

Other load on the machine affects both sides, so the ratio is more stable than either figure.
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
    """The length of a run."""

    rounds: int
    seconds: float
    smoke: bool

    @classmethod
    def from_arguments(cls, description: str | None, *, rounds: int = 9, seconds: float = 2.0) -> "Effort":
        """Parse `--rounds`, `--seconds` (per side and round) and `--smoke` (one short round, no bar)."""
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
    """The minimum or maximum of a ratio."""

    limit: float
    at_least: bool

    def is_met(self, ratio: float) -> bool:
        return ratio >= self.limit if self.at_least else ratio <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}"


def at_least(limit: float) -> Bar:
    return Bar(limit, at_least=True)


def at_most(limit: float) -> Bar:
    return Bar(limit, at_least=False)


def measure_alternately(*sides: Callable[[], float], rounds: int) -> list[list[float]]:
    """Measure A B, A B, ... and return a list of figures per side, without the warm-up round."""
    found: list[list[float]] = [[] for _side in sides]
    for side in sides:
        side()
    for _round in range(rounds):
        for figures, side in zip(found, sides, strict=True):
            figures.append(side())
    return found


def report(what: str, ours: Sequence[float], peer: Sequence[float], *, unit: str, bar: Bar) -> bool:
    """Print a table row; return whether the median ratio meets the bar."""
    ratios = sorted(one / other for one, other in zip(ours, peer, strict=True))
    ratio = median(ratios)
    middle = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    verdict = "-" if len(ratios) == 1 else "yes" if bar.is_met(ratio) else "NO"  # not meaningful
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
    return bar.is_met(ratio)


def print_heading() -> None:
    """Print the table heading."""
    cells = ["what", "ours", "peer", "unit", "ratio", "middle half", "rounds", "bar", "kept"]
    print(f"| {' | '.join(cells)} |\n|{' --- |' * len(cells)}", flush=True)


def describe_machine() -> str:
    """Return the machine's properties that figures depend on."""
    load = f"{os.getloadavg()[0]:.1f}"
    return f"{os.cpu_count()} cores at load {load}, {platform.system()}, Python {platform.python_version()}"


def exit_with_result(effort: Effort, *kept: bool) -> None:
    """Exit with status 1 if a bar was missed, which a smoke run ignores."""
    sys.exit(WITHIN_BAR if effort.smoke or all(kept) else MISSED)
