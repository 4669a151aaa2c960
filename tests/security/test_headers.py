"""The headers of what an https site answers without a view, its cookies, and its answers to plain HTTP.

tests/test_every_url.py has the headers of every view.
"""

import json
import subprocess
import sys
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ROOT, environment
from tests.test_every_url import assert_secure

SCRIPT = """
import django, http.client, io, json, sys
django.setup()
from pathlib import Path
from unittest import mock
from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.test import RequestFactory
from sailing.web.early_responses import EarlyResponses
from sailing.web.pages import views
settings.BUNDLE_DIR = settings.STATIC_ROOT = Path(sys.argv[1])
mock.patch("django.contrib.staticfiles.storage.staticfiles_storage", StaticFilesStorage()).start()
from sailing.wsgi import application

def get(path, scheme, host="testserver"):
    environ = RequestFactory().get(path, headers={"X-Forwarded-Proto": scheme, "Host": host}).environ
    answers = []
    list(application(environ, lambda status, headers, *_error: answers.append([int(status[:3]), headers])))
    return answers[0]

def refuse(path, scheme):
    refusal = io.BytesIO(EarlyResponses().build(503, "GET", path, {"X-FORWARDED-PROTO": scheme})[0])
    return [int(refusal.readline().split()[1]), list(http.client.parse_headers(refusal).items())]

found = {}
for scheme in ("https", "http"):
    answers = found[scheme] = {path: get(path, scheme) for path in json.loads(sys.argv[2])}
    answers["another host"] = get("/", scheme, "evil.example")
    answers["refused page"] = refuse("/newsletter", scheme)
    answers["refused API call"] = refuse("/graphql", scheme)
with mock.patch.object(views.PublicPages, "items", side_effect=RuntimeError("a failure")):
    found["https"]["internal error"] = get("/sitemap.xml", "https")
print(json.dumps(found))
"""
PATHS = {
    "/newsletter?lang=cs": 200,
    "/no-such-port": 404,
    "/newsletter/confirm/x/": 503,  # the database has no tables
    "/admin/login/": 200,
    "/healthz": 200,
    "/static/manifest.json": 200,
    "/static/none.js": 404,
}
ALWAYS = {"/healthz": 200, "refused page": 503, "refused API call": 503}
"""What answers in the same way over plain HTTP."""


@pytest.fixture(scope="module")
def answers(build: Path) -> dict[str, dict[str, Any]]:
    """Return status and headers by scheme and path."""
    completed = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(build), json.dumps(list(PATHS))],
        cwd=ROOT,
        env=environment(
            SITE_URL="https://testserver", TRUSTED_PROXY_COUNT="1", DATABASE_URL="sqlite://:memory:"
        ),
        capture_output=True,
        check=True,
    )
    found: dict[str, dict[str, Any]] = json.loads(completed.stdout)
    return found


def test_every_response_has_the_security_headers(answers: dict[str, Any]) -> None:
    found = answers["https"]
    assert {path: status for path, (status, _headers) in found.items()} == PATHS | ALWAYS | {
        "another host": 400,
        "internal error": 500,
    }
    for path, (_status, pairs) in found.items():
        headers = dict(pairs)
        assert_secure(headers)
        assert headers["Strict-Transport-Security"] == "max-age=63072000", path


def test_cookies_are_secure_and_only_the_language_is_readable_by_scripts(answers: dict[str, Any]) -> None:
    cookies = SimpleCookie()
    for path in ("/newsletter?lang=cs", "/admin/login/"):
        for name, value in answers["https"][path][1]:
            if name == "Set-Cookie":
                cookies.load(value)
    found = {
        name: (cookie["secure"], cookie["httponly"], cookie["samesite"]) for name, cookie in cookies.items()
    }
    assert found == {"django_language": (True, "", "Lax"), "csrftoken": (True, True, "Lax")}


def test_plain_http_is_redirected_without_hsts(answers: dict[str, Any]) -> None:
    for path, (status, pairs) in answers["http"].items():
        headers = dict(pairs)
        assert "Strict-Transport-Security" not in headers, path
        if path in ALWAYS:
            assert status == ALWAYS[path], path
        else:
            target = "/" if path == "another host" else path
            assert (status, headers["Location"]) == (301, f"https://testserver{target}"), path
