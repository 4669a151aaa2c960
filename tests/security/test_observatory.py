"""Every kind of answer under https is worth at least 130 points to Mozilla's HTTP Observatory."""

from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.security.observatory import BASE, details, score
from tests.test_delivery import over_tls

BAR = 130
ASK = """
import json
answers = {{}}
settings.BUNDLE_DIR = settings.STATIC_ROOT = __import__('pathlib').Path({folder!r})
settings.STORAGES = {{**settings.STORAGES, 'staticfiles': {{
    'BACKEND': 'django.contrib.staticfiles.storage.StaticFilesStorage'}}}}
for path in {paths!r}:
    response = Client(raise_request_exception=False).get(path, secure=True)
    cookies = response.cookies.output(header='', sep='\\n')
    answers[path] = [dict(response.headers), cookies, Client().get(path).headers.get('Location', '')]
print(json.dumps(answers))
"""
PATHS = ["/", "/newsletter?lang=cs", "/signin", "/no-such-port", "/graphql", "/newsletter/confirm/x/"]


@pytest.fixture
def answers(settings: Settings, tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = over_tls(ASK.format(folder=str(tmp_path), paths=PATHS))
    return found


def test_every_answer_is_worth_the_bar(answers: dict[str, Any]) -> None:
    assert list(answers) == PATHS
    for path, (headers, set_cookies, redirect) in answers.items():
        cookies = SimpleCookie(set_cookies)
        assert score(headers, cookies, redirect) >= BAR, (path, details(headers, cookies, redirect))


def test_a_cookie_is_as_it_should_be(answers: dict[str, Any]) -> None:
    headers, set_cookies, redirect = answers["/newsletter?lang=cs"]
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
def test_a_worse_header_costs_points(answers: dict[str, Any], name: str, value: str, most: int) -> None:
    headers, _cookies, redirect = answers["/"]
    assert score(headers | {name: value}, {}, redirect) <= most


def test_bad_cookies_cost_points(answers: dict[str, Any]) -> None:
    headers, _cookies, redirect = answers["/"]
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
