"""Google Analytics and Sentry extend the Content-Security-Policy of React pages only."""

import json
import subprocess
import sys

import pytest
from django.test import Client

from tests.processes import ROOT, environment

PAGES = ["/", "/newsletter", "/nowhere"]
OTHERS = ["/graphql", "/admin/login/", "/newsletter/confirm/unknown/", "/healthz", "/static/gone.js"]
GOOGLE = "https://*.google-analytics.com https://*.analytics.google.com https://www.googletagmanager.com"
DIRECTIVES = ["script", "style", "img", "font", "media", "connect", "manifest"]
SELF = {f"{name}-src": "'self'" for name in DIRECTIVES} | {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SOURCES = {
    "script-src": "'self' https://www.googletagmanager.com",
    "img-src": f"'self' {GOOGLE}",
    "connect-src": f"'self' {GOOGLE} https://errors.example:9000",
}

ASK = f"""
import json, django
django.setup()
from django.test import Client
answers = {{path: Client().get(path) for path in {PAGES + OTHERS!r}}}
print(json.dumps({{
    path: [answer.headers["Content-Security-Policy"], b"data-measured" in answer.getvalue()]
    for path, answer in answers.items()
}}))
"""


def read_policy(text: str) -> dict[str, str]:
    return dict(directive.partition(" ")[::2] for directive in text.split("; "))


@pytest.mark.parametrize("path", PAGES)
def test_page_allows_nothing_that_the_settings_do_not_name(path: str) -> None:
    response = Client().get(path)
    assert read_policy(response.headers["Content-Security-Policy"]) == SELF
    assert b"data-measured" not in response.content


def test_react_pages_alone_allow_what_the_settings_name() -> None:
    """Settings are read at the start, so other settings need a new process."""
    changes = {
        "GA_MEASUREMENT_ID": "G-TEST1234",
        "SENTRY_DSN": "https://key@errors.example:9000/base/42",
    }
    asked = subprocess.check_output(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=environment(**changes, DATABASE_URL="sqlite://:memory:"),
        text=True,
    )
    for path, (text, is_measured) in json.loads(asked.splitlines()[-1]).items():
        assert read_policy(text) == (SELF | SOURCES if path in PAGES else SELF), path
        assert is_measured is (path in PAGES), path
