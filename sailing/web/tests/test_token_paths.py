"""Tokens in paths are never logged, cached or sent as referrer."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from sailing.mail.links import EmailToken
from sailing.redaction import LINK_PATHS, redact
from sailing.web.middleware import LINK_HEADERS

OTHERS = ("admin", "legal", "mails", "registration", "index.html")
TOKEN = "Zq7-secret_token"
PATH = f"/newsletter/confirm/{TOKEN}/"

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


@pytest.mark.parametrize("path", LINK_PATHS)
def test_token_is_redacted_in_any_shape_of_the_path(path: str) -> None:
    for shape in (path, path.replace("/", "//"), path.title(), f"/en{path}", f"{path}%20%0A"):
        assert TOKEN not in redact(f"GET {shape}{TOKEN}/?lang=cs"), shape


def test_every_response_has_the_headers_and_its_log_line_no_token(
    log: StringIO, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [ask(PATH, method) for method in ("get", "post", "put", "options")]
    answers.append(ask(PATH, Host="evil.example"))
    with monkeypatch.context() as patch:
        patch.setattr(EmailToken, "find", lambda *_args, **_values: int(PATH))  # the message has the path
        answers.append(ask(PATH))
    settings.SECURE_SSL_REDIRECT = True
    answers.append(ask(PATH, **{"X-Forwarded-Proto": "http"}))
    assert [answer.status_code for answer in answers] == [404, 404, 405, 200, 400, 500, 301]
    assert all(map(has_private_headers, answers))
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert sum("/newsletter/confirm/…" in line.get("request", "") for line in lines) == len(answers)
    assert TOKEN not in log.getvalue()


def test_links_on_rendered_pages_send_no_referrer() -> None:
    """They lead to pages whose scripts may report the referrer."""
    templates = configured.BASE_DIR / "templates"
    pages = [path for path in templates.rglob("*.html") if path.relative_to(templates).parts[0] not in OTHERS]
    links = [link for page in pages for link in re.findall(r"<a\b[^>]*>", page.read_text(encoding="utf-8"))]
    assert len(links) > 10
    assert [link for link in links if 'referrerpolicy="no-referrer"' not in link] == []
