"""Liveness and readiness of a server whose database is unavailable, silent, slow or behind."""

import socket
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sailing.operations import health
from tests.processes import wait_until


@pytest.fixture
def _new_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_readiness", health.ReadinessProbe())


def get_readiness() -> tuple[int, str]:
    response = Client().get("/readyz")
    return response.status_code, response.json()["status"]


@pytest.mark.usefixtures("_new_probe")
class TestWithoutADatabase:
    """The database of the check is a port of this machine."""

    @pytest.fixture
    def server(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            engine = {"ENGINE": "django.db.backends.postgresql", "NAME": "sailing"}
            handler = ConnectionHandler({"default": {**engine, "HOST": "127.0.0.1", "PORT": port}})

            def connect() -> None:
                with handler["default"].wrap_database_errors:
                    handler["default"].connect()

            monkeypatch.setattr(health, "check_database", connect)
            yield server

    def test_server_that_refuses_connections_fails_readiness(self, server: socket.socket) -> None:
        server.close()
        assert get_readiness() == (503, "database refuses connections")
        assert Client().get("/healthz").json() == {"status": "ok"}

    def test_silent_server_fails_readiness_after_the_timeout(
        self, server: socket.socket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.01)
        assert get_readiness() == (503, "database slow")
        assert Client().get("/healthz").json() == {"status": "ok"}


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


@pytest.mark.usefixtures("_new_probe")
class TestSlowDatabase:
    @pytest.fixture
    def database(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDatabase]:
        database = SlowDatabase()
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


@pytest.mark.usefixtures("_new_probe")
class TestReusedResult:
    @pytest.fixture(autouse=True)
    def _clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.checks = 0
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: self.now))

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
