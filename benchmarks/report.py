"""The table of a benchmark: figures and ratios with their bars, `at_least` or `at_most`."""

from collections.abc import Callable
from math import inf
from statistics import median
from typing import TypeVar

T = TypeVar("T")

COLUMNS = ("what", "ours", "peer", "unit", "ratio", "middle half", "rounds", "bar", "met")


class Report:
    """Prints a row for each figure, and remembers whether every bar was met."""

    def __init__(self, *, is_smoke: bool) -> None:
        self.is_smoke = is_smoke
        self.is_met = True
        self._print_row(*COLUMNS)
        self._print_row(*["---"] * len(COLUMNS))

    def choose(self, full: T, smoke: T) -> T:
        """Return the value for a full run or for a smoke run."""
        return smoke if self.is_smoke else full

    def check(self, what: str, figure: float, unit: str, **bar: float) -> None:
        """Check a figure without a peer."""
        self._print_row(what, f"{figure:.4g}", "", unit, "", "", "", *self._check_bar(figure, **bar))

    def compare(
        self,
        what: str,
        ours: Callable[[], float],
        peer: Callable[[], float],
        unit: str,
        rounds: int,
        **bar: float,
    ) -> list[float]:
        """Measure two sides A B, A B, ... after a warm-up; check the median ratio and return our figures.

        Other load on the machine affects both, so that their ratio is more stable than either figure.
        """
        ours(), peer()
        pairs = [(ours(), peer()) for _round in range(rounds)]
        ratios = sorted(one / other for one, other in pairs)
        quarter, ratio = len(ratios) // 4, median(ratios)
        medians = [f"{median(side):.4g}" for side in zip(*pairs, strict=True)]
        middle_half = f"{ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f}"
        figures = [*medians, unit, f"{ratio:.2f}", middle_half, rounds]
        self._print_row(what, *figures, *self._check_bar(ratio, **bar))
        return [one for one, _other in pairs]

    def _check_bar(self, figure: float, at_least: float = -inf, at_most: float = inf) -> tuple[str, str]:
        is_met = at_least <= figure <= at_most
        self.is_met &= is_met
        bar = f"at most {at_most:g}" if at_most < inf else f"at least {at_least:g}"
        return bar, "yes" if is_met else "NO"

    def _print_row(self, *cells: object) -> None:
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
