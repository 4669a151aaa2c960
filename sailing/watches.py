"""What is watched of the database (see `sailing.status`)."""

from functools import cache

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext_lazy as _

from sailing import database
from sailing.status import watch


@watch(
    "migrations_pending",
    label=_("Migrations"),
    problem=_("The database is older than this release: run the migrations."),
    model="jobs.Job",
    limit=0,
    is_needed_to_serve=True,
)
def count_pending_migrations() -> int:
    """Return how many migrations of this release the database lacks."""
    return len(_read_migrations() - MigrationRecorder(connection).applied_migrations().keys())


@cache
def _read_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release. Building their graph takes longer than a page."""
    return frozenset(MigrationLoader(None).graph.nodes)


@watch(
    "statement_timeout_missing",
    label=_("Limit of slow statements"),
    problem=_(
        "The database does not end slow statements: no statement timeout is in force. The deploy guide,"
        " section PgBouncer, says how to set it."
    ),
    model="jobs.Job",
    limit=0,
)
def check_statement_timeout() -> int:
    return int(not database.is_statement_timeout_set(connection))


@watch("database_bytes", label=_("Database"), model="jobs.Job")
def measure_database() -> int:
    return database.read_size(connection)
