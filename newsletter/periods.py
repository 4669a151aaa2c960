"""Years, months and days between two moments."""

from collections.abc import Iterator
from datetime import datetime, timedelta


def each(kind: str, first: datetime, last: datetime) -> Iterator[datetime]:
    """The beginning of each `year`, `month` or `day` from the first moment's to the last one's.

    Both are in the time zone whose days are meant, one without summer time.
    """
    current = first.replace(hour=0, minute=0, second=0, microsecond=0)
    if kind != "day":
        current = current.replace(day=1)
    if kind == "year":
        current = current.replace(month=1)
    while current <= last:
        yield current
        if kind == "year":
            current = current.replace(year=current.year + 1)
        elif kind == "month":
            current = (current + timedelta(days=31)).replace(day=1)
        else:
            current += timedelta(days=1)
