"""Bar charts with days, or hours, from left to right, each bar stacked by category."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Any, Protocol


class Category(Protocol):
    """What a part of each bar stands for; a member of Django's `Choices` is one."""

    @property
    def label(self) -> Any: ...


@dataclass(frozen=True)
class Segment:
    """One category's part of a day's bar. `y` is its upper edge, counted down from the top of the axis."""

    category: Category
    count: int
    y: int


@dataclass(frozen=True)
class Day:
    """The bar of one day, or of the hour that begins then, the `index`th from the left.

    Its segments come from the bottom up.
    """

    index: int
    day: date
    total: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class ChartData:
    """The days, oldest first; the number at the top of the axis; the total of each category."""

    days: tuple[Day, ...]
    top: int
    totals: tuple[tuple[Category, int], ...]

    @property
    def half(self) -> int:
        return self.top // 2

    @property
    def is_empty(self) -> bool:
        return not any(total for _category, total in self.totals)


def draw_bars(
    categories: Sequence[Category], numbers: Mapping[date, Sequence[int]], *, totals: Iterable[int]
) -> ChartData:
    """Return the bars of `numbers`: by day, those of the categories."""
    top = round_up_axis(max(map(sum, numbers.values())))
    return ChartData(
        days=tuple(
            Day(index, day, sum(of_day), _stack(categories, of_day, top))
            for index, (day, of_day) in enumerate(numbers.items())
        ),
        top=top,
        totals=tuple(zip(categories, totals, strict=True)),
    )


def _stack(categories: Sequence[Category], counts: Sequence[int], top: int) -> tuple[Segment, ...]:
    heights = zip(categories, counts, accumulate(counts), strict=True)
    return tuple(Segment(category, number, top - height) for category, number, height in heights)


def round_up_axis(highest: int) -> int:
    """Return the least of 4, 6, 8, 10, 20, 40, 60, ... that is high enough. Its half is a whole number."""
    power = 1
    while highest > 20 * power:
        power *= 10
    return next(step * power for step in (4, 6, 8, 10, 20) if step * power >= highest)
