"""The growth page: who joined, who left and why, from the consent history."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from math import ceil
from typing import Any

from django.db.models import Count, TextChoices, Value
from django.db.models.functions import Coalesce, NullIf, TruncDate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from newsletter.models import (
    ConsentEvent,
    ConsentKind,
    LeavingReason,
    State,
    Subscription,
    get_state_condition,
)

PERIODS = (30, 90, 365)
"""Days of the periods that the page offers; the first is the default."""

MAX_BARS = 30
MAX_ORIGINS = 50

Period = tuple[datetime, datetime]


class Movement(TextChoices):
    """What changes the number of subscribers, confirmed and paused."""

    JOINED = "joined", _("Joined")
    UNSUBSCRIBED = "unsubscribed", _("Unsubscribed")
    UNDELIVERABLE = "undeliverable", pgettext_lazy("subscriber", "Undeliverable")


BEGINNINGS = {ConsentKind.CONFIRMED, ConsentKind.IMPORTED_CONSENT}
"""Events that only a confirmed subscription has; the others count if it was ever confirmed."""

MOVEMENTS = dict.fromkeys((*BEGINNINGS, ConsentKind.RESTORED, ConsentKind.REACHABLE), Movement.JOINED) | {
    ConsentKind.UNSUBSCRIBED: Movement.UNSUBSCRIBED,
    ConsentKind.COMPLAINED: Movement.UNSUBSCRIBED,
    ConsentKind.IMPORTED_OPT_OUT: Movement.UNSUBSCRIBED,
    ConsentKind.ENDED_BY_ADMIN: Movement.UNSUBSCRIBED,
    ConsentKind.BOUNCED: Movement.UNDELIVERABLE,
}


def build_counts() -> dict[str, Count]:
    """Return the aggregates of the confirmed and the waiting subscribers."""
    states = {"confirmed": State.CONFIRMED, "waiting": State.PENDING}
    return {name: Count("pk", filter=get_state_condition(state)) for name, state in states.items()}


def describe_growth(days: int) -> dict[str, Any]:
    """Return the context of the page for the last days, today included, in the time zone of the site."""
    zone, now = timezone.get_default_timezone(), timezone.now()
    today = timezone.localdate(now, zone)
    first = today - timedelta(days=days - 1)
    period = datetime.combine(first, time.min, zone), now
    bar_days = days // MAX_BARS
    bars = {first: dict.fromkeys(Movement, 0)}  # may stand for fewer days than the others
    for ago in reversed(range(bar_days - 1, days, bar_days)):
        bars[today - timedelta(days=ago)] = dict.fromkeys(Movement, 0)
    for day, movement, count in _count_movements(period):
        bar = bars[max(start for start in bars if start <= day)]
        bar[movement] += count if movement is Movement.JOINED else -count
    paused = Count("pk", filter=get_state_condition(State.PAUSED))
    counts = Subscription.objects.aggregate(**build_counts(), paused=paused)
    numbers = {day: list(bar.values()) for day, bar in bars.items()}
    return {
        **counts,
        "change": sum(map(sum, numbers.values())),
        "days": days,
        "periods": PERIODS,
        "bar_days": bar_days,
        "chart": draw_bars(Movement.labels, numbers, stock=counts["confirmed"] + counts["paused"]),
        "origins": _list_origins(period),
        "reasons": _count_reasons(period),
    }


def _count_movements(period: Period) -> Iterator[tuple[date, Movement, int]]:
    """Yield how often each event happened on each day. Who bounces and then unsubscribes counts twice."""
    events = ConsentEvent.objects.filter(at__range=period).order_by()
    # Apart, because the many beginnings are counted by their index alone.
    beginnings = events.filter(kind__in=BEGINNINGS)
    changes = events.filter(kind__in=MOVEMENTS.keys() - BEGINNINGS, subscription__is_confirmed=True)
    # An opt-out in a file ends no subscription that was confirmed on the site.
    changes = changes.exclude(kind=ConsentKind.IMPORTED_OPT_OUT, subscription__unsubscribed_at=None)
    day = TruncDate("at", tzinfo=timezone.get_default_timezone())
    for counted in (beginnings, changes):
        for on, kind, count in counted.annotate(day=day).values_list("day", "kind").annotate(Count("pk")):
            yield on, MOVEMENTS[ConsentKind(kind)], count


def _list_origins(period: Period) -> list[dict[str, Any]]:
    """Return the origins of a period's subscribers, and how many are subscribed now (`rate`: in percent)."""
    is_subscribed = get_state_condition(State.CONFIRMED) | get_state_condition(State.PAUSED)
    origins = (
        Subscription.objects.filter(created_at__range=period)
        .values("is_imported", "utm_campaign", origin=Coalesce(NullIf("utm_source", Value("")), "referrer"))
        .annotate(added=Count("pk"), subscribed=Count("pk", filter=is_subscribed))
        .order_by("-added", "is_imported", "origin", "utm_campaign")[:MAX_ORIGINS]
    )
    return [{**row, "rate": 100 * row["subscribed"] / row["added"]} for row in origins]


