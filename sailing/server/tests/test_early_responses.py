"""Early responses have the headers, the language and the format of the site's own responses."""

import json
from email import message_from_string
from email.message import Message
from uuid import UUID

import pytest
from pytest_django import Settings

from sailing.mail_links import paths
from sailing.server.early_responses import build_response, describe_request, get_probe, get_request_id
from sailing.wsgi import application

ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


def refuse(head: str, status: int = 503) -> tuple[str, Message, str]:
    """Return the status line, the headers and the body of an early response."""
    response = build_response(application.application, head.encode(), status, ID).decode()
    start, _, rest = response.partition("\r\n")
    headers, _, body = rest.partition("\r\n\r\n")
    return start, message_from_string(headers), body


@pytest.mark.parametrize(
    "head", ["POST /graphql HTTP/1.1", "POST /graphql/ HTTP/1.1", "POST /graphql?x HTTP/1.1"]
)
def test_graphql_gets_json_with_a_retry_time(head: str) -> None:
    start, headers, body = refuse(head)
    assert start == "HTTP/1.1 503 Service Unavailable"
    assert headers["Retry-After"] == "5"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Connection"] == "close"
    (error,) = json.loads(body)["errors"]
    assert error["message"] == "The service is briefly unavailable. Please try again in a moment."
    assert error["extensions"] == {"code": "UNAVAILABLE", "retryAfter": 5}


@pytest.mark.parametrize(
    "head", ["GET / HTTP/1.1", "GET /admin/ HTTP/1.1", "POST /graphqlx HTTP/1.1", "", "\x16\x03\x01"]
)
def test_other_paths_get_an_html_page(head: str) -> None:
    start, headers, body = refuse(head)
    assert start == "HTTP/1.1 503 Service Unavailable"
    assert headers["Retry-After"] == "5"
    assert headers["Content-Type"].startswith("text/html")
    assert "Something went wrong" in body


@pytest.mark.parametrize("head", ["GET / HTTP/1.1", "POST /graphql HTTP/1.1"])
def test_response_has_a_length_and_the_security_headers(head: str) -> None:
    _start, headers, body = refuse(head)
    assert int(headers["Content-Length"]) == len(body.encode())
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Cookie" in headers["Vary"]
    assert headers.get_all("X-Request-ID") == [ID]
    assert headers["Set-Cookie"] is None  # cached responses are shared


def test_response_has_the_strict_headers_of_token_paths() -> None:
    _start, headers, _body = refuse("GET /account/reset/secret/ HTTP/1.1")
    assert {name: headers[name] for name in paths.HEADERS} == paths.HEADERS


def test_head_has_no_body() -> None:
    _start, headers, body = refuse("HEAD / HTTP/1.1")
    assert not body
    assert int(headers["Content-Length"]) > 100


@pytest.mark.parametrize(
    "head",
    [
        "GET /?lang=cs HTTP/1.1",
        "GET / HTTP/1.1\r\nCookie: a=b; django_language=cs; c=d",
        "GET / HTTP/1.1\r\ncookie:django_language=cs\r\nAccept: */*",
        "GET /?lang=xx HTTP/1.1\r\nCookie: django_language=cs",
        "GET /?lang=cs HTTP/1.1\r\nCookie: django_language=en",
    ],
)
def test_chosen_language_is_used(head: str) -> None:
    _start, headers, body = refuse(head)
    assert headers["Content-Language"] == "cs"
    assert 'lang="cs"' in body


@pytest.mark.parametrize(
    "head",
    [
        "GET /?lang=xx HTTP/1.1",
        "GET /?xlang=cs HTTP/1.1",
        "GET /lang=cs HTTP/1.1",
        "GET / HTTP/1.1\r\nReferer: https://sailing.example/?lang=cs\r\nCookie: django_language=en",
        "GET / HTTP/1.1\r\nReferer: https://sailing.example/?lang=cs",
        "GET / HTTP/1.1\r\nX-Words: django_language=cs",
    ],
)
def test_english_is_the_default(head: str) -> None:
    assert refuse(head)[1]["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "We didn’t understand this request"),
        (408, "Your request took too long to arrive."),
        (413, "What you sent is too large."),
        (500, "Something went wrong"),
    ],
)
def test_page_names_the_error(status: int, text: str) -> None:
    start, _headers, body = refuse("GET / HTTP/1.1", status)
    assert start.startswith(f"HTTP/1.1 {status} ")
    assert text in body


def test_graphql_gets_json_for_an_oversized_request() -> None:
    start, headers, body = refuse("POST /graphql HTTP/1.1", 413)
    assert start.startswith("HTTP/1.1 413 ")
    assert headers["Retry-After"] is None
    (error,) = json.loads(body)["errors"]
    assert error["extensions"] == {"code": "BAD_REQUEST"}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("query", ["", "?x"])
def test_probe_is_recognised(method: str, path: str, query: str) -> None:
    assert get_probe(f"{method} {path}{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()) == path


@pytest.mark.parametrize("line", ["GET /healthzz HTTP/1.1", "GET / HTTP/1.1", "POST /healthz HTTP/1.1", ""])
def test_other_requests_are_no_probes(line: str) -> None:
    assert get_probe(f"{line}\r\n\r\n".encode()) == ""


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("POST /graphql HTTP/1.1\r\nHost: localhost", "POST /graphql"),
        ("GET /search?q=jana@example.org HTTP/1.1\r\n", "GET /search"),
        ("GET /account/reset/secret/ HTTP/1.1\r\n", "GET /account/reset/…"),
        ("GET /jana@example.org HTTP/1.1\r\n", "GET [address]"),
        ("GET /half-a-li", "GET /half-a-li"),
        ("\x16\x03\x01", "\x16\x03\x01"),
        ("GET /" + "a" * 5000, "GET /" + "a" * 195),
    ],
)
def test_logged_request_is_redacted(head: str, expected: str) -> None:
    assert describe_request(head.encode()) == expected


class TestRequestId:
    HEAD = f"GET / HTTP/1.1\r\nx-request-id: {ID}\r\n\r\n".encode()

    def test_each_request_gets_a_new_id(self) -> None:
        found = {get_request_id(self.HEAD) for _time in range(20)}
        assert len(found) == 20
        assert {UUID(each).version for each in found} == {4}

    def test_id_of_the_trusted_proxy_is_kept(self, settings: Settings) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert get_request_id(self.HEAD) == ID

    @pytest.mark.parametrize("given", ["short", "jana@example.org", "x" * 65, f"{ID} {ID}"])
    def test_malformed_id_is_replaced(self, settings: Settings, given: str) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert UUID(get_request_id(f"GET / HTTP/1.1\r\nX-Request-ID: {given}\r\n\r\n".encode()))
