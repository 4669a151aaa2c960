"""Request ids: in the response, in every log line of the request, and never chosen by a client."""

import json
import uuid
from io import StringIO

import pytest
import structlog
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

PROXY_ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


@pytest.mark.parametrize("path", ["/", "/nowhere", "/healthz", "/static/gone.js", "/graphql"])
def test_response_and_log_line_have_the_same_id(path: str, log: StringIO) -> None:
    response = Client().get(path)
    line = json.loads(log.getvalue())
    assert uuid.UUID(response.headers["X-Request-ID"])
    assert line["request_id"] == response.headers["X-Request-ID"]
    assert (line["event"], line["request"], line["code"]) == (
        "request_finished",
        f"GET {path}",
        response.status_code,
    )


def test_id_of_a_trusted_proxy_is_used(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    assert Client(headers={"X-Request-ID": PROXY_ID}).get("/").headers["X-Request-ID"] == PROXY_ID


@pytest.mark.parametrize("header", ["short", "jana@example.org", "x" * 65, 'a"}\n{"event": "forged', ""])
def test_malformed_id_is_replaced(settings: Settings, header: str, log: StringIO) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    response = Client(headers={"X-Request-ID": header, "X-Correlation-ID": header}).get("/")
    assert uuid.UUID(response.headers["X-Request-ID"])
    assert len(json.loads(log.getvalue())["request_id"]) == 36
    assert "correlation_id" not in log.getvalue()


def test_id_of_a_client_is_ignored_without_a_proxy() -> None:
    assert configured.TRUSTED_PROXY_COUNT == 0
    assert Client(headers={"X-Request-ID": PROXY_ID}).get("/").headers["X-Request-ID"] != PROXY_ID


def test_refused_host_is_logged_without_a_traceback(log: StringIO) -> None:
    assert Client().get("/admin/", headers={"Host": "made-up.example"}).status_code == 400
    refused, finished = map(json.loads, log.getvalue().splitlines())
    assert "made-up.example" in refused["event"]
    assert "exception" not in refused
    assert (finished["event"], finished["code"]) == ("request_finished", 400)


def test_logged_values_and_tracebacks_are_redacted(log: StringIO) -> None:
    logger = structlog.get_logger("tests")
    try:
        raise ValueError("Key (email)=(jana@example.org) exists, eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl")
    except ValueError:
        logger.exception("resolver_failed", to="<petr.novak@example.co.uk>", path="/account/verify/secret/")
    for secret in ("jana", "petr", "eyJ", "secret"):
        assert secret not in log.getvalue()
    assert "Key (email)=([address]) exists, [token]" in log.getvalue()
