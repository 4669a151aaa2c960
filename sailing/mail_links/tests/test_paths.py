"""Tokens in paths are never logged, cached or sent as referrer."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from sailing.mail_links import paths
from sailing.mail_links.tokens import EmailToken

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
OTHERS = ("admin", "mails", "registration", "index.html")
TOKEN = "Zq7-secret_token"
SHAPES = [
    f"/newsletter/confirm/{TOKEN}/",
    f"/newsletter/confirm/{TOKEN}",
    f"/newsletter/unsubscribe/{TOKEN}/?lang=cs",
    f"/account/verify/{TOKEN}/",
    f"/account/reset/{TOKEN}",
    f"/account/email/{TOKEN}/",
    f"/account/email/undo/{TOKEN}",
    f"/newsletter/unsubscribe/d/1.{TOKEN}/",
    f"/newsletter/preferences/1.{TOKEN}/?lang=cs",
    f"/newsletter/preferences/s/{TOKEN}/",
    f"/newsletter/unsubscribe/x/{TOKEN}",
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
    return {name: response.headers.get(name) for name in paths.HEADERS} == paths.HEADERS


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
    assert [path for path in found if not paths.has_token(path)] == []


@pytest.mark.parametrize("path", SHAPES)
def test_log_has_no_token_for_any_shape_of_the_path(path: str, log: StringIO) -> None:
    ask(path)
    assert "request_finished" in log.getvalue()
    assert "GET /" in log.getvalue()
    assert TOKEN not in log.getvalue()


def test_log_has_no_token_of_a_request_refused_before_the_views(log: StringIO, settings: Settings) -> None:
    assert ask(SHAPES[0], Host="evil.example").status_code == 400
    settings.SECURE_SSL_REDIRECT = True
    assert ask(SHAPES[0], **PLAIN_HTTP).status_code == 301
    assert log.getvalue().count("request_finished") == 2
    assert TOKEN not in log.getvalue()


def test_server_error_has_no_token_in_its_traceback_and_the_headers(
    log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: str, **_values: str) -> None:
        raise ValueError(SHAPES[0])

    monkeypatch.setattr(EmailToken, "find", fail)
    response = ask(SHAPES[0])
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


class TestHeaders:
    @pytest.mark.parametrize("method", ["get", "post", "put", "options"])
    @pytest.mark.parametrize("path", SHAPES[:10])
    def test_headers_are_set_on_every_response(self, path: str, method: str) -> None:
        assert has_private_headers(ask(path, method))

    def test_headers_are_set_on_a_response_before_the_views(self, settings: Settings) -> None:
        assert has_private_headers(ask(SHAPES[0], Host="evil.example"))
        settings.SECURE_SSL_REDIRECT = True
        assert has_private_headers(ask(SHAPES[0]))
        assert has_private_headers(ask(SHAPES[0], **PLAIN_HTTP))

    def test_other_pages_keep_their_headers(self) -> None:
        response = ask("/newsletter")
        assert response.headers["Cache-Control"] == "no-cache"
        assert response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
        assert "X-Robots-Tag" not in response.headers
