"""Measure two sides alternately and compare their ratio with a bar.

Other load on the machine affects both sides, so the ratio is more stable than either figure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

COLUMNS = ("what", "ours", "peer", "unit", "ratio", "middle half", "rounds", "bar", "met")


@dataclass(frozen=True)
class Bar:
    """The maximum of a ratio, or its minimum."""

    limit: float
    is_minimum: bool = False

    def is_met(self, ratio: float) -> bool:
        return ratio >= self.limit if self.is_minimum else ratio <= self.limit

    def __str__(self) -> str:
        return f"{'at least' if self.is_minimum else 'at most'} {self.limit:g}"


def measure_alternately(*sides: Callable[[], float], rounds: int) -> list[list[float]]:
    """Measure A B, A B, ... and return a list of figures per side, without the warm-up round."""
    for side in sides:
        side()
    found = [[side() for side in sides] for _round in range(rounds)]
    return [list(figures) for figures in zip(*found, strict=True)]


def print_heading() -> None:
    """Print the table heading."""
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}", flush=True)


def report(what: str, ours: Sequence[float], peer: Sequence[float], *, unit: str, bar: Bar) -> bool:
    """Print a table row; return whether the median ratio meets the bar."""
    ratios = sorted(one / other for one, other in zip(ours, peer, strict=True))
    ratio = median(ratios)
    quarter = len(ratios) // 4
    middle_half = f"{ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f}"
    is_met = bar.is_met(ratio)
    figures = (f"{median(ours):.4g}", f"{median(peer):.4g}", unit, f"{ratio:.2f}", middle_half, len(ratios))
    cells = (what, *figures, bar, "yes" if is_met else "NO")
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return is_met


def compare(
    what: str, ours: Callable[[], float], peer: Callable[[], float], *, unit: str, bar: Bar, rounds: int
) -> bool:
    """Measure two sides, print a table row, and return whether the median ratio meets the bar."""
    return report(what, *measure_alternately(ours, peer, rounds=rounds), unit=unit, bar=bar)
