"""Liveness and readiness of a server whose database is unavailable, slow or behind."""

import threading
from unittest import mock

import pytest
from django.db import OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from sailing.web import health
from tests.processes import wait_until


def get_readiness() -> tuple[int, str]:
    response = Client().get("/readyz")
    return response.status_code, response.json()["status"]


def test_unavailable_database_fails_readiness_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert health.TIMEOUT_SECONDS < 2
    monkeypatch.setitem(connections.settings["default"], "NAME", "/no/such/database")
    assert get_readiness() == (503, "database unavailable")
    assert Client().get("/healthz").json() == {"status": "ok", "client": "127.0.0.1"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_readiness_follows_the_migrations() -> None:
    recorder = MigrationRecorder(connection)
    (last,) = MigrationLoader(connection).graph.leaf_nodes("newsletter")
    assert get_readiness() == (200, "ok")
    recorder.record_unapplied(*last)
    try:
        assert get_readiness() == (503, "migrations pending")
    finally:
        recorder.record_applied(*last)
    assert get_readiness() == (200, "ok")


def test_calls_share_a_slow_check_and_fail_at_once_after_its_timeout() -> None:
    responds = threading.Event()
    check = mock.Mock(side_effect=lambda: None if responds.wait(30) else "not released")
    probe = health.ReadinessProbe(check, timeout_seconds=0.01)
    assert probe.get_problem() == "database slow"
    probe.timeout_seconds = 60
    assert [probe.get_problem() for _ in range(20)] == ["database slow"] * 20
    assert check.call_count == 1
    responds.set()
    wait_until(lambda: probe.get_problem() is None, "the probe recovers")


def test_result_is_reused_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, check = mock.Mock(), mock.Mock(side_effect=[None, "migrations pending", OperationalError])
    monkeypatch.setattr("time.monotonic", clock)
    probe = health.ReadinessProbe(check)
    for now, problem in ((1, None), (1.99, None), (2, "migrations pending"), (3, "database unavailable")):
        clock.return_value = now
        assert [probe.get_problem() for _ in range(5)] == [problem] * 5
    assert check.call_count == 3
