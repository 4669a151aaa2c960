"""The clock and the size of the database, and the limits of the sessions of requests and jobs.

The limits are set by statements, because a pooler such as PgBouncer refuses the startup parameter `options`.
A pooler in transaction mode gives each transaction any session of the server, so there the sessions need the
limit as their default: `ALTER ROLE ... SET statement_timeout`. `is_statement_timeout_set` checks that.
"""

from typing import Any

from django.db.backends.signals import connection_created
from django.db.models import DateTimeField, Value, functions
from django.utils import timezone

STATEMENT_TIMEOUT_MS = 8000

SESSION_SETTINGS = {
    "statement_timeout": str(STATEMENT_TIMEOUT_MS),
    # An open transaction slows every claim, because PostgreSQL keeps all rows that it could see.
    "idle_in_transaction_session_timeout": "30s",
    # In seconds. The server must notice a lost client, whose session may hold a lock.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "2",
}


class Now(functions.Now):
    """The time of the database, by which rows are due and claims end.

    Hosts whose clocks differ would take each other's claimed rows for abandoned. SQLite has no clock but that
    of its host, which tests can move.
    """

    def as_sqlite(self, compiler: Any, connection: Any, **_context: Any) -> Any:
        """Write the time of this process as a value."""
        return compiler.compile(Value(timezone.now(), output_field=DateTimeField()))


def limit_sessions() -> None:
    """Limit the sessions that this process opens from now on. Migrations take as long as they take."""
    connection_created.connect(_limit_session)


def _limit_session(connection: Any, **_signal: Any) -> None:
    if connection.vendor == "postgresql":
        calls = ", ".join(["set_config(%s, %s, false)"] * len(SESSION_SETTINGS))
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {calls}", [text for pair in SESSION_SETTINGS.items() for text in pair])


def is_statement_timeout_set(connection: Any) -> bool:
    """Return whether every statement of the site ends after the statement timeout at the latest.

    Behind a pooler the server must set it for every new session: what one client sets may reach another. A
    pooler gives its clients process ids of its own.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setting::int, reset_val::int, pg_backend_pid() FROM pg_settings"
            " WHERE name = 'statement_timeout'"
        )
        current, default, server_pid = cursor.fetchone()
    has_pooler = server_pid != connection.connection.info.backend_pid
    return all(
        0 < limit <= STATEMENT_TIMEOUT_MS for limit in ([current, default] if has_pooler else [current])
    )


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
