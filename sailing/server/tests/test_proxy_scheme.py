"""What a proxy says about the scheme of a request to an https site."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from structlog.testing import capture_logs

Ask = Callable[..., Any]

FORGED = {
    "Forwarded": "proto=https",
    "Front-End-Https": "on",
    "X-Forwarded-For": "192.0.2.1",
    "X-Forwarded-Ssl": "on",
    "X-Url-Scheme": "https",
}


@pytest.fixture
def ask(settings: Settings) -> Ask:
    """Return a function that sends a request as a proxy does, with these headers."""
    settings.SECURE_SSL_REDIRECT = True
    settings.TRUSTED_PROXY_COUNT = 1
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    client = Client()  # one instance of the middleware
    return lambda headers, path="/newsletter": client.get(path, headers=headers)


@pytest.mark.parametrize(
    "headers",
    [FORGED, {"X-Forwarded-Proto": ""}, {"X-Forwarded-Proto": "HTTPS"}],
)
def test_proxy_that_does_not_say_the_scheme_is_explained_instead_of_a_redirect(
    ask: Ask, headers: dict[str, str]
) -> None:
    with capture_logs() as logs:
        english, czech = (ask(headers, f"/newsletter?lang={language}") for language in ("en", "cs"))
    assert (english.status_code, czech.status_code) == (400, 400)
    assert "the proxy must set the header X-Forwarded-Proto" in english.content.decode()
    assert "proxy musí nastavovat hlavičku X-Forwarded-Proto" in czech.content.decode()
    assert english.headers["Cache-Control"] == "no-store"
    assert [line["event"] for line in logs].count("proxy_scheme_missing") == 1


@pytest.mark.parametrize("scheme", ["http", "http, https"])
@pytest.mark.parametrize("path", ["/newsletter", "/graphql"])
def test_no_header_of_a_client_switches_the_redirect_off(ask: Ask, path: str, scheme: str) -> None:
    response = ask(FORGED | {"X-Forwarded-Proto": scheme}, path)
    assert (response.status_code, response.headers["Location"]) == (301, f"https://testserver{path}")


def test_probes_need_no_scheme(ask: Ask) -> None:
    assert ask({}, "/healthz").status_code == 200