def _count_reasons(period: Period) -> list[tuple[Any, int]]:
    given = ConsentEvent.objects.filter(at__range=period, reason__gt="").order_by()
    counts = dict(given.values_list("reason").annotate(Count("pk")))
    return [(label, counts.get(reason, 0)) for reason, label in LeavingReason.choices]


def draw_bars(labels: Sequence[Any], numbers: Mapping[date, Sequence[int]], *, stock: int) -> dict[str, Any]:
    """Return the `chart` of `admin/newsletter/chart.html`: the bars, oldest first, and the axis.

    `axis`: by number, how far below its top each label stands, in percent. `middle`: the center of the
    bar, from the left. `cut`: the number of a bar that is cut off, else 0.

    `numbers`: by day, those of the categories; losses are negative. `stock`: how many there are after the
    last day, from which those of the days before are computed.
    """
    totals = [abs(sum(counts)) for counts in zip(*numbers.values(), strict=True)]
    gains = {day: sum(max(0, count) for count in counts) for day, counts in numbers.items()}
    second, highest = sorted([0, *gains.values()])[-2:]
    lowest = max(sum(max(0, -count) for count in counts) for counts in numbers.values())
    # A bar that towers over all others, such as that of an import, is cut off.
    peak = second if second and highest > max(100, 3 * second, 3 * lowest) else highest
    step = round_up_axis(max(peak, lowest)) // 4
    top = ceil(peak / step) * step
    height = top + lowest or 1
    days = []
    for index, (day, counts) in reversed(list(enumerate(numbers.items()))):
        bar = {"index": index, "day": day, "stock": stock, "segments": _stack(labels, counts, top)}
        middle = f"{(index + 0.5) / len(numbers):.1%}"
        days.append({**bar, "middle": middle, "cut": gains[day] if gains[day] > top else 0})
        stock -= sum(counts)
    return {
        "days": days[::-1],
        "top": top,
        "height": height,
        "axis": {label: round(100 * (top - label) / height) for label in range(top, -lowest - 1, -step)},
        "totals": list(zip(labels, totals, strict=True)),
        "is_empty": not any(totals),
    }


def _stack(labels: Sequence[Any], counts: Sequence[int], top: int) -> list[dict[str, Any]]:
    """Return the parts of a bar. `y`: the upper edge, counted down from the top of the axis."""
    segments = []
    upper = lower = top
    for label, count in zip(labels, counts, strict=True):
        upper -= max(0, count)
        y = lower if count < 0 else upper
        segments.append({"label": label, "count": count, "y": y, "height": abs(count)})
        lower += max(0, -count)
    return segments


def round_up_axis(highest: int) -> int:
    """Return the least of 4, 8, 12, 20, 40, 80, ... that is high enough. Its quarter is a whole number."""
    power = 1
    while highest > 20 * power:
        power *= 10
    return next(step * power for step in (4, 8, 12, 20) if step * power >= highest)
