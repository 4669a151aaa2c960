"""Error pages, of the site and of its worker: in our design and both languages, without what can fail."""

import json
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from pytest_django import Settings

from sailing.web.early_responses import EarlyResponses
from sailing.web.middleware import LINK_HEADERS, prevent_breaks

SENTENCE = '<a class="a b">I talk to a <b>sailor</b></a> by e-mail'


def refuse(path: str = "/", status: int = 503, method: str = "GET", **headers: str) -> tuple[Message, str]:
    """Return the headers and the body of an early response."""
    response, request_id = EarlyResponses().build(status, method, path, headers)
    start, _, rest = response.decode().partition("\r\n")
    assert start.startswith(f"HTTP/1.1 {status} ")
    head, _, body = rest.partition("\r\n\r\n")
    found = message_from_string(head)
    assert found.get_all("X-Request-ID") == [request_id]
    return found, body


@pytest.mark.parametrize(
    ("path", "status", "text"),
    [
        ("/", 400, "We didn’t understand this request"),
        ("/graphql", 413, "We didn’t understand this request"),
        ("/", 500, "Something went wrong"),
        ("/graphqlx", 503, "Something went wrong"),
        ("/graphql", 503, '"code": "UNAVAILABLE", "retryAfter": 5'),
    ],
)
def test_response_has_the_headers_of_the_strictest_path(path: str, status: int, text: str) -> None:
    headers, body = refuse(path, status)
    assert text in body
    assert int(headers["Content-Length"]) == len(body.encode())
    assert headers["Content-Type"].startswith("text/html" if text[0] != '"' else "application/json")
    assert {name: headers[name] for name in LINK_HEADERS} == LINK_HEADERS
    assert headers["Retry-After"] == ("5" if status == 503 else None)
    assert headers["Set-Cookie"] is None
    to_head, no_body = refuse(path, status, "HEAD")
    assert (to_head["Content-Length"], no_body) == (headers["Content-Length"], "")


@pytest.mark.parametrize(
    ("cookie", "language"),
    [("a=b; django_language=cs; c=d", "cs"), ("django_language=xx", "en"), ("django\x00=;;", "en")],
)
def test_response_has_the_chosen_language(cookie: str, language: str) -> None:
    headers, body = refuse(COOKIE=cookie)
    assert headers["Content-Language"] == language
    assert f'lang="{language}"' in body
    (error,) = json.loads(refuse("/graphql", COOKIE=cookie)[1])["errors"]
    assert ("Zkuste" in error["message"]) is (language == "cs")


@pytest.mark.parametrize(
    ("language", "html", "shown"),
    [
        ("en", SENTENCE, SENTENCE),
        ("cs", SENTENCE, '<a class="a b">I\u00a0talk to a\u00a0<b>sailor</b></a> by e-\u2060mail'),
        ("cs", "<p>Čl. 6 odst. 1 písm. b)", "<p>Čl.\u00a06\u00a0odst.\u00a01\u00a0písm.\u00a0b)"),
        ("cs", "<p>14 dní, jste-li</p>", "<p>14\u00a0dní, jste-\u2060li</p>"),
        *(("cs", html, html) for html in ("<b>e-mail.team@example.org", "<b>live-mail.cz", "<b>2345 ABCD")),
    ],
)
def test_czech_lines_end_with_no_short_word(language: str, html: str, shown: str) -> None:
    with translation.override(language):
        assert prevent_breaks(html) == shown


def test_500_page_needs_no_built_files(settings: Settings, tmp_path: Path) -> None:
    settings.BUNDLE_DIR = tmp_path / "never-built"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "sailing.web.pages.frontend.BundleStaticFilesStorage"},
    }
    assert "Something went wrong" in render_to_string("500.html")
