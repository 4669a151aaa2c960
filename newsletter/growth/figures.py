"""The figures of the growth page, from the totals of the days alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from newsletter.growth.models import STOCKS, DailyTotal, Measure
from newsletter.models import AUDIENCES
from sailing.admin.charts import ChartData, draw_bars

MAX_BARS = 31
MAX_ORIGINS = 50

Part = tuple[str, str]
"""An audience and a language."""


@dataclass(frozen=True)
class PartOfReaders:
    """The readers of an audience and a language: one row of the table, one color of the chart."""

    label: str
    first: int
    last: int
    waiting: int
    counts: dict[str, int]

    @property
    def change(self) -> int:
        return self.last - self.first


@dataclass(frozen=True)
class Growth:
    """The figures of a period.

    `bar_days`: how many days a bar of the charts stands for. `counted_since`: the first day on which readers
    were counted, if it is in the period. `origins`: see `_read_origins`.
    """

    readers: ChartData
    movements: ChartData
    parts: list[PartOfReaders]
    total: PartOfReaders
    bar_days: int
    counted_since: date | None
    origins: list[dict[str, Any]]

    @property
    def rate(self) -> float | None:
        """Return how many of 100 sign-ups were confirmed."""
        return get_rate(self.total.counts["completed"], self.total.counts["signed_up"])


def get_rate(part: int, whole: int) -> float | None:
    """Return a percentage, at most 100: who confirmed may have signed up before the period."""
    return min(100.0, part * 100 / whole) if whole else None


def read_growth(first: date, last: date) -> Growth:
    """Return the figures of a period; both days are included."""
    parts = [
        (user_type, language) for user_type, _label in AUDIENCES for language, _name in settings.LANGUAGES
    ]
    stocks, flows = _read_totals(first, last)
    days = [first + timedelta(days=index) for index in range((last - first).days + 1)]
    start = _read_stocks_before(first)
    counted_since = None if start else min(stocks, default=None)
    start = known = start or stocks.get(counted_since or first, Counter())
    readers: dict[date, list[int]] = {}
    for day in days:
        known = stocks.get(day, known)
        is_counted = counted_since is None or day >= counted_since
        readers[day] = [known[Measure.READERS, *part] if is_counted else 0 for part in parts]

    def describe(label: str, *chosen: Part) -> PartOfReaders:
        return PartOfReaders(
            label,
            first=sum(start[Measure.READERS, *part] for part in chosen),
            last=sum(known[Measure.READERS, *part] for part in chosen),
            waiting=sum(known[Measure.WAITING, *part] for part in chosen),
            counts={
                measure.name.lower(): sum(flows[day][measure, *part] for part in chosen for day in days)
                for measure in Measure
                if measure not in STOCKS
            },
        )

    rows = [describe(_get_label(part), part) for part in parts]
    movements = (Measure.CONFIRMED, Measure.UNSUBSCRIBED, Measure.UNDELIVERABLE)
    moved = {
        day: [sum(flows[day][measure, *part] for part in parts) for measure in movements] for day in days
    }
    bars = list(_split(days))
    return Growth(
        readers=draw_bars(
            rows, {bar[0]: readers[bar[-1]] for bar in bars}, totals=[row.last for row in rows]
        ),
        movements=draw_bars(
            movements,
            {bar[0]: _sum_columns(moved[day] for day in bar) for bar in bars},
            totals=_sum_columns(moved.values()),
        ),
        parts=rows,
        total=describe(gettext("Total"), *parts),
        bar_days=len(bars[-1]),
        counted_since=counted_since,
        origins=_read_origins(first, last),
    )


Counts = Counter[tuple[str, ...]]
"""Numbers by measure, audience and language."""


def _read_totals(first: date, last: date) -> tuple[dict[date, Counts], defaultdict[date, Counts]]:
    """Return what was there at the end of each counted day, and what happened on each day."""
    stocks: defaultdict[date, Counts] = defaultdict(Counter)
    flows: defaultdict[date, Counts] = defaultdict(Counter)
    rows = DailyTotal.objects.filter(day__range=(first, last)).order_by()
    for day, *key, count in rows.values_list("day", "measure", "user_type", "language").annotate(
        Sum("count")
    ):
        (stocks if key[0] in STOCKS else flows)[day][tuple(key)] = count
    return dict(stocks), flows


def _read_stocks_before(day: date) -> Counts:
    """Return what was there on the last day before `day` on which it was counted; empty for none."""
    earlier = DailyTotal.objects.filter(day__lt=day, measure__in=STOCKS)
    last = earlier.aggregate(last=Max("day"))["last"]
    rows = earlier.filter(day=last).values_list("measure", "user_type", "language", "count")
    return Counter({tuple(key): count for *key, count in rows})


def _read_origins(first: date, last: date) -> list[dict[str, Any]]:
    """Return where sign-ups came from and how many were confirmed, those with most sign-ups first.

    At most `MAX_ORIGINS` and one more.
    """
    rows = DailyTotal.objects.filter(day__range=(first, last)).values("origin", "campaign")
    found = (
        rows.annotate(
            signed_up=_sum(Measure.SIGNED_UP),
            completed=_sum(Measure.COMPLETED),
        )
        .filter(Q(signed_up__gt=0) | Q(completed__gt=0))
        .order_by("-signed_up", "-completed", "origin", "campaign")
    )
    return [{**row, "rate": get_rate(row["completed"], row["signed_up"])} for row in found[: MAX_ORIGINS + 1]]


def _sum(measure: Measure) -> Coalesce:
    return Coalesce(Sum("count", filter=Q(measure=measure)), 0)


def _split(days: Sequence[date]) -> Iterator[Sequence[date]]:
    """Split days into at most MAX_BARS equal groups; the first one may be shorter."""
    size = -(-len(days) // MAX_BARS)
    start = len(days) % size
    if start:
        yield days[:start]
    for index in range(start, len(days), size):
        yield days[index : index + size]


def _sum_columns(rows: Iterable[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _get_label(part: Part) -> str:
    user_type, language = part
    audience, name = dict(AUDIENCES)[user_type], dict(settings.LANGUAGES)[language]
    return gettext("%(audience)s, %(language)s") % {"audience": audience, "language": name}
