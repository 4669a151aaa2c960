"""Bar charts with days, or hours, from left to right, each bar stacked by category, losses downwards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
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

    @property
    def height(self) -> int:
        return abs(self.count)


@dataclass(frozen=True)
class Day:
    """The bar of one day, or of the hour that begins then, the `index`th from the left.

    Its segments go away from the zero line. `stock`: how many there were at its end, if that is known.
    """

    index: int
    day: date
    stock: int | None
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class ChartData:
    """The days, oldest first; the numbers at both ends of the axis; the total of each category."""

    days: tuple[Day, ...]
    top: int
    bottom: int
    totals: tuple[tuple[Category, int], ...]

    @property
    def half(self) -> int:
        return self.top // 2

    @property
    def height(self) -> int:
        return self.top + self.bottom

    @property
    def is_empty(self) -> bool:
        return not any(total for _category, total in self.totals)


def draw_bars(
    categories: Sequence[Category],
    numbers: Mapping[date, Sequence[int]],
    *,
    totals: Iterable[int],
    stock: int | None = None,
) -> ChartData:
    """Return the bars of `numbers`: by day, those of the categories. Losses are negative, and go below zero.

    `stock`: how many there are after the last day, from which those of the days before are computed.
    """
    top = round_up_axis(max(sum(max(0, count) for count in counts) for counts in numbers.values()))
    lowest = max(sum(max(0, -count) for count in counts) for counts in numbers.values())
    days = []
    for index, (day, counts) in reversed(list(enumerate(numbers.items()))):
        days.append(Day(index, day, stock, _stack(categories, counts, top)))
        stock = None if stock is None else stock - sum(counts)
    return ChartData(
        days=tuple(reversed(days)),
        top=top,
        bottom=round_up_axis(lowest) if lowest else 0,
        totals=tuple(zip(categories, totals, strict=True)),
    )


def _stack(categories: Sequence[Category], counts: Sequence[int], top: int) -> tuple[Segment, ...]:
    segments = []
    upper = lower = top
    for category, count in zip(categories, counts, strict=True):
        upper -= max(0, count)
        segments.append(Segment(category, count, lower if count < 0 else upper))
        lower += max(0, -count)
    return tuple(segments)


def round_up_axis(highest: int) -> int:
    """Return the least of 4, 6, 8, 10, 20, 40, 60, ... that is high enough. Its half is a whole number."""
    power = 1
    while highest > 20 * power:
        power *= 10
    return next(step * power for step in (4, 6, 8, 10, 20) if step * power >= highest)
