"""Databases of the tested sites."""

import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg2

from tests.processes import manage

PREPARED = "prepared"
ROLE = "site"


class PostgresServer:
    """The server started by scripts/with-postgres."""

    def __init__(self, url: str) -> None:
        (folder,) = parse_qs(urlsplit(url).query)["host"]
        self.folder = Path(folder)

    def url(self, database: str, role: str = ROLE) -> str:
        return f"postgres://{role}@/{database}?host={self.folder}"

    def control(self, *arguments: str) -> None:
        """Run pg_ctl."""
        subprocess.run([self.folder / "pg_ctl", *arguments], check=True)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the server during the block, without a shutdown, as a crash does."""
        self.control("-m", "immediate", "stop")
        try:
            yield
        finally:
            self.control("start")

    def restart(self) -> None:
        with self.stopped():
            pass

    def run(self, statement: str) -> None:
        """Run a statement as an administrator, outside of a transaction."""
        with closing(psycopg2.connect(self.url("postgres", "postgres"))) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement)

    def prepare(self) -> None:
        """Create a migrated database, which `new_database` copies."""
        self.run(f"CREATE ROLE {ROLE} LOGIN")
        self.run(f"CREATE DATABASE {PREPARED} OWNER {ROLE}")
        manage("migrate", "--noinput", "--verbosity=0", DATABASE_URL=self.url(PREPARED))

    def new_database(self, name: str) -> "PostgresDatabase":
        """Create a database that loses nothing when the server is killed."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {PREPARED} OWNER {ROLE}")
        self.run(f"ALTER DATABASE {name} SET synchronous_commit = on")
        return PostgresDatabase(self, name)


class PostgresDatabase:
    def __init__(self, server: PostgresServer, name: str) -> None:
        self.server = server
        self.name = name
        self.url = server.url(name)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Yield a cursor in a transaction, which is committed at the end."""
        with (
            closing(psycopg2.connect(self.server.url(self.name, "postgres"))) as connection,
            connection,
            connection.cursor() as cursor,
        ):
            yield cursor

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with self.connected() as cursor:
            cursor.execute(statement)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    def run(self, statement: str) -> None:
        with self.connected() as cursor:
            cursor.execute(statement)

    def terminate_connections(self) -> int:
        """Terminate every connection of the site; return their number."""
        return len(
            self.query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{ROLE}'")
        )

    def list_addresses(self) -> list[str]:
        """Return the addresses of all subscriptions and members."""
        both = "SELECT email FROM newsletter_subscription UNION ALL SELECT email FROM accounts_user"
        return [email for (email,) in self.query(both)]

    def count_unsent(self) -> int:
        """Count the mails that are not sent yet, without the reminders of later days."""
        unsent = "SELECT count(*) FROM mail_outboxemail WHERE state <> 'sent' AND NOT is_reminder"
        ((number,),) = self.query(unsent)
        return int(number)

    def requeue(self) -> None:
        """Make every mail due that waits for a retry or has failed, but not those that are being sent."""
        # A claim lasts five minutes; the first retries come sooner.
        self.run(
            "UPDATE mail_outboxemail SET state = 'waiting', next_attempt_at = due_at"
            " WHERE state = 'failed' OR (state = 'waiting' AND last_error <> ''"
            " AND next_attempt_at < now() + interval '4 minutes')"
        )

    def release_claims(self) -> None:
        """Make every claimed mail due. No sender may be running with a claim."""
        self.run(
            "UPDATE mail_outboxemail SET next_attempt_at = due_at WHERE state = 'waiting' AND NOT is_reminder"
        )
