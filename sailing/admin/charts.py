"""How many rows came on each of the last days, in one query, and the shape of a bar chart of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count
from typing import Any

from django.db.models import Choices, Count, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

DAYS = 30


@dataclass(frozen=True)
class Segment:
    """One category's part of a day's bar. `y` and `height` are percents of the chart's height.

    They are strings, because a template would write a number in the reader's language: 12,5 in Czech.
    """

    category: Choices
    count: int
    y: str
    height: str


@dataclass(frozen=True)
class Day:
    """One bar, the `index`th from the left, its segments from the bottom up."""

    index: int
    day: date
    total: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class Chart:
    """The days, oldest first, today last; the number at the top of the scale; the sum of each category."""

    days: tuple[Day, ...]
    top: int
    totals: tuple[tuple[Choices, int], ...]

    @property
    def is_empty(self) -> bool:
        return not any(total for _category, total in self.totals)


def daily(rows: QuerySet[Any], *, by: str, categories: Sequence[Choices]) -> Chart:
    """The rows that were created in the last 30 days, today included, each day's by category.

    Takes the rows (they have `created_at`), the name of the field that holds the category, and the
    categories. Days are those of the current time zone.
    """
    first = timezone.localdate() - timedelta(days=DAYS - 1)
    start = timezone.make_aware(datetime.combine(first, time.min))
    counted = (
        rows.filter(created_at__gte=start)
        .order_by()
        .values_list(TruncDate("created_at"), by)
        .annotate(Count("pk"))
    )
    counts = {(day, value): number for day, value, number in counted}
    days = [first + timedelta(days=index) for index in range(DAYS)]
    numbers = [[counts.get((day, category.value), 0) for category in categories] for day in days]
    top = scale(max(sum(of_day) for of_day in numbers))
    return Chart(
        days=tuple(
            Day(index, day, sum(of_day), _segments(categories, of_day, top))
            for index, (day, of_day) in enumerate(zip(days, numbers, strict=True))
        ),
        top=top,
        totals=tuple(
            zip(categories, (sum(of_category) for of_category in zip(*numbers, strict=True)), strict=True)
        ),
    )


def scale(highest: int) -> int:
    """The least of 4, 6, 8, 10, 20, 40, 60, ... that nothing exceeds: its half is a whole number too."""
    steps: Iterator[int] = (step * 10**power for power in count() for step in (4, 6, 8, 10, 20))
    return next(step for step in steps if step >= highest)


def _segments(categories: Sequence[Choices], counts: list[int], top: int) -> tuple[Segment, ...]:
    segments = []
    below = 0
    for category, number in zip(categories, counts, strict=True):
        below += number
        y, height = 100 - 100 * below / top, 100 * number / top
        segments.append(Segment(category, number, f"{y:.2f}", f"{height:.2f}"))
    return tuple(segments)
