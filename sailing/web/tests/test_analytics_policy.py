"""Google Analytics and Sentry extend the Content-Security-Policy of React pages only."""

import json
import subprocess
import sys

import pytest

from tests.processes import ROOT, environment

PAGES = ["/", "/newsletter", "/nowhere"]
OTHERS = ["/graphql", "/admin/login/", "/newsletter/confirm/unknown/", "/healthz", "/static/gone.js"]
GOOGLE = "https://*.google-analytics.com https://*.analytics.google.com https://www.googletagmanager.com"

ASK = f"""
import json, tests.environment, os
os.environ.update(json.loads(os.environ["CHANGES"]))
os.environ["DJANGO_SETTINGS_MODULE"] = "sailing.settings"
import django; django.setup()
from django.db import connection
from django.test import Client
from newsletter.models import Subscription, SubscriptionLink
with connection.cursor() as cursor:
    cursor.execute("PRAGMA foreign_keys = OFF")
with connection.schema_editor() as editor:  # what a mail link reads; migrating takes as long as the rest
    editor.create_model(Subscription)
    editor.create_model(SubscriptionLink)
answers = {{path: Client().get(path) for path in {PAGES + OTHERS!r}}}
print(json.dumps({{
    path: [answer.headers["Content-Security-Policy"], b"data-measured" in answer.getvalue()]
    for path, answer in answers.items()
}}))
"""


def policies(**changes: str) -> dict[str, tuple[dict[str, str], bool]]:
    """Return each path's policy by directive, and whether its page has analytics.

    Settings are read at start-up, so other settings need a new process.
    """
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=environment(CHANGES=json.dumps(changes), DATABASE_URL="sqlite://:memory:"),
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        path: (dict(directive.partition(" ")[::2] for directive in policy.split("; ")), measured)
        for path, (policy, measured) in json.loads(asked.stdout.splitlines()[-1]).items()
    }


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[dict[str, str], bool]]:
    return policies(GA_MEASUREMENT_ID="G-TEST1234")


@pytest.fixture(scope="module")
def unmeasured() -> dict[str, tuple[dict[str, str], bool]]:
    return policies()


@pytest.mark.parametrize("path", PAGES)
def test_measurement_id_allows_google_on_react_pages(
    path: str, measured: dict[str, tuple[dict[str, str], bool]]
) -> None:
    policy, is_marked = measured[path]
    assert policy["script-src"] == "'self' https://www.googletagmanager.com"
    assert policy["connect-src"] == f"'self' {GOOGLE}"
    assert policy["img-src"] == f"'self' {GOOGLE}"
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in str(policy)
    assert is_marked


@pytest.mark.parametrize("path", PAGES)
def test_google_is_not_allowed_without_a_measurement_id(
    path: str, unmeasured: dict[str, tuple[dict[str, str], bool]]
) -> None:
    policy, is_marked = unmeasured[path]
    assert "google" not in str(policy)
    assert not is_marked


@pytest.mark.parametrize("path", OTHERS)
def test_other_pages_never_allow_google(
    path: str,
    measured: dict[str, tuple[dict[str, str], bool]],
    unmeasured: dict[str, tuple[dict[str, str], bool]],
) -> None:
    assert measured[path] == unmeasured[path]
    assert "google" not in str(measured[path])


def test_sentry_is_allowed_on_react_pages_only(
    unmeasured: dict[str, tuple[dict[str, str], bool]],
) -> None:
    reporting = policies(SENTRY_DSN="https://key@errors.example:9000/base/42")
    for path in PAGES:
        policy, _is_marked = reporting[path]
        assert policy == unmeasured[path][0] | {"connect-src": "'self' https://errors.example:9000"}
    for path in OTHERS:
        assert reporting[path] == unmeasured[path]
