"""The database of the browser tests: create $DATABASE_URL with one superuser, then run the code of journeys.

A journey sends Python to the Unix socket $E2E_SOCKET and gets what it prints (frontend/e2e/django.ts).
"""

import io
import os
import traceback
from contextlib import redirect_stdout
from pathlib import Path
from socketserver import StreamRequestHandler, UnixStreamServer

import django
from django.core.management import call_command
from django.db import connection


class CodeHandler(StreamRequestHandler):
    """Runs the code of one connection. The answer begins with "ok" if it raised nothing."""

    def handle(self) -> None:
        printed = io.StringIO()
        try:
            with redirect_stdout(printed):
                exec(self.rfile.read(), {})
            answer = f"ok\n{printed.getvalue()}"
        except Exception:  # noqa: BLE001 - the journey fails with it
            answer = traceback.format_exc()
        connection.close()
        self.wfile.write(answer.encode())


def create_database() -> None:
    """Create the database, instead of one that an earlier run left."""
    from accounts.models import User

    if connection.vendor == "sqlite":
        file = Path(connection.settings_dict["NAME"])
        for old in file.parent.glob(f"{file.name}*"):
            old.unlink()
    call_command("migrate", interactive=False, verbosity=0)
    User.objects.create_superuser("admin@sailing.example", "only for these tests")
    connection.close()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
    django.setup()
    path = Path(os.environ["E2E_SOCKET"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    create_database()
    with UnixStreamServer(str(path), CodeHandler) as server:
        print("ready", flush=True)
        server.serve_forever()
