"""`manage.py backup FOLDER`: a backup of the database for each day of the week."""

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone
from psycopg2.extensions import make_dsn

from sailing.jobs.models import BACKUP, WorkerHeartbeat


class Command(BaseCommand):
    help = "Writes the database to FOLDER/Thu.dump (SQLite: Thu.sqlite3), named after the day of the week."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, folder: Path, **options: Any) -> None:
        is_sqlite = connection.vendor == "sqlite"
        backup = folder / f"{timezone.now():%a}.{'sqlite3' if is_sqlite else 'dump'}"
        unfinished = backup.with_suffix(".new")
        connection.ensure_connection()
        try:
            unfinished.unlink(missing_ok=True)
            (_copy_sqlite if is_sqlite else _dump_postgres)(unfinished)
            unfinished.replace(backup)
        except (OSError, sqlite3.Error, subprocess.CalledProcessError) as error:
            raise CommandError(f"There is no backup: {error}") from error
        WorkerHeartbeat.touch(BACKUP)
        self.stdout.write(f"The backup is {backup}.")


def _copy_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)


def _dump_postgres(file: Path) -> None:
    # Every user of the machine can read the arguments of a process, but not its environment.
    parameters = {**connection.get_connection_params(), "cursor_factory": None}
    password = parameters.pop("password", None)
    environment = os.environ | ({"PGPASSWORD": password} if password else {})
    command = ["pg_dump", "--format=custom", f"--file={file}", f"--dbname={make_dsn(**parameters)}"]
    subprocess.run(command, env=environment, check=True)  # noqa: S603 - of the settings
