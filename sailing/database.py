"""The clock of the database, limits of the sessions of requests and jobs, and one report for an outage.

The limits are set by statements: PgBouncer refuses the startup parameter `options`. In transaction mode it
gives each transaction any session, so there the server must set the timeout, which `sailing.watches` checks.
"""

import threading
from datetime import datetime, timedelta
from typing import Any

import structlog
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

# An outage ends when nothing has failed for so long: a full disk fails some statements and not others.
QUIET = timedelta(seconds=10)

logger = structlog.get_logger(__name__)

outage: tuple[datetime, datetime] | None = None  # when an outage began, and when something last failed
_lock = threading.Lock()


class Now(functions.Now):
    """The time of the database: hosts whose clocks differ would take each other's claims for abandoned."""

    # SQLite has no clock but that of its host, which tests can move.
    def as_sqlite(self, compiler: Any, connection: Any, **_context: Any) -> Any:
        return compiler.compile(Value(timezone.now(), output_field=DateTimeField()))


def limit_sessions() -> None:
    """Limit the sessions that this process opens from now on. Migrations take as long as they take."""
    connection_created.connect(_limit_session)


def _limit_session(connection: Any, **_signal: Any) -> None:
    if connection.vendor == "postgresql":
        calls = ", ".join(["set_config(%s, %s, false)"] * len(SESSION_SETTINGS))
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {calls}", [text for pair in SESSION_SETTINGS.items() for text in pair])


def report_outage(error: BaseException) -> None:
    """Log the first failure of an outage with its traceback, and note when the last one was."""
    global outage
    now = timezone.now()
    with _lock:
        is_first = outage is None
        outage = (outage[0] if outage else now, now)
    if is_first:
        logger.error("database_failed", exc_info=error)


def end_outage() -> None:
    """Log the end of an outage, unless something has failed lately. The database must have just answered."""
    global outage
    with _lock:
        if not outage or timezone.now() - outage[1] < QUIET:
            return
        (began_at, failed_at), outage = outage, None
    logger.warning("database_recovered", seconds=round((failed_at - began_at).total_seconds()))
