"""The shared cache of a site without Redis: a table in the database that every process sees."""

import base64
import itertools
import pickle
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.cache import BaseCache, caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router
from django.utils import timezone

CULL_EVERY = 1000
"""Rows that this process writes between two looks at how many there are."""


def count_up(cache: BaseCache, key: str, *, lifetime: timedelta) -> int:
    """Add one to the number under a key of a cache, and return the sum.

    The number begins at 0 and lives so long from its first count. Many may count at once.
    Raises RedisError or what the database raises when the cache is away.
    """
    if isinstance(cache, CountingDatabaseCache):
        return cache.count_up(key, lifetime=lifetime)
    cache.add(key, 0, lifetime.total_seconds())
    try:
        return cache.incr(key)
    except ValueError:  # its time ended between the two steps, so the next is the first
        return count_up(cache, key, lifetime=lifetime)


class CountingDatabaseCache(DatabaseCache):
    """Django's database cache, in which the database itself counts and adds: one statement each.

    Django's own `incr` reads and then writes: two callers in between read the same number, and the key's
    time to live starts anew. Of two callers of its `add` that find an expired row both store their value;
    and each time it counts the rows of the table first.
    """

    _writes = itertools.count(1)

    def count_up(self, key: str, *, lifetime: timedelta) -> int:
        """See `count_up` above. The number stands in its row as it is written: only this method reads it."""
        connection, table = self._connection(), self._quoted_table()
        now = timezone.now()
        with connection.cursor() as cursor:
            cursor.execute(
                f"""
                INSERT INTO {table} AS kept (cache_key, value, expires) VALUES (%(key)s, '1', %(end)s)
                ON CONFLICT (cache_key) DO UPDATE SET
                    value = CASE WHEN kept.expires <= %(now)s THEN excluded.value
                        ELSE CAST(CAST(kept.value AS bigint) + 1 AS text) END,
                    expires = CASE WHEN kept.expires <= %(now)s THEN excluded.expires ELSE kept.expires END
                RETURNING value
                """,
                {
                    "key": self.make_and_validate_key(key),
                    "now": connection.ops.adapt_datetimefield_value(now),
                    "end": connection.ops.adapt_datetimefield_value(now + lifetime),
                },
            )
            (total,) = cursor.fetchone()
            self._keep_small(cursor)
        return int(total)

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value under a key that has none; return whether it was stored.

        A key that `get` does not know any more is free: Django's own `add` finds it taken for a second.
        """
        ends = self.get_backend_timeout(timeout)
        end = datetime.max.replace(tzinfo=UTC) if ends is None else datetime.fromtimestamp(ends, tz=UTC)
        stored = base64.b64encode(pickle.dumps(value, self.pickle_protocol)).decode("ascii")
        connection, table = self._connection(), self._quoted_table()
        with connection.cursor() as cursor:
            cursor.execute(
                f"""
                INSERT INTO {table} AS kept (cache_key, value, expires) VALUES (%(key)s, %(value)s, %(end)s)
                ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, expires = excluded.expires
                    WHERE kept.expires <= %(now)s
                """,
                {
                    "key": self.make_and_validate_key(key, version=version),
                    "value": stored,
                    "now": connection.ops.adapt_datetimefield_value(timezone.now()),
                    "end": connection.ops.adapt_datetimefield_value(end),
                },
            )
            is_stored: bool = cursor.rowcount == 1
            self._keep_small(cursor)
        return is_stored

    def forget_expired(self) -> None:
        """Remove the rows whose time is over.

        Django's own does so only past MAX_ENTRIES.
        """
        connection, table = self._connection(), self._quoted_table()
        now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])

    def _keep_small(self, cursor: Any) -> None:
        """Look at the size of the table, once in so many calls."""
        if next(self._writes) % CULL_EVERY:
            return
        cursor.execute(f"SELECT count(*) FROM {self._quoted_table()}")
        (rows,) = cursor.fetchone()
        if rows > self._max_entries:
            self._cull(self._database(), cursor, timezone.now().replace(microsecond=0), rows)  # type: ignore[attr-defined]

    def _database(self) -> str:
        return router.db_for_write(self.cache_model_class)

    def _connection(self) -> Any:
        return connections[self._database()]

    def _quoted_table(self) -> str:
        quoted: str = self._connection().ops.quote_name(self._table)  # type: ignore[attr-defined]
        return quoted


def tidy(**_signal: Any) -> None:
    """Forget what has expired, where the cache does not do so by itself. Listens to `outbox.tidying`."""
    cache = caches["default"]
    if isinstance(cache, CountingDatabaseCache):
        cache.forget_expired()
