"""The figures of the growth page, from the totals of the days alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Sum
from django.utils.translation import gettext

from newsletter.growth.models import IMPORT, STOCKS, DailyTotal, Measure
from newsletter.models import AUDIENCES
from sailing.admin.charts import ChartData, draw_bars

MAX_BARS = 31

Part = tuple[str, str]
"""An audience and a language."""


@dataclass(frozen=True)
class PartOfReaders:
    """The readers of an audience and a language: one row of the table, one colour of the chart."""

    label: str
    first: int
    last: int
    waiting: int
    counts: dict[str, int]

    @property
    def change(self) -> int:
        return self.last - self.first


@dataclass(frozen=True)
class Origin:
    """Where subscribers came from. `rate`: confirmed per 100 sign-ups."""

    name: str
    campaign: str
    signed_up: int
    confirmed: int

    @property
    def is_import(self) -> bool:
        return self.name == IMPORT

    @property
    def rate(self) -> float | None:
        return get_rate(self.confirmed, self.signed_up)


@dataclass(frozen=True)
class Growth:
    """The figures of a period. `bar_days`: how many days a bar of the charts stands for."""

    readers: ChartData
    movements: ChartData
    parts: list[PartOfReaders]
    total: PartOfReaders
    bar_days: int
    origins: list[Origin]

    @property
    def rate(self) -> float | None:
        """Return the confirmed per 100 sign-ups of visitors."""
        asked = [origin for origin in self.origins if origin.signed_up]
        return get_rate(sum(each.confirmed for each in asked), sum(each.signed_up for each in asked))


def get_rate(part: int, whole: int) -> float | None:
    """Return a percentage, at most 100: a confirmed one may have signed up before the period."""
    return min(100.0, part * 100 / whole) if whole else None


def read_growth(first: date, last: date) -> Growth:
    """Return the figures of a period; both days are included."""
    parts = [
        (user_type, language) for user_type, _label in AUDIENCES for language, _name in settings.LANGUAGES
    ]
    stocks, flows = _read_totals(first, last)
    days = [first + timedelta(days=index) for index in range((last - first).days + 1)]
    start = _read_stocks_before(first)
    readers: dict[date, list[int]] = {}
    known = start
    for day in days:
        known = stocks.get(day, known)
        readers[day] = [known[Measure.READERS, *part] for part in parts]
    rows = [
        PartOfReaders(
            label=_get_label(part),
            first=start[Measure.READERS, *part],
            last=known[Measure.READERS, *part],
            waiting=known[Measure.WAITING, *part],
            counts={
                measure.name.lower(): sum(flows[day][measure, *part] for day in days)
                for measure in Measure
                if measure not in STOCKS
            },
        )
        for part in parts
    ]
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
        total=_add(rows),
        bar_days=len(bars[-1]),
        origins=_read_origins(first, last),
    )


Counts = defaultdict[tuple[str, ...], int]
"""Numbers by measure, audience and language."""


def _read_totals(first: date, last: date) -> tuple[dict[date, Counts], defaultdict[date, Counts]]:
    """Return what was there at the end of each counted day, and what happened on each day."""
    stocks: defaultdict[date, Counts] = defaultdict(lambda: defaultdict(int))
    flows: defaultdict[date, Counts] = defaultdict(lambda: defaultdict(int))
    rows = DailyTotal.objects.filter(day__range=(first, last)).order_by()
    for day, *key, count in rows.values_list("day", "measure", "user_type", "language").annotate(
        Sum("count")
    ):
        (stocks if key[0] in STOCKS else flows)[day][tuple(key)] = count
    return dict(stocks), flows


def _read_stocks_before(day: date) -> Counts:
    """Return what was there at the end of the last day before `day` on which it was counted."""
    earlier = DailyTotal.objects.filter(day__lt=day, measure__in=STOCKS)
    last = earlier.aggregate(last=Max("day"))["last"]
    found: Counts = defaultdict(int)
    for *key, count in earlier.filter(day=last).values_list("measure", "user_type", "language", "count"):
        found[tuple(key)] = count
    return found


def _read_origins(first: date, last: date) -> list[Origin]:
    """Return the origins of sign-ups and confirmed subscriptions, those with most sign-ups first."""
    rows = DailyTotal.objects.filter(
        day__range=(first, last), measure__in=(Measure.SIGNED_UP, Measure.CONFIRMED)
    )
    counts: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for origin, campaign, measure, count in (
        rows.order_by().values_list("origin", "campaign", "measure").annotate(Sum("count"))
    ):
        counts[origin, campaign][measure] = count
    found = [
        Origin(origin, campaign, of.get(Measure.SIGNED_UP, 0), of.get(Measure.CONFIRMED, 0))
        for (origin, campaign), of in counts.items()
    ]
    return sorted(found, key=lambda each: (-each.signed_up, -each.confirmed, each.name, each.campaign))


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


def _add(rows: list[PartOfReaders]) -> PartOfReaders:
    names: Any = rows[0].counts
    return PartOfReaders(
        label=gettext("Total"),
        first=sum(row.first for row in rows),
        last=sum(row.last for row in rows),
        waiting=sum(row.waiting for row in rows),
        counts={name: sum(row.counts[name] for row in rows) for name in names},
    )
