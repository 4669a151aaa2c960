"""The clock and the size of the database, and the limits of its sessions.

A statement has a limit, and so has waiting for a lost client.

The limits are set by statements, because a pooler such as PgBouncer refuses the startup parameter `options`.
A pooler in transaction mode gives each transaction any session of the server, so there the sessions need the
limit as their default: `ALTER ROLE ... SET statement_timeout`. `is_statement_timeout_set` checks that.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, Value, functions
from django.utils import timezone

STATEMENT_TIMEOUT_MS = 8000

TRIAL = "CREATE TEMPORARY TABLE doctor AS SELECT md5(n::text) FROM generate_series(1, 10000) AS n"
"""Half a megabyte, on the same disk as other tables."""

SESSION_SETTINGS = {
    "statement_timeout": str(STATEMENT_TIMEOUT_MS),
    # In seconds. The server must notice a lost client, whose session may hold a lock.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "2",
}

MIGRATION_SETTINGS = {"statement_timeout": "0", "lock_timeout": "3s"}
"""Building an index takes as long as it takes. Waiting for a lock blocks everyone who comes after."""


class Now(functions.Now):
    """The time of the database, by which rows are due and claims end.

    Hosts whose clocks differ would take each other's claimed rows for abandoned. SQLite has no clock but that
    of its host, which tests can move.
    """

    def as_sqlite(self, compiler: Any, connection: Any, **_context: Any) -> Any:
        """Write the time of this process as a value."""
        return compiler.compile(Value(timezone.now(), output_field=DateTimeField()))


def limit_session(connection: Any, **_signal: Any) -> None:
    """Set the limits of a new connection. A receiver of `connection_created`."""
    if connection.vendor == "postgresql":
        _set(connection, SESSION_SETTINGS)


def is_statement_timeout_set(connection: Any) -> bool:
    """Return whether every statement of the site ends after the statement timeout at the latest.

    Behind a pooler the server must set it for every new session: what one client sets may reach another.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setting::int, reset_val::int FROM pg_settings WHERE name = 'statement_timeout'"
        )
        current, default = cursor.fetchone()
    limits = [current, default] if has_pooler(connection) else [current]
    return all(0 < limit <= STATEMENT_TIMEOUT_MS for limit in limits)


def has_pooler(connection: Any) -> bool:
    """Return whether a pooler stands before PostgreSQL: it gives its clients process ids of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return bool(cursor.fetchone()[0] != connection.connection.info.backend_pid)


def read_size(connection: Any) -> int:
    """Return the size of the database in bytes."""
    query = (
        "SELECT pg_database_size(current_database())"
        if connection.vendor == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def try_to_store(connection: Any) -> None:
    """Store more than free pages of tables can hold, and undo it. Raises the error of a full disk.

    Only PostgreSQL has a disk of its own; that of SQLite is the site's.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            # Some hosts do not let their customers create temporary tables.
            cursor.execute("SELECT has_database_privilege(current_database(), 'TEMPORARY')")
            if cursor.fetchone()[0]:
                cursor.execute(TRIAL)
            transaction.set_rollback(True)


@contextmanager
def migration_limits(connection: Any) -> Iterator[None]:
    """Let the statements of migrations run as long as they need, but not wait long for a lock.

    Not behind a pooler, which may hand the session with these settings to the site.
    """
    if connection.vendor != "postgresql" or has_pooler(connection):
        yield
        return
    _set(connection, MIGRATION_SETTINGS)
    try:
        yield
    finally:
        connection.close()  # the next session has the usual limits


def _set(connection: Any, settings: dict[str, str]) -> None:
    calls = ", ".join(["set_config(%s, %s, false)"] * len(settings))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [text for pair in settings.items() for text in pair])
