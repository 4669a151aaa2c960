"""Google Analytics and Sentry widen the policy of the React pages where configured, and of nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["/", "/newsletter", "/nowhere"]
OTHERS = ["/graphql", "/admin/login/", "/newsletter/confirm/unknown/", "/healthz", "/static/gone.js"]
GOOGLE = "https://*.google-analytics.com https://*.analytics.google.com https://www.googletagmanager.com"

ASK = f"""
import json, tests.environment, os
os.environ.update(json.loads(os.environ["CHANGES"]))
os.environ["DJANGO_SETTINGS_MODULE"] = "sailing.settings"
import django; django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
answers = {{path: Client().get(path) for path in {PAGES + OTHERS!r}}}
print(json.dumps({{
    path: [answer.headers["Content-Security-Policy"], b"data-measured" in answer.getvalue()]
    for path, answer in answers.items()
}}))
"""


def policies(**changes: str) -> dict[str, tuple[dict[str, str], bool]]:
    """Each path's policy by directive, and whether the page says that it is measured.

    The policy is put together at the start, so a server with other settings is a process of its own.
    """
    environment = {**os.environ, "CHANGES": json.dumps(changes), "DATABASE_URL": "sqlite://:memory:"}
    asked = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
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
def test_a_page_of_a_site_with_a_measurement_id_may_load_and_report_to_google(
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
def test_a_page_of_a_site_without_one_may_reach_nobody_else(
    path: str, unmeasured: dict[str, tuple[dict[str, str], bool]]
) -> None:
    policy, is_marked = unmeasured[path]
    assert "google" not in str(policy)
    assert not is_marked


@pytest.mark.parametrize("path", OTHERS)
def test_what_is_no_react_page_keeps_the_narrow_policy(
    path: str,
    measured: dict[str, tuple[dict[str, str], bool]],
    unmeasured: dict[str, tuple[dict[str, str], bool]],
) -> None:
    assert measured[path] == unmeasured[path]
    assert "google" not in str(measured[path])


def test_where_errors_are_reported_the_react_pages_may_tell_sentry(
    unmeasured: dict[str, tuple[dict[str, str], bool]],
) -> None:
    reporting = policies(SENTRY_DSN="https://key@errors.example:9000/base/42")
    for path in PAGES:
        policy, _is_marked = reporting[path]
        assert policy == unmeasured[path][0] | {"connect-src": "'self' https://errors.example:9000"}
    for path in OTHERS:
        assert reporting[path] == unmeasured[path]
