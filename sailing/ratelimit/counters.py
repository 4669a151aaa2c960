"""The storage of rate limits: hits counted in the database, which all processes share.

The time of a key is cut into sub-windows, a sixth of its period each, with one row per key and sub-window
that any hit was in. A row counts until a period after its last hit. So no hit leaves too early, and a key
has at most seven rows that count, whatever its limit.

Call these outside of a transaction: inside one, a hit would be counted when the transaction commits, and its
row stay locked until then.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from sailing.models import RateCounter

SUB_WINDOWS = 6

MAX_CLOCK_SKEW = timedelta(seconds=1)
"""Between the machines that share the database."""

PURGE_EVERY = 10_000
"""Writes of one process between two purges, so that a flood of clients does not fill the disk in an hour."""

SELECT = f"""
    SELECT key, sub_window, hits, expires_at FROM {RateCounter._meta.db_table}
    WHERE key IN ({{keys}}) AND expires_at > %s AND hits > 0
"""
"""As SQL, because the ORM takes three times as long to say it, before every sign-in and subscription."""

UPSERT = f"""
    INSERT INTO {RateCounter._meta.db_table} AS kept (key, sub_window, hits, expires_at) VALUES {{rows}}
    ON CONFLICT (key, sub_window) DO UPDATE SET
        hits = kept.hits + excluded.hits,
        expires_at = CASE WHEN excluded.expires_at > kept.expires_at
            THEN excluded.expires_at ELSE kept.expires_at END
    RETURNING key, hits
"""

_writes = itertools.count(1)


class Row(NamedTuple):
    """The fields of a RateCounter, or of a change to one."""

    key: str
    sub_window: int
    hits: int
    expires_at: datetime


@dataclass(frozen=True)
class Budget:
    """At most `limit` hits of a key in any `period`. With None they are counted and never too many."""

    key: str
    limit: int | None
    period: timedelta

    def sub_window(self, at: datetime) -> int:
        """Return the number of the sub-window that a time is in."""
        return int(at.timestamp() * SUB_WINDOWS // self.period.total_seconds())

    def hit(self, at: datetime) -> "Row":
        """Return the row of one hit at a time."""
        return Row(self.key, self.sub_window(at), 1, at + self.period)

    def is_near_boundary(self, begin: datetime, end: datetime) -> bool:
        """Return whether a process may have been in another sub-window between two times."""
        return self.sub_window(begin - MAX_CLOCK_SKEW) != self.sub_window(end + MAX_CLOCK_SKEW)


def read(budgets: Iterable[Budget], now: datetime) -> dict[str, list[Row]]:
    """Return the rows that count, by key. One statement."""
    found: dict[str, list[Row]] = defaultdict(list)
    keys = [budget.key for budget in budgets]
    with connection.cursor() as cursor:
        cursor.execute(
            SELECT.format(keys=", ".join(["%s"] * len(keys))),
            [*keys, connection.ops.adapt_datetimefield_value(now)],
        )
        for key, sub_window, hits, expires_at in cursor.fetchall():
            found[key].append(Row(key, sub_window, hits, _to_aware(expires_at)))
    return found


def add(rows: Sequence[Row]) -> dict[str, int]:
    """Add the hits of rows to those stored; return the sum of each row by its key. One statement.

    The sums of concurrent calls differ: each row is locked while it changes. All calls lock in the order
    of the keys, so that none waits for another in a circle.
    """
    values: list[Any] = []
    for row in sorted(rows, key=lambda row: row.key):
        expires_at = connection.ops.adapt_datetimefield_value(row.expires_at)
        values += [row.key, row.sub_window, row.hits, expires_at]
    with connection.cursor() as cursor:
        cursor.execute(UPSERT.format(rows=", ".join(["(%s, %s, %s, %s)"] * len(rows))), values)
        sums = dict(cursor.fetchall())
    if next(_writes) % PURGE_EVERY == 0:
        purge_expired()
    return sums


def release(rows: Sequence[Row]) -> None:
    """Take back hits that were added. One statement."""
    now = timezone.now()  # a row that was purged meanwhile comes back expired
    add([row._replace(hits=-1, expires_at=now) for row in rows])


def purge_expired() -> bool:
    """Delete the rows that no longer count; return False, as none is left (`sailing.retention`).

    One statement will do: at most PURGE_EVERY writes of each process lie between two calls.
    """
    RateCounter.objects.filter(expires_at__lte=timezone.now()).delete()
    return False


def _to_aware(value: datetime) -> datetime:
    """Return a time as the database gives it with its zone, which SQLite does not store."""
    return value if value.tzinfo else value.replace(tzinfo=UTC)
