"""The log lines of requests: what they say, and their ids, which no client chooses."""

import json
import subprocess
import sys
import uuid
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from sailing.web import middleware
from sailing.web.pages import views
from tests.api import post_graphql
from tests.processes import ROOT, environment

PROXY_ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


@pytest.mark.parametrize("path", ["/", "/healthz", "/static/gone.js"])
def test_response_and_log_line_have_the_same_id(path: str, log: StringIO) -> None:
    response = Client().get(path)
    line = json.loads(log.getvalue())
    assert line["request_id"] == response.headers["X-Request-ID"]
    expected = {"event": "request_finished", "request": f"GET {path}", "code": response.status_code}
    assert expected.items() <= line.items()
    assert line["duration_ms"] >= 0


def test_failed_request_has_its_duration_in_ms(log: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((7.0, 7.25))
    monkeypatch.setattr(middleware, "time", SimpleNamespace(perf_counter=lambda: next(seconds)))
    monkeypatch.setattr(views.PublicPages, "items", lambda _self: 1 / 0)
    Client(raise_request_exception=False).get("/sitemap.xml")
    line = json.loads(log.getvalue())
    assert (line["event"], line["duration_ms"]) == ("request_failed", 250)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("query Member { me { id } }", {"operation": "Member", "errors": ["UNAUTHENTICATED"]}),
        ("{ __typename }", {}),
        ("query Kind { nothing }", {"errors": ["GRAPHQL_VALIDATION_FAILED"]}),
        (f"query {'a' * 100} {{ __typename }}", {"operation": "a" * 64}),
    ],
)
def test_line_of_graphql_names_operation_and_codes(
    log: StringIO, query: str, expected: dict[str, Any]
) -> None:
    post_graphql(query)
    Client().get("/healthz")
    line, later = map(json.loads, log.getvalue().splitlines())
    assert line["request"] == "POST /graphql"
    assert {name: line[name] for name in ("operation", "errors") if name in line} == expected
    assert not {"operation", "errors"} & later.keys()


def test_level_is_that_of_the_setting_and_warning_of_a_library_is_json() -> None:
    code = "import django; django.setup(); import logging, warnings;"
    code += "logging.getLogger('sailing').info('all is well'); warnings.warn('old')"
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(LOG_LEVEL="Warning"),
        capture_output=True,
        text=True,
        check=True,
    )
    line = json.loads(process.stderr)
    assert "old" in line["event"]
    assert (line["logger"], line["level"]) == ("py.warnings", "warning")


@pytest.mark.parametrize(
    ("proxies", "header", "is_kept"),
    [
        (1, PROXY_ID, True),
        (0, PROXY_ID, False),
        (1, "jana@example.org", False),
        (1, "x" * 65, False),
    ],
)
def test_well_formed_id_is_taken_from_a_trusted_proxy_alone(
    settings: Settings, log: StringIO, proxies: int, header: str, is_kept: bool
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    response = Client(headers={"X-Request-ID": header, "X-Correlation-ID": header}).get("/")
    assert (response.headers["X-Request-ID"] == header) is is_kept
    assert uuid.UUID(json.loads(log.getvalue())["request_id"])
    assert "correlation_id" not in log.getvalue()
