"""`manage.py doctor`: Django's checks, what the watches read, and the client address that the site sees."""

import json
from typing import Any
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError

from sailing import database, status

FORGED_CLIENT = "192.0.2.1"  # RFC 5737: nobody's


class Command(BaseCommand):
    help = "Run the checks and print the state of the site. The exit status is 1 if there is a problem."
    requires_system_checks = ()  # `check` runs them

    def handle(self, *args: Any, **options: Any) -> None:
        database.limit_sessions()
        try:
            call_command("check", deploy=True, databases=["default"])
            readings = status.read(status.watches)
        except (DatabaseError, InterfaceError) as error:
            raise CommandError(f"The database is unavailable: {error}") from error
        client = _read_client()
        is_forged = client == FORGED_CLIENT
        advice = "PROBLEM  client: callers choose their address, so TRUSTED_PROXY_COUNT is too high."
        self.stdout.write(advice if is_forged else f"client   {client}")
        for reading in readings:
            mark, problem = ("PROBLEM", f": {reading.watch.problem}") if reading.is_problem else ("ok", "")
            self.stdout.write(f"{mark:<8} {reading.watch.name:<26} {reading}{problem}")
        if is_forged or any(reading.is_problem for reading in readings):
            raise CommandError("There are problems.")


def _read_client() -> str:
    """Return the client address that the site sees in a request with a forged one."""
    request = Request(f"{settings.SITE_URL}/healthz", headers={"X-Forwarded-For": FORGED_CLIENT})  # noqa: S310
    try:
        with urlopen(request, timeout=5) as response:  # noqa: S310
            return str(json.load(response)["client"])
    except (OSError, ValueError) as error:
        return f"no answer from {settings.SITE_URL} ({error})"
