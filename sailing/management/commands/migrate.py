"""`manage.py migrate` with the time that migrations need (`sailing.database.migration_limits`)."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections

from sailing import database
from sailing.errors import describe_outage

POOLER = (
    "Behind a connection pooler each statement of a migration ends after 8 seconds. If that is too short, "
    "migrate at the address of the database itself (docs/deploy.md)."
)


class Command(migrate.Command):
    """Migrate, or say in one line why there is no connection to the database."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        try:
            connection.ensure_connection()
            if connection.vendor == "postgresql" and database.has_pooler(connection):
                self.stderr.write(POOLER)
        except OperationalError as error:
            raise CommandError(f"DATABASE_URL: {describe_outage(error)}") from error
        with database.migration_limits(connection):
            super().handle(*args, **options)
