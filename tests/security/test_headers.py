"""Headers of responses without a view (views: tests/test_every_url.py), and hostile headers of requests."""

import json
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.tests.factories import form
from sailing.wsgi import application
from tests.api import post_graphql
from tests.mailbox import mails
from tests.processes import manage
from tests.security.corpus import SUBSCRIBE, write_mutation
from tests.test_every_url import assert_secure

SCRIPT = """
import http.client, io, json, os
from pathlib import Path
from unittest import mock
from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.test import RequestFactory
from sailing.web.early_responses import EarlyResponses
settings.BUNDLE_DIR = settings.STATIC_ROOT = Path(os.environ["BUNDLE"])
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
    answers = found[scheme] = {path: get(path, scheme) for path in json.loads(os.environ["PATHS"])}
    answers["another host"] = get("/", scheme, "evil.example")
    answers["refused page"] = refuse("/newsletter", scheme)
    answers["refused API call"] = refuse("/graphql", scheme)
with mock.patch("django.contrib.sitemaps.Sitemap.get_urls", side_effect=RuntimeError("a failure")):
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
    given = {"BUNDLE": str(build), "PATHS": json.dumps(list(PATHS)), "DATABASE_URL": "sqlite://:memory:"}
    secure = {"SITE_URL": "https://testserver", "TRUSTED_PROXY_COUNT": "1"}
    found: dict[str, dict[str, Any]] = json.loads(manage("shell", "-v0", "-c", SCRIPT, **given, **secure))
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


FORMS = [("subscribeNewsletter", {"email": "a@example.org", "userType": "sailor"}), ("signUp", form())]
HOSTILE = {
    "SCRIPT_NAME": "/evil",  # what some servers make of a header of this name
    "HTTP_X_SCRIPT_NAME": "/evil",
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_X_FORWARDED_PREFIX": "/evil",
    "HTTP_X_FORWARDED_PORT": "666",
    "HTTP_FORWARDED": "host=evil.example",
    "HTTP_X_ORIGINAL_URL": "/evil",
    "HTTP_X_REWRITE_URL": "/evil",
    "HTTP_ORIGIN": "https://evil.example",
    "HTTP_REFERER": "https://evil.example/evil",
}
ADDRESS_HEADERS = ["X-Real-IP", "X-Client-IP", "Remote-Addr", "True-Client-IP", "CF-Connecting-IP", "Via"]


def call(environ: dict[str, Any]) -> tuple[int, dict[str, str], str]:
    """Return the status, the headers and the body of the WSGI application's response."""
    found: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], *_rest: Any) -> None:
        found.update(status=int(status.split()[0]), headers=dict(headers))

    body = b"".join(application({**environ, **HOSTILE}, start_response))
    return found["status"], found["headers"], body.decode()


@pytest.mark.django_db(transaction=True)  # the end of a request closes old connections
@pytest.mark.parametrize(("field", "values"), FORMS)
def test_links_in_mails_start_with_the_site_url(field: str, values: dict[str, str]) -> None:
    body = json.dumps({"query": write_mutation(field), "variables": {"input": values}}).encode()
    environ = RequestFactory().post("/graphql", body, content_type="application/json").environ
    status, _headers, text = call({**environ, "wsgi.input": BytesIO(body)})
    assert status == 200
    assert "errors" not in json.loads(text)
    (mail,) = mails()
    for part in (mail.text, mail.html):
        assert "evil" not in part
        assert f"{configured.SITE_URL}/" in part


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin", "/admin/"])
def test_redirect_has_no_prefix(path: str) -> None:
    status, headers, _text = call(RequestFactory().get(path).environ)
    assert status in (301, 302)
    assert headers["Location"].startswith("/admin/")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("parameter", ["charset=hex", "title*=bogus''%ff"])
def test_charset_of_a_request_is_ignored(method: str, parameter: str) -> None:
    body = b"email=%C3%A1"
    environ = RequestFactory().generic(method, "/newsletter/subscribe/?a=%C3%A1", body).environ
    content_type = f"application/x-www-form-urlencoded; {parameter}"
    environ |= {"wsgi.input": BytesIO(body), "CONTENT_TYPE": content_type}
    assert call(environ)[0] < 500


@pytest.mark.django_db
@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_forged_headers_do_not_evade_the_rate_limit(settings: Settings, proxies: int) -> None:
    """Each trusted proxy appends an address to what the client sends."""
    settings.SUBSCRIBE_RATE, settings.TRUSTED_PROXY_COUNT = "3/d", proxies
    statuses = []
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"):
        forged = {"Forwarded": f"for={address};host={address}", "X-Forwarded-Host": "localhost"}
        forged |= dict.fromkeys(ADDRESS_HEADERS, address)
        forged["X-Forwarded-For"] = ", ".join([address, "203.0.113.7", "198.51.100.8"][: proxies + 1])
        client = Client(REMOTE_ADDR="10.0.0.1", headers=forged)
        statuses.append(post_graphql(f"mutation {{ {SUBSCRIBE} }}", client=client).http.status_code)
    assert statuses == [200] * 3 + [429]
