"""The shared cache of a site without Redis: a table in the database that every process sees."""

import base64
import pickle
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction
from django.utils import timezone


class AtomicDatabaseCache(DatabaseCache):
    """Django's database cache with a count that loses nothing when many count at once.

    Django's own `incr` reads and then writes; two callers in between read the same number, and the
    key's time to live starts anew. Here the row is locked while it is counted up (on SQLite the whole
    transaction is the only writer), and it expires when it was going to.
    """

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to the number under `key`; return the sum. Raises ValueError for no such key."""
        database = router.db_for_write(self.cache_model_class)
        connection = connections[database]
        table = connection.ops.quote_name(self._table)  # type: ignore[attr-defined]
        lock = "FOR UPDATE" if connection.features.has_select_for_update else ""
        row = self.make_and_validate_key(key, version=version)
        with transaction.atomic(using=database), connection.cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {table} WHERE cache_key = %s {lock}", [row])
            value = self.get(key, version=version)  # knows of expiry
            if value is None:
                raise ValueError(f"Key {key!r} not found")
            total = int(value) + delta
            encoded = base64.b64encode(pickle.dumps(total, self.pickle_protocol)).decode("ascii")
            cursor.execute(f"UPDATE {table} SET value = %s WHERE cache_key = %s", [encoded, row])
        return total

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
