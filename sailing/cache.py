"""The shared cache of a site without Redis: a table in the database that every process sees."""

import itertools
from datetime import timedelta
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router
from django.utils import timezone

CULL_EVERY = 1000
"""Counts of this process between two looks at how many rows there are."""


def count(key: str, delta: int, *, lifetime: timedelta) -> int:
    """Add to the number under a key, and return the sum.

    The number begins at 0 and lives so long from its first count. Many may count at once.
    Raises RedisError or what the database raises when the cache is away, ValueError for a number that
    Redis forgets meanwhile.
    """
    cache = caches["default"]
    if isinstance(cache, CountingDatabaseCache):
        return cache.count(key, delta, lifetime=lifetime)
    cache.add(key, 0, lifetime.total_seconds())
    return cache.incr(key, delta)


class CountingDatabaseCache(DatabaseCache):
    """Django's database cache, in which the database itself counts: one statement a count.

    Django's own `incr` reads and then writes: two callers in between read the same number, and the key's
    time to live starts anew. Its `add` counts the rows of the table first, each time.
    """

    _counts = itertools.count(1)

    def count(self, key: str, delta: int, *, lifetime: timedelta) -> int:
        """See `count` above. The number stands in its row as it is written: only this method reads it."""
        connection, table = self._connection(), self._quoted_table()
        now = timezone.now()
        with connection.cursor() as cursor:
            cursor.execute(
                f"""
                INSERT INTO {table} AS kept (cache_key, value, expires) VALUES (%(key)s, %(delta)s, %(end)s)
                ON CONFLICT (cache_key) DO UPDATE SET
                    value = CASE WHEN kept.expires < %(now)s THEN excluded.value
                        ELSE CAST(CAST(kept.value AS bigint) + %(number)s AS text) END,
                    expires = CASE WHEN kept.expires < %(now)s THEN excluded.expires ELSE kept.expires END
                RETURNING value
                """,
                {
                    "key": self.make_and_validate_key(key),
                    "delta": str(delta),
                    "number": delta,
                    "now": connection.ops.adapt_datetimefield_value(now),
                    "end": connection.ops.adapt_datetimefield_value(now + lifetime),
                },
            )
            (total,) = cursor.fetchone()
            if next(self._counts) % CULL_EVERY == 0:
                self._keep_small(cursor)
        return int(total)

    def forget_expired(self) -> None:
        """Remove the rows whose time is over.

        Django's own does so only past MAX_ENTRIES.
        """
        connection, table = self._connection(), self._quoted_table()
        now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])

    def _keep_small(self, cursor: Any) -> None:
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
