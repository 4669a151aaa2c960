"""The responses of the worker have the headers, the language and the format of the site's own."""

import json
from email import message_from_string
from email.message import Message
from uuid import UUID

import pytest
from pytest_django import Settings

from sailing.web.early_responses import EarlyResponses
from sailing.web.middleware import LINK_HEADERS

ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


def refuse(
    path: str = "/", status: int = 503, *, method: str = "GET", **headers: str
) -> tuple[str, Message, str]:
    """Return the status line, the headers and the body of an early response."""
    response, request_id = EarlyResponses().build(status, method, path, headers)
    start, _, rest = response.decode().partition("\r\n")
    head, _, body = rest.partition("\r\n\r\n")
    found = message_from_string(head)
    assert found.get_all("X-Request-ID") == [request_id]
    return start, found, body


@pytest.mark.parametrize(
    ("path", "status", "start", "text"),
    [
        ("/", 400, "HTTP/1.1 400 Bad Request", "We didn’t understand this request"),
        ("/graphql", 413, "HTTP/1.1 413 Request Entity Too Large", "We didn’t understand this request"),
        ("/", 500, "HTTP/1.1 500 Internal Server Error", "Something went wrong"),
        ("/graphqlx", 503, "HTTP/1.1 503 Service Unavailable", "Something went wrong"),
        ("/graphql", 503, "HTTP/1.1 503 Service Unavailable", '"code": "UNAVAILABLE", "retryAfter": 5'),
    ],
)
def test_response_has_the_headers_of_the_site(path: str, status: int, start: str, text: str) -> None:
    found, headers, body = refuse(path, status)
    assert found == start
    assert text in body
    assert int(headers["Content-Length"]) == len(body.encode())
    assert headers["Content-Type"].startswith("text/html" if text[0] != '"' else "application/json")
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert (headers["X-Frame-Options"], headers["X-Content-Type-Options"]) == ("DENY", "nosniff")
    assert {name: headers[name] for name in LINK_HEADERS} == LINK_HEADERS  # whatever the path
    assert headers["Retry-After"] == ("5" if status == 503 else None)
    assert headers["Set-Cookie"] is None


def test_head_has_no_body() -> None:
    _start, headers, body = refuse(method="HEAD")
    assert not body
    assert int(headers["Content-Length"]) > 100


@pytest.mark.parametrize(
    ("cookie", "language"),
    [
        ("a=b; django_language=cs; c=d", "cs"),
        ("django_language=xx", "en"),
        ("django\x00=;;", "en"),
        ("", "en"),
    ],
)
def test_response_has_the_chosen_language(cookie: str, language: str) -> None:
    _start, headers, body = refuse(COOKIE=cookie)
    assert headers["Content-Language"] == language
    assert f'lang="{language}"' in body
    (error,) = json.loads(refuse("/graphql", COOKIE=cookie)[2])["errors"]
    assert ("Zkuste" in error["message"]) is (language == "cs")


@pytest.mark.parametrize(
    ("proxies", "given", "is_kept"),
    [
        (0, ID, False),
        (1, ID, True),
        (1, "short", False),
        (1, "jana@example.org", False),
        (1, "x" * 65, False),
    ],
)
def test_id_of_the_trusted_proxy_is_kept(settings: Settings, proxies: int, given: str, is_kept: bool) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    _response, found = EarlyResponses().build(503, "GET", "/", {"X-REQUEST-ID": given})
    assert (found == given) is is_kept
    assert is_kept or UUID(found).version == 4
