"""Bar charts with days from left to right, each bar stacked by category, losses downwards."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any


def draw_bars(labels: Sequence[Any], numbers: Mapping[date, Sequence[int]], *, stock: int) -> dict[str, Any]:
    """Return the `data` of `admin/newsletter/chart.html`: the bars, oldest first, and both ends of the axis.

    `numbers`: by day, those of the categories; losses are negative. `stock`: how many there are after the
    last day, from which those of the days before are computed.
    """
    totals = [abs(sum(counts)) for counts in zip(*numbers.values(), strict=True)]
    top = round_up_axis(max(sum(max(0, count) for count in counts) for counts in numbers.values()))
    lowest = max(sum(max(0, -count) for count in counts) for counts in numbers.values())
    bottom = round_up_axis(lowest) if lowest else 0
    days = []
    for index, (day, counts) in reversed(list(enumerate(numbers.items()))):
        segments = _stack(labels, counts, top)
        days.append({"index": index, "day": day, "stock": stock, "segments": segments})
        stock -= sum(counts)
    return {
        "days": days[::-1],
        "top": top,
        "half": top // 2,
        "bottom": bottom,
        "height": top + bottom,
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
    """Return the least of 4, 6, 8, 10, 20, 40, 60, ... that is high enough. Its half is a whole number."""
    power = 1
    while highest > 20 * power:
        power *= 10
    return next(step * power for step in (4, 6, 8, 10, 20) if step * power >= highest)
