"""What is answered, without reading on, when more is asked than the site can do."""

import json
from email import message_from_string
from email.message import Message

import pytest

from sailing.overload import is_probe, refusal
from sailing.wsgi import application


def refuse(head: str) -> tuple[str, Message, str]:
    """The status line, headers and body of the answer to a request that begins like this."""
    answer = refusal(application.application, head.encode()).decode()
    start, _, rest = answer.partition("\r\n")
    headers, _, body = rest.partition("\r\n\r\n")
    return start, message_from_string(headers), body


@pytest.mark.parametrize(
    "head", ["POST /graphql HTTP/1.1", "POST /graphql/ HTTP/1.1", "POST /graphql?x HTTP/1.1"]
)
def test_a_program_is_told_to_come_again_and_when(head: str) -> None:
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
def test_whoever_else_asks_sees_a_page(head: str) -> None:
    start, headers, body = refuse(head)
    assert start == "HTTP/1.1 503 Service Unavailable"
    assert headers["Retry-After"] == "5"
    assert headers["Content-Type"].startswith("text/html")
    assert "Something went wrong" in body


@pytest.mark.parametrize("head", ["GET / HTTP/1.1", "POST /graphql HTTP/1.1"])
def test_it_is_whole_and_has_the_headers_of_every_answer(head: str) -> None:
    _start, headers, body = refuse(head)
    assert int(headers["Content-Length"]) == len(body.encode())
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Cookie" in headers["Vary"]
    assert headers["X-Request-ID"] is headers["Set-Cookie"] is None  # they would be those of another request


def test_to_head_there_is_no_body() -> None:
    _start, headers, body = refuse("HEAD / HTTP/1.1")
    assert not body
    assert int(headers["Content-Length"]) > 100


@pytest.mark.parametrize(
    "head",
    [
        "GET /?lang=cs HTTP/1.1",
        "GET / HTTP/1.1\r\nCookie: a=b; django_language=cs; c=d",
        "GET /?lang=xx HTTP/1.1\r\nCookie: django_language=cs",
    ],
)
def test_in_the_language_that_the_visitor_chose(head: str) -> None:
    _start, headers, body = refuse(head)
    assert headers["Content-Language"] == "cs"
    assert 'lang="cs"' in body


@pytest.mark.parametrize(
    "head", ["GET /?lang=xx HTTP/1.1", "GET /?xlang=cs HTTP/1.1", "GET /lang=cs HTTP/1.1"]
)
def test_else_in_english(head: str) -> None:
    assert refuse(head)[1]["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"GET /healthz HTTP/1.1", True),
        (b"HEAD /healthz HTTP/1.1", True),
        (b"GET /healthz?x HTTP/1.1", True),
        (b"GET /healthzz HTTP/1.1", False),
        (b"GET /readyz HTTP/1.1", False),
        (b"POST /healthz HTTP/1.1", False),
        (b"", False),
    ],
)
def test_who_asks_whether_the_process_is_alive_is_known(head: bytes, expected: bool) -> None:
    assert is_probe(head) is expected
