"""Liveness and readiness of a server whose database is unavailable, silent, slow or behind."""

import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sailing.web import health
from tests.processes import wait_until


def get_readiness() -> tuple[int, str]:
    response = Client().get("/readyz")
    return response.status_code, response.json()["status"]


@pytest.mark.parametrize(
    ("timeout", "is_closed", "problem"),
    [(1.5, True, "database unavailable"), (0.01, False, "database slow")],
)
def test_server_that_refuses_connections_or_is_silent_fails_readiness_alone(
    monkeypatch: pytest.MonkeyPatch, timeout: float, is_closed: bool, problem: str
) -> None:
    assert health.TIMEOUT_SECONDS < 2
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", timeout)
    monkeypatch.setattr(health, "_readiness", health.ReadinessProbe())
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = {"HOST": "127.0.0.1", "PORT": server.getsockname()[1], "NAME": "sailing"}
        handler = ConnectionHandler({"default": {"ENGINE": "django.db.backends.postgresql", **address}})

        def connect() -> None:
            with handler["default"].wrap_database_errors:
                handler["default"].connect()

        monkeypatch.setattr(health, "check_database", connect)
        if is_closed:
            server.close()
        assert get_readiness() == (503, problem)
        assert Client().get("/healthz").json() == {"status": "ok", "client": "127.0.0.1"}


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


class TestReadinessProbe:
    @pytest.fixture
    def check(self, monkeypatch: pytest.MonkeyPatch) -> mock.Mock:
        """Return the check of the database, which a test lets return, raise or wait."""
        check = mock.Mock()
        monkeypatch.setattr(health, "check_database", check)
        return check

    @pytest.fixture
    def responds(self, check: mock.Mock) -> Iterator[threading.Event]:
        """Let the check wait until this is set, at the latest after the test."""
        responds = threading.Event()
        check.side_effect = lambda: None if responds.wait(30) else "not released"
        yield responds
        responds.set()

    def test_calls_share_a_slow_check_and_fail_at_once_after_its_timeout(
        self, check: mock.Mock, responds: threading.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.01)
        monkeypatch.setattr(health, "RESULT_TTL_SECONDS", 0)
        probe = health.ReadinessProbe()
        assert probe.get_problem() == "database slow"
        monkeypatch.setattr(health, "TIMEOUT_SECONDS", 60)
        assert [probe.get_problem() for _ in range(20)] == ["database slow"] * 20
        assert check.call_count == 1
        responds.set()
        wait_until(lambda: probe.get_problem() is None, "the probe recovers")
        assert check.call_count == 2

    def test_result_is_reused_for_a_second(self, check: mock.Mock, monkeypatch: pytest.MonkeyPatch) -> None:
        now = [1000.0]
        monkeypatch.setattr(health, "time", SimpleNamespace(monotonic=lambda: now[0]))
        check.side_effect = [None, "migrations pending", OperationalError]
        probe = health.ReadinessProbe()
        for seconds, problem in (
            (0, None),
            (0.99, None),
            (0.01, "migrations pending"),
            (1, "database unavailable"),
        ):
            now[0] += seconds
            assert [probe.get_problem() for _ in range(5)] == [problem] * 5
        assert check.call_count == 3


def test_liveness_uses_no_database(django_assert_num_queries: DjangoAssertNumQueries, db: None) -> None:
    with django_assert_num_queries(0):
        assert Client().get("/healthz").status_code == 200
