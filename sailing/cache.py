"""The shared cache of a site without Redis: a table in the database that every process sees."""

import base64
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone


class AtomicDatabaseCache(DatabaseCache):
    """Django's database cache, whose `add` and `incr` hold when many call them at once.

    Django's own read and then write. Of two callers of `incr` both read the same number, and the key's
    time to live starts anew; of two callers of `add` that find an expired row both store their value.
    Here the row is locked meanwhile (on SQLite the whole transaction is the only writer), and a number
    that is counted up expires when it was going to.
    """

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Store a value under a key that has none; return whether it was stored.

        A key that `get` does not know any more is free: Django's own `add` finds it taken for a second.
        """
        with self._locked(self.make_and_validate_key(key, version=version)):
            # Reading removes what has expired.
            return not self.get_many([key], version=version) and super().add(key, value, timeout, version)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to the number under `key`; return the sum. Raises ValueError for no such key."""
        row = self.make_and_validate_key(key, version=version)
        with self._locked(row) as (cursor, table):
            value = self.get(key, version=version)  # knows of expiry
            if value is None:
                raise ValueError(f"Key {key!r} not found")
            total = int(value) + delta
            encoded = base64.b64encode(pickle.dumps(total, self.pickle_protocol)).decode("ascii")
            cursor.execute(f"UPDATE {table} SET value = %s WHERE cache_key = %s", [encoded, row])
        return total

    @contextmanager
    def _locked(self, row: str) -> Iterator[tuple[CursorWrapper, str]]:
        """A transaction in which a row, if there is one, is nobody else's; gives a cursor and the table."""
        database = router.db_for_write(self.cache_model_class)
        connection = connections[database]
        table = connection.ops.quote_name(self._table)  # type: ignore[attr-defined]
        lock = "FOR UPDATE" if connection.features.has_select_for_update else ""
        with transaction.atomic(using=database), connection.cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {table} WHERE cache_key = %s {lock}", [row])
            yield cursor, table

    def forget_expired(self) -> None:
        """Remove the rows whose time is over.

        Django's own does so only past MAX_ENTRIES, and counts the whole table at every write until then.
        """
        connection = connections[router.db_for_write(self.cache_model_class)]
        table = connection.ops.quote_name(self._table)  # type: ignore[attr-defined]
        now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])


def tidy(**_signal: Any) -> None:
    """Forget what has expired, where the cache does not do so by itself. Listens to `outbox.tidying`."""
    cache = caches["default"]
    if isinstance(cache, AtomicDatabaseCache):
        cache.forget_expired()
