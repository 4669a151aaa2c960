"""Every kind of response over TLS scores at least 130 points in Mozilla's HTTP Observatory."""

from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest

from sailing.server.tests.test_static_files import over_tls
from tests.security.observatory import BASE, details, score

BAR = 130
SCRIPT = """
import http.client, io, json
from unittest import mock
from django.contrib.staticfiles.storage import StaticFilesStorage
from sailing.web.early_responses import build_response
from django.test import RequestFactory
from sailing.web.pages import sitemaps
settings.BUNDLE_DIR = settings.STATIC_ROOT = __import__('pathlib').Path({folder!r})
mock.patch('django.contrib.staticfiles.storage.staticfiles_storage', StaticFilesStorage()).start()
from sailing.wsgi import application

def get(path):
    response = Client(raise_request_exception=False).get(path, secure=True)
    plain = Client(headers={{'X-Forwarded-Proto': 'http'}}).get('/' if path in {everywhere!r} else path)
    cookies = response.cookies.output(header='', sep='\\n')
    return [response.status_code, dict(response.headers), cookies, plain.headers.get('Location', '')]

answers = {{path: get(path) for path in {paths!r}}}
with mock.patch.object(sitemaps.PublicPages, 'items', side_effect=RuntimeError('a failure')):
    answers['internal error'] = get('/sitemap.xml')
for name, path in {{'refused page': '/newsletter', 'refused API call': '/graphql'}}.items():
    environ = RequestFactory().get(path, headers={{'X-Forwarded-Proto': 'https'}}).environ
    with io.BytesIO(build_response(application.application, environ, 503)[0]) as refusal:
        status = int(refusal.readline().split()[1])
        answers[name] = [status, dict(http.client.parse_headers(refusal)), '', answers['/'][-1]]
print(json.dumps(answers))
"""
STATUSES = {
    "/": 200,
    "/newsletter?lang=cs": 200,
    "/signin": 200,
    "/no-such-port": 404,
    "/graphql": 405,
    "/newsletter/confirm/x/": 503,  # the database has no tables
    "/admin/login/": 200,
    "/healthz": 200,
    "internal error": 500,
    "refused page": 503,
    "refused API call": 503,
}
PATHS = [path for path in STATUSES if path.startswith("/")]
EVERYWHERE = ["/healthz"]
"""Paths that answer over plain HTTP too. The Observatory checks the redirect of the front page."""


@pytest.fixture(scope="module")
def answers(build: Path) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", "sqlite://:memory:")
        found: dict[str, Any] = over_tls(SCRIPT.format(folder=str(build), paths=PATHS, everywhere=EVERYWHERE))
    return found


def test_every_response_reaches_the_score(answers: dict[str, Any]) -> None:
    assert {path: answer[0] for path, answer in answers.items()} == STATUSES
    for path, (_status, headers, set_cookies, redirect) in answers.items():
        cookies = SimpleCookie(set_cookies)
        assert score(headers, cookies, redirect) >= BAR, (path, details(headers, cookies, redirect))


def test_cookies_get_the_bonus(answers: dict[str, Any]) -> None:
    _status, headers, set_cookies, redirect = answers["/newsletter?lang=cs"]
    assert set_cookies
    assert details(headers, SimpleCookie(set_cookies), redirect)["cookies"] == 5


@pytest.mark.parametrize(
    ("name", "value", "most"),
    [
        ("Content-Security-Policy", "", 75),
        ("Content-Security-Policy", "default-src 'self' 'unsafe-inline'", 80),
        ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'", 125),
        ("Strict-Transport-Security", "", 80),
        ("Strict-Transport-Security", "max-age=3600", BASE - 10 + 30),
        ("Referrer-Policy", "unsafe-url", BASE - 5 + 25),
        ("X-Content-Type-Options", "", BASE - 5 + 30),
        ("Cross-Origin-Resource-Policy", "cross-origin", 120),
    ],
)
def test_worse_header_lowers_the_score(answers: dict[str, Any], name: str, value: str, most: int) -> None:
    _status, headers, _cookies, redirect = answers["/"]
    assert score(headers | {name: value}, {}, redirect) <= most


def test_insecure_cookies_lower_the_score(answers: dict[str, Any]) -> None:
    _status, headers, _cookies, redirect = answers["/"]
    for bad in ("sessionid=x; Secure", "sessionid=x; HttpOnly", "csrftoken=x; Secure; HttpOnly"):
        assert score(headers, SimpleCookie(bad), redirect) < BAR
    assert score(headers, {}, "") == 80
    assert (
        score(
            headers | {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": "true"},
            {},
            redirect,
        )
        == 50
    )
