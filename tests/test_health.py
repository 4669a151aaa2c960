"""Liveness and readiness, asked of a server whose database is really missing, silent or behind."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sailing.monitoring import health
from tests.processes import ROOT, environment, wait_until

# A process of its own: where the database is, is read once.
ASK = """
import json, sys, time
import django; django.setup()
from django.test import Client
Client().get("/healthz")
answers = []
for path in sys.argv[1:]:
    begun = time.monotonic()
    response = Client().get(path)
    body = json.loads(response.content)
    answers.append([response.status_code, body["status"], time.monotonic() - begun])
print(json.dumps(answers))
import os; os._exit(0)  # a look that hangs holds up the end
"""


def ask(database_url: str, *paths: str) -> list[tuple[int, str, float]]:
    """Status, what it says, and the seconds it took, for each path in turn."""
    asked = subprocess.run(
        [sys.executable, "-c", f"import tests.environment\n{ASK}", *paths],
        cwd=ROOT,
        env=environment(DATABASE_URL=database_url),
        capture_output=True,
        text=True,
        check=True,
    )
    return [(status, says, seconds) for status, says, seconds in json.loads(asked.stdout.splitlines()[-1])]


@pytest.fixture
def silent_server() -> Iterator[int]:
    """The port of a server that takes connections and says nothing, as behind a broken network."""
    with socket.create_server(("127.0.0.1", 0), backlog=20) as server:
        yield server.getsockname()[1]


class TestWithoutADatabase:
    def test_one_that_is_away(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed = server.getsockname()[1]
        ready, alive = ask(f"postgres://sailing@127.0.0.1:{closed}/sailing", "/readyz", "/healthz")
        assert ready[:2] == (503, "database away")
        assert alive[:2] == (200, "ok")

    def test_one_that_is_gone(self, tmp_path: Path) -> None:
        ((status, says, _seconds),) = ask(
            f"sqlite:///{tmp_path / 'no' / 'such' / 'folder.sqlite3'}", "/readyz"
        )
        assert (status, says) == (503, "database away")

    def test_one_that_says_nothing_is_not_waited_for(self, silent_server: int) -> None:
        url = f"postgres://sailing@127.0.0.1:{silent_server}/sailing?connect_timeout=60"
        answers = ask(url, "/readyz", "/readyz", "/healthz")
        assert [answer[:2] for answer in answers] == [
            (503, "database slow"),
            (503, "database slow"),
            (200, "ok"),
        ]
        assert health.READY_SECONDS < 2
        assert all(seconds < 30 for _status, _says, seconds in answers)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestWithADatabase:
    """The look is from another thread, and so by another connection."""

    @pytest.fixture(autouse=True)
    def _nothing_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(health, "KEPT_SECONDS", 0)

    def ready(self) -> tuple[int, Any]:
        response = Client().get("/readyz")
        return response.status_code, response.json()

    def test_one_that_is_up_to_date(self) -> None:
        assert self.ready() == (200, {"status": "ok"})

    def test_one_in_which_a_migration_is_pending(self) -> None:
        recorder = MigrationRecorder(connection)
        (last,) = MigrationLoader(connection).graph.leaf_nodes("newsletter")
        recorder.record_unapplied(*last)
        try:
            assert self.ready() == (503, {"status": "migrations pending"})
        finally:
            recorder.record_applied(*last)
        assert self.ready() == (200, {"status": "ok"})


class Hanging:
    """A database that does not answer."""

    def __init__(self) -> None:
        self.looks: list[float] = []
        self.returned = threading.Event()

    def look(self) -> None:
        self.looks.append(time.monotonic())
        self.returned.wait(30)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    database = Hanging()
    monkeypatch.setattr(health, "_looks", health.Looks())
    monkeypatch.setattr(health, "_look", database.look)
    monkeypatch.setattr(health, "READY_SECONDS", 0.01)
    monkeypatch.setattr(health, "KEPT_SECONDS", 0)
    yield database
    database.returned.set()


def test_probes_of_a_long_outage_do_not_pile_up(hanging: Hanging) -> None:
    assert [Client().get("/readyz").status_code for _ in range(20)] == [503] * 20
    assert len(hanging.looks) == 1


def test_who_asks_when_a_look_has_taken_too_long_does_not_wait_as_long_again(
    hanging: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Client().get("/readyz").json() == {"status": "database slow"}
    monkeypatch.setattr(health, "READY_SECONDS", 60)
    assert Client().get("/readyz").json() == {"status": "database slow"}
    assert not hanging.returned.is_set()


def test_after_it_one_looks_again(hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Client().get("/readyz").status_code == 503
    monkeypatch.setattr(health, "READY_SECONDS", 30)
    hanging.returned.set()
    wait_until(lambda: Client().get("/readyz").status_code == 200, "the database is seen to be back")
    assert len(hanging.looks) == 2


class TestKeptResult:
    @pytest.fixture(autouse=True)
    def _clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A clock set by hand, and looks that are counted."""
        self.now = 1000.0
        self.results: list[str | None] = []
        self.looks = 0
        monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(health, "_looks", health.Looks())
        monkeypatch.setattr(health, "_look", self.look)

    def look(self) -> str | None:
        self.looks += 1
        return "migrations pending" if self.looks > 1 else None

    def test_whoever_asks_there_is_one_look_a_second(self) -> None:
        assert [Client().get("/readyz").status_code for _ in range(10)] == [200] * 10
        self.now += health.KEPT_SECONDS - 0.01
        assert Client().get("/readyz").status_code == 200
        assert self.looks == 1

    def test_after_a_second_there_is_another(self) -> None:
        assert Client().get("/readyz").status_code == 200
        self.now += health.KEPT_SECONDS
        assert Client().get("/readyz").json() == {"status": "migrations pending"}
        assert Client().get("/readyz").status_code == 503
        assert self.looks == 2

    def test_an_outage_is_kept_as_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def away() -> None:
            self.looks += 1
            raise OperationalError

        monkeypatch.setattr(health, "_look", away)
        assert [Client().get("/readyz").json()["status"] for _ in range(5)] == ["database away"] * 5
        assert self.looks == 1


@pytest.mark.django_db
def test_a_look_reads_no_migration_from_disk_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    health._migrations()
    monkeypatch.setattr(health, "MigrationLoader", None)
    monkeypatch.setattr(connection, "close", lambda: None)
    assert health._look() is None


def test_liveness_asks_no_database(django_assert_num_queries: DjangoAssertNumQueries, db: None) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/healthz").status_code == 200
