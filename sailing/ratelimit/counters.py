"""Storage of rate limits: hits counted in the database, which all processes share.

A period is divided into six sub-windows, with one row per key and sub-window. A row counts until one period
after its last hit, so no hit expires too early, and a key has at most seven current rows, whatever its limit.

Call these functions outside of a transaction: inside one, rows would stay locked, and other processes would
not see the hits, until it commits.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from sailing.jobs import retention
from sailing.ratelimit.models import RateCounter

SUB_WINDOWS = 6

MAX_CLOCK_SKEW = timedelta(seconds=1)
"""Between machines that share the database."""

PURGE_EVERY = 10_000
"""Writes of one process between two purges, so that a flood of clients does not fill the disk."""

SELECT = f"""
    SELECT key, sub_window, hits, expires_at FROM {RateCounter._meta.db_table}
    WHERE key IN ({{keys}}) AND expires_at > %s AND hits > 0
"""
"""As SQL, because building the query takes Django longer than all else here (docs/decisions/005)."""

UPSERT = f"""
    INSERT INTO {RateCounter._meta.db_table} AS stored (key, sub_window, hits, expires_at) VALUES {{rows}}
    ON CONFLICT (key, sub_window) DO UPDATE SET
        hits = stored.hits + excluded.hits,
        expires_at = CASE WHEN excluded.expires_at > stored.expires_at
            THEN excluded.expires_at ELSE stored.expires_at END
    RETURNING key, hits
"""

_writes = itertools.count(1)


class Row(NamedTuple):
    """A RateCounter, or a change to one."""

    key: str
    sub_window: int
    hits: int
    expires_at: datetime


@dataclass(frozen=True)
class Counter:
    """The hits of a key in the last `period`."""

    key: str
    period: timedelta

    def get_sub_window(self, at: datetime) -> int:
        """Return the number of the sub-window that a time is in."""
        return int(at.timestamp() * SUB_WINDOWS // self.period.total_seconds())

    def hit(self, at: datetime) -> "Row":
        """Return the row that counts one hit."""
        return Row(self.key, self.get_sub_window(at), 1, at + self.period)


@dataclass(frozen=True)
class Budget(Counter):
    """At most `limit` hits of a key in any `period`."""

    limit: int

    def is_near_boundary(self, begin: datetime, end: datetime) -> bool:
        """Return whether another process may have counted in a neighbouring sub-window meanwhile."""
        return self.get_sub_window(begin - MAX_CLOCK_SKEW) != self.get_sub_window(end + MAX_CLOCK_SKEW)


def read(counters: Iterable[Counter], now: datetime) -> dict[str, list[Row]]:
    """Return the current rows by key, in one statement."""
    found: dict[str, list[Row]] = defaultdict(list)
    keys = [counter.key for counter in counters]
    values = [*keys, connection.ops.adapt_datetimefield_value(now)]
    with connection.cursor() as cursor:
        cursor.execute(SELECT.format(keys=", ".join(["%s"] * len(keys))), values)
        for key, sub_window, hits, expires_at in cursor.fetchall():
            found[key].append(Row(key, sub_window, hits, _to_aware(expires_at)))
    return found


def add(rows: Sequence[Row]) -> dict[str, int]:
    """Add hits to the stored rows, and return each row's new sum by key, in one statement.

    Each concurrent call gets a different sum, because a row is locked while it changes. Rows are locked in
    the order of their keys, which prevents deadlocks.
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
    """Take back added hits, in one statement."""
    now = timezone.now()  # a row that has been purged is restored as expired
    add([row._replace(hits=-1, expires_at=now) for row in rows])


@retention.register
def purge_expired() -> bool:
    """Delete expired rows; return False, because none is left.

    One statement is enough: each process makes at most PURGE_EVERY writes between two calls.
    """
    RateCounter.objects.filter(expires_at__lte=timezone.now()).delete()
    return False


def _to_aware(value: datetime) -> datetime:
    """Add the time zone, which SQLite does not store."""
    return value if value.tzinfo else value.replace(tzinfo=UTC)
