"""The databases that a site of these tests runs on, and what is in them."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg2

from tests.faults.programs import PYTHON_PROGRAMS, ROOT

PREPARED = "prepared"
ROLE = "site"

MAIL_SENT, MAIL_FAILED, MAIL_QUEUED, MAIL_REQUEUED = range(4)  # django-post-office's numbers


class Database:
    """What both kinds have."""

    url: str

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def run(self, statement: str) -> None:
        raise NotImplementedError

    def stored(self) -> list[str]:
        """The address of every subscription and of every member."""
        both = "SELECT email FROM newsletter_subscription UNION ALL SELECT email FROM accounts_user"
        return [email for (email,) in self.rows(both)]

    def unsent(self) -> int:
        ((number,),) = self.rows(f"SELECT count(*) FROM post_office_email WHERE status <> {MAIL_SENT}")
        return int(number)

    def waiting_to_be_tried_again(self) -> int:
        ((number,),) = self.rows(
            f"SELECT count(*) FROM post_office_email WHERE status = {MAIL_REQUEUED} AND number_of_retries > 0"
        )
        return int(number)

    def end_pauses(self) -> None:
        """Make every mail due that was tried, as time would."""
        self.run(f"UPDATE post_office_email SET scheduled_time = NULL WHERE status = {MAIL_REQUEUED}")

    def end_claims(self) -> None:
        """Make every mail due that its sender was killed with, as time would. None may be alive with one."""
        self.run(f"UPDATE post_office_email SET scheduled_time = NULL WHERE status = {MAIL_QUEUED}")


class PostgresServer:
    """The server that scripts/with-postgres has started."""

    def __init__(self, url: str) -> None:
        (folder,) = parse_qs(urlsplit(url).query)["host"]
        self.folder = Path(folder)

    def url(self, database: str, role: str = ROLE) -> str:
        return f"postgres://{role}@/{database}?host={self.folder}"

    def control(self, *arguments: str) -> None:
        """Stop it (`-m fast stop`), start it."""
        subprocess.run([self.folder / "pg_ctl", *arguments], check=True)

    def stop(self) -> None:
        self.control("-m", "fast", "stop")

    def start(self) -> None:
        self.control("start")

    def run(self, statement: str) -> None:
        """As an administrator, outside of any transaction."""
        with closing(psycopg2.connect(self.url("postgres", "postgres"))) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement)

    def prepare(self) -> None:
        """An empty site's database, which `new_database` copies."""
        self.run(f"CREATE ROLE {ROLE} LOGIN")
        self.run(f"CREATE DATABASE {PREPARED} OWNER {ROLE}")
        migrate(self.url(PREPARED))

    def new_database(self, name: str) -> "PostgresDatabase":
        self.run(f"CREATE DATABASE {name} TEMPLATE {PREPARED} OWNER {ROLE}")
        return PostgresDatabase(self, name)


class PostgresDatabase(Database):
    def __init__(self, server: PostgresServer, name: str) -> None:
        self.server = server
        self.name = name
        self.url = server.url(name)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """A cursor in a transaction, which is committed at the end."""
        with (
            closing(psycopg2.connect(self.server.url(self.name, "postgres"))) as connection,
            connection,
            connection.cursor() as cursor,
        ):
            yield cursor

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self.connected() as cursor:
            cursor.execute(statement)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    def run(self, statement: str) -> None:
        with self.connected() as cursor:
            cursor.execute(statement)

    def cut_connections(self) -> int:
        """End every connection of the site; return how many there were."""
        return len(
            self.rows(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{ROLE}'")
        )


class SqliteDatabase(Database):
    def __init__(self, file: Path) -> None:
        self.file = file
        self.url = f"sqlite:///{file}"

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.file, timeout=10)) as connection, connection:
            return connection.execute(statement).fetchall()

    def run(self, statement: str) -> None:
        self.rows(statement)


def migrate(url: str) -> None:
    """Make the tables of an empty database."""
    for command in (["migrate", "--noinput"], ["createcachetable"]):
        subprocess.run(
            [PYTHON_PROGRAMS / "python", "manage.py", *command, "--verbosity=0"],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": url},
            check=True,
        )
