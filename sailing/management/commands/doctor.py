"""`manage.py doctor`: Django's checks, and what the watches read, one line each."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError

from sailing import database, status


class Command(BaseCommand):
    """Examine the site."""

    help = "Run the checks and print the state of the site. The exit status is 1 if there is a problem."
    requires_system_checks = ()  # `check` runs them

    def handle(self, *args: Any, **options: Any) -> None:
        database.limit_sessions()
        try:
            call_command("check", deploy=True, databases=["default"])
            readings = status.read(status.watches)
        except (DatabaseError, InterfaceError) as error:
            raise CommandError(f"The database is unavailable: {error}") from error
        for reading in readings:
            mark, problem = ("PROBLEM", f": {reading.watch.problem}") if reading.is_problem else ("ok", "")
            self.stdout.write(f"{mark:<8} {reading.watch.name:<26} {reading}{problem}")
        if any(reading.is_problem for reading in readings):
            raise CommandError("There are problems.")
