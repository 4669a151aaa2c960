"""How many signed up on each of the last days, by user type: one query, and the shape of a bar chart."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils import timezone

from newsletter.models import Subscription, UserType

DAYS = 30


@dataclass(frozen=True)
class Segment:
    """One user type's part of a day's bar. `y` and `height` are percents of the chart's height.

    They are strings, because a template would write a number in the reader's language: 12,5 in Czech.
    """

    user_type: UserType
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
    """The days, oldest first, today last; the number at the top of the scale; the sum of each type."""

    days: tuple[Day, ...]
    top: int
    totals: tuple[tuple[UserType, int], ...]

    @property
    def is_empty(self) -> bool:
        return not any(total for _user_type, total in self.totals)


def sign_ups() -> Chart:
    """The sign-ups of the last 30 days, today included; days are those of the current time zone.

    Who came by an import asked for nothing here, and does not count.
    """
    first = timezone.localdate() - timedelta(days=DAYS - 1)
    start = timezone.make_aware(datetime.combine(first, time.min))
    counted = (
        Subscription.objects.filter(is_imported=False, created_at__gte=start)
        .order_by()
        .values_list(TruncDate("created_at"), "user_type")
        .annotate(Count("pk"))
    )
    counts = {(day, user_type): number for day, user_type, number in counted}
    days = [first + timedelta(days=index) for index in range(DAYS)]
    numbers = [[counts.get((day, user_type), 0) for user_type in UserType] for day in days]
    top = _top(max(sum(of_day) for of_day in numbers))
    return Chart(
        days=tuple(
            Day(index, day, sum(of_day), _segments(of_day, top))
            for index, (day, of_day) in enumerate(zip(days, numbers, strict=True))
        ),
        top=top,
        totals=tuple(zip(UserType, (sum(of_type) for of_type in zip(*numbers, strict=True)), strict=True)),
    )


def _segments(counts: list[int], top: int) -> tuple[Segment, ...]:
    segments = []
    below = 0
    for user_type, number in zip(UserType, counts, strict=True):
        below += number
        y, height = 100 - 100 * below / top, 100 * number / top
        segments.append(Segment(user_type, number, f"{y:.2f}", f"{height:.2f}"))
    return tuple(segments)


def _top(highest: int) -> int:
    """The least of 4, 6, 8, 10, 20, 40, 60, ... that nothing exceeds: its half is a whole number too."""
    steps: Iterator[int] = (step * 10**power for power in count() for step in (4, 6, 8, 10, 20))
    return next(step for step in steps if step >= highest)
