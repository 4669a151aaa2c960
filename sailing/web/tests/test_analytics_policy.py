"""Google Analytics and Sentry extend the Content-Security-Policy of React pages only."""

import json
import subprocess
import sys
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("changes", "sources"),
    [
        ({}, {}),
        (
            {"GA_MEASUREMENT_ID": "G-TEST1234"},
            {
                "script-src": "'self' https://www.googletagmanager.com",
                "img-src": f"'self' {GOOGLE}",
                "connect-src": f"'self' {GOOGLE}",
            },
        ),
        (
            {"SENTRY_DSN": "https://key@errors.example:9000/base/42"},
            {"connect-src": "'self' https://errors.example:9000"},
        ),
    ],
    ids=["neither", "Google Analytics", "Sentry"],
)
def test_react_pages_alone_allow_what_the_settings_name(
    changes: dict[str, str], sources: dict[str, str]
) -> None:
    """Settings are read at the start, so other settings need a new process."""
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=environment(**changes, DATABASE_URL="sqlite://:memory:"),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: dict[str, Any] = json.loads(asked.stdout.splitlines()[-1])
    for path, (text, is_measured) in answers.items():
        policy = dict(directive.partition(" ")[::2] for directive in text.split("; "))
        assert policy == (SELF | sources if path in PAGES else SELF), path
        assert is_measured is (path in PAGES and "GA_MEASUREMENT_ID" in changes), path
