"""The release that runs: its versions, and its migrations beside those of the database."""

import platform
from dataclasses import dataclass
from functools import cache

import django
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from sailing import __version__


@dataclass(frozen=True)
class MigrationState:
    """How many migrations the database lacks, and how many are newer than this release.

    `newer`: another release runs at the same time, or ran before this one was rolled back.
    """

    pending: int
    newer: int


def read_versions() -> list[str]:
    """Return the names and versions of the site and of what it runs on."""
    return [
        f"Sailing {__version__}",
        f"Python {platform.python_version()}",
        f"Django {django.get_version()}",
        f"{connection.display_name} {'.'.join(map(str, connection.get_database_version()))}",
    ]


def compare_migrations() -> MigrationState:
    """Compare the migrations of the database with those of this release. Raises database errors."""
    known, applied = _read_migrations(), MigrationRecorder(connection).applied_migrations().keys()
    newest: dict[str, str] = {}
    for app, name in sorted(known):
        newest[app] = name
    # Their numbers are compared, because a database still names those that were squashed.
    newer = [name for app, name in applied if app in newest and name[:4] > newest[app][:4]]
    return MigrationState(pending=len(known - applied), newer=len(newer))


@cache
def _read_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of this release. Building their graph takes longer than a page."""
    return frozenset(MigrationLoader(None).graph.nodes)
