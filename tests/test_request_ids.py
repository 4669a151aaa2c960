"""The id of a request: in the answer, in every line that it logs, and never what a stranger wrote."""

import json
import logging
import uuid
from collections.abc import Iterator

import pytest
import structlog
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

from sailing.monitoring.logging import configuration
from sailing.monitoring.redaction import masked

GIVEN = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What the log writes, line by line."""
    written: list[str] = []
    formatters = configuration()["formatters"]["json"]
    formatter = formatters.pop("()")(**formatters)

    class Writer(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(formatter.format(record))

    handler = Writer()
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("path", ["/", "/nowhere", "/healthz", "/static/gone.js", "/graphql"])
def test_an_answer_and_its_line_have_the_same(path: str, lines: list[str]) -> None:
    answer = Client().get(path)
    (line,) = [json.loads(text) for text in lines]
    assert uuid.UUID(answer.headers["X-Request-ID"])
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert (line["event"], line["request"], line["code"]) == (
        "request_finished",
        f"GET {path}",
        answer.status_code,
    )


def test_behind_a_trusted_proxy_it_is_the_proxys(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    assert Client(headers={"X-Request-ID": GIVEN}).get("/").headers["X-Request-ID"] == GIVEN


@pytest.mark.parametrize("given", ["short", "jana@example.org", "x" * 65, 'a"}\n{"event": "forged', ""])
def test_what_is_no_id_is_not_taken_over(settings: Settings, given: str, lines: list[str]) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    answer = Client(headers={"X-Request-ID": given, "X-Correlation-ID": given}).get("/")
    assert uuid.UUID(answer.headers["X-Request-ID"])
    assert len(json.loads(lines[0])["request_id"]) == 36
    assert "correlation_id" not in lines[0]


def test_without_a_proxy_a_client_does_not_choose_it() -> None:
    assert configured.TRUSTED_PROXY_COUNT == 0
    assert Client(headers={"X-Request-ID": GIVEN}).get("/").headers["X-Request-ID"] != GIVEN


def test_no_line_has_an_address_or_a_token_whatever_is_logged(lines: list[str]) -> None:
    logger = structlog.get_logger("tests")
    try:
        raise ValueError("Key (email)=(jana@example.org) exists, eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl")
    except ValueError:
        logger.exception("resolver_failed", to="<petr.novak@example.co.uk>", path="/account/verify/secret/")
    (line,) = lines
    for secret in ("jana", "petr", "eyJ", "secret"):
        assert secret not in line
    assert "Key (email)=([address]) exists, [token]" in line


@pytest.mark.parametrize("text", ["a @ b", "GET /about?x=1", "psycopg2==2.9.13"])
def test_what_is_no_address_stays(text: str) -> None:
    assert masked(text) == text
