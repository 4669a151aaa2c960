"""What is answered, without reading on, when more is asked than the site can do."""

import json
from email import message_from_string
from email.message import Message
from uuid import UUID

import pytest
from pytest_django import Settings

from sailing import token_paths
from sailing.overload import is_whole, probed, refusal, request_id
from sailing.wsgi import application

ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"


def refuse(head: str) -> tuple[str, Message, str]:
    """The status line, headers and body of the answer to a request that begins like this."""
    answer = refusal(application.application, head.encode(), ID).decode()
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
    assert headers.get_all("X-Request-ID") == [ID]
    assert headers["Set-Cookie"] is None  # it would be another request's


def test_it_is_told_to_nobody_as_where_an_address_holds_a_token() -> None:
    _start, headers, _body = refuse("GET /account/reset/secret/ HTTP/1.1")
    assert {name: headers[name] for name in token_paths.HEADERS} == token_paths.HEADERS


def test_to_head_there_is_no_body() -> None:
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
def test_in_the_language_that_the_visitor_chose(head: str) -> None:
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
def test_else_in_english(head: str) -> None:
    assert refuse(head)[1]["Content-Language"] == "en"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("query", ["", "?x"])
def test_who_asks_how_the_process_is_is_known(method: str, path: str, query: str) -> None:
    assert probed(f"{method} {path}{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()) == path


@pytest.mark.parametrize(
    "head",
    [
        "GET /healthzz HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST /healthz HTTP/1.1\r\n\r\n",
        "",
        # What has to be waited for.
        "GET /healthz HTTP/1.1",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
        "GET /healthz HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n",
        "GET /healthz HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
        "GET /healthz HTTP/1.1\r\ncontent-length :5\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nExpect: 100-continue\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nUpgrade: h2c\r\n\r\n",
    ],
)
def test_nobody_else_is_taken_for_one(head: str) -> None:
    assert probed(head.encode()) == ""


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\n", False),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n", False),
        (b"", False),
    ],
)
def test_of_a_request_it_is_known_whether_more_is_to_come(head: bytes, expected: bool) -> None:
    assert is_whole(head) is expected


class TestRequestId:
    HEAD = f"GET / HTTP/1.1\r\nx-request-id: {ID}\r\n\r\n".encode()

    def test_it_is_a_new_one_each_time(self) -> None:
        found = {request_id(self.HEAD) for _time in range(20)}
        assert len(found) == 20
        assert {UUID(each).version for each in found} == {4}

    def test_behind_a_trusted_proxy_it_is_the_proxys(self, settings: Settings) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert request_id(self.HEAD) == ID

    @pytest.mark.parametrize("given", ["short", "jana@example.org", "x" * 65, f"{ID} {ID}"])
    def test_what_is_no_id_is_not_taken_over(self, settings: Settings, given: str) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        assert UUID(request_id(f"GET / HTTP/1.1\r\nX-Request-ID: {given}\r\n\r\n".encode()))
