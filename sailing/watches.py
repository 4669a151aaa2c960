"""What is watched of the database (see `sailing.status`)."""

from functools import cache, partial
from typing import Any

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext_lazy as _

from sailing.database import STATEMENT_TIMEOUT_MS
from sailing.status import watch

watch_database = partial(watch, model="jobs.Job")


@watch_database(
    "migrations_pending",
    label=_("Migrations"),
    problem=_("The database is older than this release: run the migrations."),
    limit=0,
)
def count_pending_migrations() -> int:
    return len(_read_migrations() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _read_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release. Building their graph takes longer than a page."""
    return frozenset(MigrationLoader(None).graph.nodes)


@watch_database(
    "statement_timeout_missing",
    label=_("Limit of slow statements"),
    problem=_(
        "The database does not end slow statements: no statement timeout is in force. The deploy guide,"
        " section PgBouncer, says how to set it."
    ),
    limit=0,
)
def is_statement_timeout_missing() -> int:
    """Behind a pooler the server must set it for every new session: what one client sets may reach another.

    A pooler gives its clients process ids of its own.
    """
    if connection.vendor != "postgresql":
        return 0
    current, default, server_pid = _select(
        "setting::int, reset_val::int, pg_backend_pid() FROM pg_settings WHERE name = 'statement_timeout'"
    )
    has_pooler = server_pid != connection.connection.info.backend_pid
    limits = (current, default) if has_pooler else (current,)
    return int(not all(0 < limit <= STATEMENT_TIMEOUT_MS for limit in limits))


@watch_database("database_bytes", label=_("Database"))
def measure_database() -> int:
    if connection.vendor == "postgresql":
        return int(_select("pg_database_size(current_database())")[0])
    return int(_select("page_count * page_size FROM pragma_page_count(), pragma_page_size()")[0])


def _select(expressions: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {expressions}")
        return cursor.fetchone()
