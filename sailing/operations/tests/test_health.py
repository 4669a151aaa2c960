"""Liveness and readiness of a server whose database is unavailable, silent, slow or behind."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sailing.operations import health
from tests.processes import ROOT, environment, wait_until

# A separate process, because settings read the database address once.
PROBE = """
import json, sys, time
import django; django.setup()
from django.test import Client
Client().get("/healthz")
results = []
for path in sys.argv[1:]:
    started = time.monotonic()
    response = Client().get(path)
    status = json.loads(response.content)["status"]
    results.append([response.status_code, status, time.monotonic() - started])
print(json.dumps(results))
import os; os._exit(0)  # a hanging check would block the exit
"""


def probe_process(database_url: str, *paths: str) -> list[tuple[int, str, float]]:
    """Return the status code, the status text and the seconds of a probe of each path in turn."""
    process = subprocess.run(
        [sys.executable, "-c", f"import tests.environment\n{PROBE}", *paths],
        cwd=ROOT,
        env=environment(DATABASE_URL=database_url),
        capture_output=True,
        text=True,
        check=True,
    )
    return [(code, text, seconds) for code, text, seconds in json.loads(process.stdout.splitlines()[-1])]


def get_readiness() -> tuple[int, str]:
    response = Client().get("/readyz")
    return response.status_code, response.json()["status"]


class TestWithoutADatabase:
    def test_unreachable_server_is_away(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed_port = server.getsockname()[1]
        ready, alive = probe_process(
            f"postgres://sailing@127.0.0.1:{closed_port}/sailing", "/readyz", "/healthz"
        )
        assert ready[:2] == (503, "database refuses connections")
        assert alive[:2] == (200, "ok")

    def test_silent_server_fails_readiness_after_the_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=20) as server:
            port = server.getsockname()[1]
            url = f"postgres://sailing@127.0.0.1:{port}/sailing?connect_timeout=60"
            first, second, alive = probe_process(url, "/readyz", "/readyz", "/healthz")
        assert first[:2] == second[:2] == (503, "database slow")
        assert alive[:2] == (200, "ok")
        assert health.TIMEOUT_SECONDS <= first[2] < 10  # not the minute that the driver would wait
        assert second[2] < health.TIMEOUT_SECONDS


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_readiness_follows_the_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "RESULT_TTL_SECONDS", 0)
    recorder = MigrationRecorder(connection)
    (last,) = MigrationLoader(connection).graph.leaf_nodes("newsletter")
    assert get_readiness() == (200, "ok")
    recorder.record_unapplied(*last)
    try:
        assert get_readiness() == (503, "migrations pending")
    finally:
        recorder.record_applied(*last)
    assert get_readiness() == (200, "ok")


class SlowDatabase:
    """A database that does not respond until `responds` is set."""

    def __init__(self) -> None:
        self.checks = 0
        self.responds = threading.Event()

    def check(self) -> None:
        self.checks += 1
        self.responds.wait(30)


class TestSlowDatabase:
    @pytest.fixture
    def database(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDatabase]:
        database = SlowDatabase()
        monkeypatch.setattr(health, "_readiness", health.ReadinessProbe())
        monkeypatch.setattr(health, "check_database", database.check)
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.01)
        monkeypatch.setattr(health, "RESULT_TTL_SECONDS", 0)
        yield database
        database.responds.set()

    def test_probes_share_one_check(self, database: SlowDatabase) -> None:
        assert [get_readiness()[0] for _ in range(20)] == [503] * 20
        assert database.checks == 1

    def test_probe_after_the_timeout_fails_at_once(
        self, database: SlowDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert get_readiness() == (503, "database slow")
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 60)
        assert get_readiness() == (503, "database slow")
        assert not database.responds.is_set()

    def test_recovery_is_noticed(self, database: SlowDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
        assert get_readiness()[0] == 503
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 30)
        database.responds.set()
        wait_until(lambda: get_readiness()[0] == 200, "readiness recovers")
        assert database.checks == 2


class TestReusedResult:
    @pytest.fixture(autouse=True)
    def _clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.checks = 0
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(health, "_readiness", health.ReadinessProbe())

    def set_check(self, result: Callable[[], str | None]) -> None:
        def check() -> str | None:
            self.checks += 1
            return result()

        self.monkeypatch.setattr(health, "check_database", check)

    def test_result_is_reused_for_a_second(self) -> None:
        self.set_check(lambda: "migrations pending" if self.checks > 1 else None)
        assert [get_readiness()[0] for _ in range(10)] == [200] * 10
        self.now += 0.99
        assert get_readiness()[0] == 200
        self.now += 0.01
        assert get_readiness() == get_readiness() == (503, "migrations pending")
        assert self.checks == 2

    def test_failure_is_reused_too(self) -> None:
        def fail() -> str | None:
            raise OperationalError

        self.set_check(fail)
        assert [get_readiness()[1] for _ in range(5)] == ["database unavailable"] * 5
        assert self.checks == 1


def test_liveness_uses_no_database(django_assert_num_queries: DjangoAssertNumQueries, db: None) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/healthz").status_code == 200
