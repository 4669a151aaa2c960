"""Tokens in paths are never logged, cached or sent as referrer."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from sailing.mail.links import EmailToken
from sailing.redaction import LINK_PATHS, redact
from sailing.web.middleware import LINK_HEADERS

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
OTHERS = ("admin", "legal", "mails", "registration", "index.html")
TOKEN = "Zq7-secret_token"
PATH = f"/newsletter/confirm/{TOKEN}/"
SHAPES = [
    PATH,
    f"/account/reset/{TOKEN}",
    f"/account/email/{TOKEN}",
    f"/newsletter/manage/1.{TOKEN}/?lang=cs",
    f"/newsletter/confirm/%20%0A{TOKEN}",
    f"/newsletter//confirm//{TOKEN}/",
    f"/Newsletter/Confirm/{TOKEN}/",
    f"/en/newsletter/confirm/{TOKEN}/",
]

PLAIN_HTTP = {"X-Forwarded-Proto": "http"}

pytestmark = pytest.mark.django_db


def ask(path: str, method: str = "get", **headers: str) -> Any:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False, headers=headers)
    return client.generic(method.upper(), path)


def has_private_headers(response: Any) -> bool:
    return {name: response.headers.get(name) for name in LINK_HEADERS} == LINK_HEADERS


def paths_with_tokens(patterns: Any, prefix: str = "/") -> Iterator[str]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLResolver):
            yield from paths_with_tokens(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and "token" in pattern.pattern.regex.groupindex:
            yield path


def test_every_route_with_a_token_is_listed() -> None:
    found = list(paths_with_tokens(get_resolver().url_patterns))
    assert found
    assert [path for path in found if not path.startswith(LINK_PATHS)] == []


@pytest.mark.parametrize("path", SHAPES)
def test_token_is_redacted_in_any_shape_of_the_path(path: str) -> None:
    redacted = redact(f"GET {path}")
    assert redacted.startswith("GET /")
    assert TOKEN not in redacted


def test_response_before_the_views_has_the_headers_and_the_log_no_token(
    log: StringIO, settings: Settings
) -> None:
    refused = ask(PATH, Host="evil.example")
    settings.SECURE_SSL_REDIRECT = True
    moved = ask(PATH, **PLAIN_HTTP)
    assert (refused.status_code, moved.status_code) == (400, 301)
    assert has_private_headers(refused)
    assert has_private_headers(moved)
    assert log.getvalue().count("request_finished") == 2
    assert TOKEN not in log.getvalue()


def test_server_error_has_no_token_in_its_traceback_and_the_headers(
    log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: str, **_values: str) -> None:
        raise ValueError(PATH)

    monkeypatch.setattr(EmailToken, "find", fail)
    response = ask(PATH)
    assert response.status_code == 500
    assert has_private_headers(response)
    assert "request_failed" in log.getvalue()
    assert TOKEN not in log.getvalue()


def test_links_on_rendered_pages_send_no_referrer() -> None:
    """They lead to pages whose scripts may report the referrer."""
    pages = [path for path in TEMPLATES.rglob("*.html") if path.relative_to(TEMPLATES).parts[0] not in OTHERS]
    links = [link for page in pages for link in re.findall(r"<a\b[^>]*>", page.read_text(encoding="utf-8"))]
    assert len(links) > 10
    assert [link for link in links if 'referrerpolicy="no-referrer"' not in link] == []


@pytest.mark.parametrize("method", ["get", "post", "put", "options"])
def test_every_response_has_the_headers_and_its_log_line_no_token(method: str, log: StringIO) -> None:
    assert has_private_headers(ask(PATH, method))
    assert f"{method.upper()} /newsletter/confirm/…" in json.loads(log.getvalue())["request"]


def test_other_pages_keep_their_headers() -> None:
    response = ask("/newsletter")
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert "X-Robots-Tag" not in response.headers
