"""Early responses have the headers, the language and the format of the site's own responses."""

import json
from email import message_from_string
from email.message import Message
from typing import Any
from uuid import UUID

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from sailing.web.early_responses import build_response
from sailing.web.middleware import LINK_HEADERS
from sailing.wsgi import application

ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


def refuse(
    path: str = "/", status: int = 503, *, method: str = "GET", **headers: str
) -> tuple[str, Message, str]:
    """Return the status line, the headers and the body of an early response."""
    return _build(RequestFactory().generic(method, path, headers=headers).environ, status)


def _build(environ: dict[str, Any] | None, status: int) -> tuple[str, Message, str]:
    response, request_id = build_response(application.application, environ, status)
    start, _, rest = response.decode().partition("\r\n")
    head, _, body = rest.partition("\r\n\r\n")
    headers = message_from_string(head)
    assert headers.get_all("X-Request-ID") == [request_id]
    return start, headers, body


@pytest.mark.parametrize("path", ["/graphql", "/graphql/", "/graphql?x"])
def test_graphql_gets_json_with_a_retry_time(path: str) -> None:
    start, headers, body = refuse(path, method="POST")
    assert start == "HTTP/1.1 503 Service Unavailable"
    assert headers["Retry-After"] == "5"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Connection"] == "close"
    (error,) = json.loads(body)["errors"]
    assert error["message"] == "The service is briefly unavailable. Please try again in a moment."
    assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 5}


def test_other_paths_get_an_html_page() -> None:
    start, headers, body = refuse("/graphqlx")
    assert start == "HTTP/1.1 503 Service Unavailable"
    assert headers["Retry-After"] == "5"
    assert headers["Content-Type"].startswith("text/html")
    assert "Something went wrong" in body


@pytest.mark.parametrize("path", ["/", "/graphql"])
def test_response_has_a_length_and_the_security_headers(path: str) -> None:
    _start, headers, body = refuse(path)
    assert int(headers["Content-Length"]) == len(body.encode())
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Cookie" in headers["Vary"]
    assert headers["Set-Cookie"] is None  # cached responses are shared


def test_response_has_the_strict_headers_of_token_paths() -> None:
    _start, headers, _body = refuse("/account/reset/secret/")
    assert {name: headers[name] for name in LINK_HEADERS} == LINK_HEADERS


def test_head_has_no_body() -> None:
    _start, headers, body = refuse(method="HEAD")
    assert not body
    assert int(headers["Content-Length"]) > 100


@pytest.mark.parametrize(
    ("path", "cookie", "language"),
    [
        ("/?lang=cs", "django_language=en", "cs"),
        ("/?lang=xx", "a=b; django_language=cs; c=d", "cs"),
        ("/?lang=xx", "", "en"),
    ],
)
def test_response_has_the_chosen_language(path: str, cookie: str, language: str) -> None:
    _start, headers, body = refuse(path, Cookie=cookie)
    assert headers["Content-Language"] == language
    assert f'lang="{language}"' in body


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "We didn’t understand this request"),
        (413, "What you sent is too large."),
        (500, "Something went wrong"),
    ],
)
def test_page_names_the_error(status: int, text: str) -> None:
    start, _headers, body = refuse("/", status)
    assert start.startswith(f"HTTP/1.1 {status} ")
    assert text in body


def test_graphql_gets_json_for_an_oversized_request() -> None:
    start, headers, body = refuse("/graphql", 413, method="POST")
    assert start.startswith("HTTP/1.1 413 ")
    assert headers["Retry-After"] is None
    (error,) = json.loads(body)["errors"]
    assert error["extensions"] == {"code": "BAD_REQUEST"}


def test_request_that_cannot_be_parsed_gets_a_page() -> None:
    start, headers, body = _build(None, 400)
    assert start == "HTTP/1.1 400 Bad Request"
    assert headers["X-Frame-Options"] == "DENY"
    assert "We didn’t understand this request" in body


class TestRequestId:
    def get_id(self, given: str) -> str:
        return str(refuse(X_Request_ID=given)[1]["X-Request-ID"])

    def test_each_request_gets_a_new_id(self) -> None:
        found = {self.get_id(ID) for _time in range(20)}
        assert len(found) == 20
        assert {UUID(each).version for each in found} == {4}

    def test_id_of_the_trusted_proxy_is_kept(self, settings: Settings) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert self.get_id(ID) == ID

    @pytest.mark.parametrize("given", ["short", "jana@example.org", "x" * 65])
    def test_malformed_id_is_replaced(self, settings: Settings, given: str) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert UUID(self.get_id(given))
