"""How answers travel: over TLS, compressed, and kept by browsers for as long as they hold."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from sailing.middleware import SECURITY_HEADERS
from sailing.server.static_files import StaticFiles
from sailing.wsgi import application

ROOT = Path(__file__).resolve().parents[2]
FILE = "app/main.0123456789abcdef.js"


def over_tls(code: str) -> Any:
    """What a site under https prints; its settings are read once a process, so it is one of its own."""
    environment = {**os.environ, "SITE_URL": "https://testserver", "TRUSTED_PROXY_COUNT": "1"}
    setup = (
        "import json, django; django.setup(); "
        "from django.conf import settings; from django.test import Client; "
    )
    environment["DJANGO_SETTINGS_MODULE"] = "sailing.settings"
    ended = subprocess.run(
        [sys.executable, "-c", setup + code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(ended.stdout)


def test_under_https_browsers_stay_there_for_two_years() -> None:
    headers = over_tls("print(json.dumps(dict(Client().get('/healthz', secure=True).headers)))")
    assert headers["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains"


HSTS_OF_EVERY_ANSWER = """
from unittest import mock
from django.contrib.staticfiles.storage import StaticFilesStorage
from sailing.server.early_responses import build_response
settings.BUNDLE_DIR = settings.STATIC_ROOT = __import__('pathlib').Path({folder!r})
mock.patch('django.contrib.staticfiles.storage.staticfiles_storage', StaticFilesStorage()).start()
from sailing.wsgi import application
from django.test import RequestFactory

application.add_file_to_dictionary('/static/x', 'manage.py')

def served(path, scheme, host='testserver'):
    environ = RequestFactory().get(path, headers={{'X-Forwarded-Proto': scheme, 'Host': host}}).environ
    found = {{}}
    list(application(environ, lambda status, headers: found.update(dict(headers), status=status[:3])))
    return [found['status'], 'Strict-Transport-Security' in found]

def refused(line, scheme):
    head = f'{{line}} HTTP/1.1\\r\\nHost: testserver\\r\\nx-forwarded-proto: {{scheme}}\\r\\n\\r\\n'.encode()
    answer = build_response(application.application, head, 503, 'an-id').decode()
    return [answer[9:12], 'Strict-Transport-Security: ' in answer]

found = {{}}
for scheme in ('https', 'http'):
    paths = ('/newsletter', '/healthz', '/static/x', '/static/none')
    found[scheme] = {{path: served(path, scheme) for path in paths}}
    found[scheme]['another host'] = served('/', scheme, 'evil.example')
    found[scheme]['refused page'] = refused('GET /', scheme)
    found[scheme]['refused call'] = refused('POST /graphql', scheme)
print(json.dumps(found))
"""


def test_hsts_is_on_every_answer_over_tls_and_on_none_over_plain_http(build: Path) -> None:
    found = over_tls(HSTS_OF_EVERY_ANSWER.format(folder=str(build)))
    assert found["https"] == {
        "/newsletter": ["200", True],
        "/healthz": ["200", True],
        "/static/x": ["200", True],
        "/static/none": ["404", True],
        "another host": ["400", True],
        "refused page": ["503", True],
        "refused call": ["503", True],
    }
    assert found["http"] == {
        "/newsletter": ["301", False],
        "/healthz": ["200", False],
        "/static/x": ["301", False],
        "/static/none": ["301", False],
        "another host": ["400", False],
        "refused page": ["503", False],
        "refused call": ["503", False],
    }


def test_plain_http_is_sent_to_https() -> None:
    answer = over_tls("r = Client().get('/newsletter'); print(json.dumps([r.status_code, r['Location']]))")
    assert answer == [301, "https://testserver/newsletter"]


def test_what_the_proxy_says_about_tls_counts() -> None:
    code = "print(Client().get('/robots-no-redirect', headers={'X-Forwarded-Proto': 'http'}).status_code)"
    assert over_tls(code) == 301


def test_cookies_are_for_tls_and_scripts_see_only_the_language() -> None:
    names = ("SESSION_COOKIE", "CSRF_COOKIE", "LANGUAGE_COOKIE")
    flags = over_tls(
        f"print(json.dumps([[getattr(settings, n + '_SECURE'), getattr(settings, n + '_HTTPONLY'), "
        f"getattr(settings, n + '_SAMESITE')] for n in {names}]))"
    )
    assert flags[:2] == [[True, True, "Lax"]] * 2
    chosen = over_tls(
        "r = Client().get('/static/x?lang=cs', secure=True); "
        "m = r.cookies['django_language']; print(json.dumps([m['secure'], m['httponly'], m['samesite']]))"
    )
    assert chosen == [True, "", "Lax"]


@pytest.fixture
def built(settings: Settings, tmp_path: Path) -> None:
    """A file as `collectstatic` leaves it in the folder of static files."""
    settings.STATIC_ROOT = tmp_path
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        path = tmp_path / f"{FILE}{ending}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def fetched(
    rf: RequestFactory, method: str = "GET", address: str = f"/static/{FILE}", **headers: str
) -> tuple[str, dict[str, str], bytes]:
    """What the site's outermost layer answers: status, headers, content."""
    found: list[Any] = []
    site = StaticFiles(application.application)
    environ = rf.generic(method, address, headers=headers).environ
    content = site(environ, lambda status, headers: found.extend((status, dict(headers))))
    status, answered = found
    body = b"".join(content)
    getattr(content, "close", lambda: None)()
    return status, answered, body


@pytest.mark.usefixtures("built")
class TestFiles:
    def test_a_hashed_file_is_kept_for_ever(self, rf: RequestFactory) -> None:
        status, headers, body = fetched(rf)
        assert (status, body) == ("200 OK", b"longest")
        assert headers["Cache-Control"] == "max-age=31536000, public, immutable"

    @pytest.mark.parametrize(
        ("accepted", "encoding", "content"),
        [("gzip, br", "br", b"short"), ("gzip", "gzip", b"longer"), ("", None, b"longest")],
    )
    def test_it_comes_in_the_best_encoding_that_is_taken(
        self, rf: RequestFactory, accepted: str, encoding: str | None, content: bytes
    ) -> None:
        _, headers, body = fetched(rf, **{"Accept-Encoding": accepted})
        assert headers.get("Content-Encoding") == encoding
        assert headers["Vary"] == "Accept-Encoding"
        assert body == content

    @pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
    def test_it_has_the_headers_of_a_page(self, rf: RequestFactory, method: str) -> None:
        page = Client().get("/healthz")
        _, headers, _ = fetched(rf, method)
        for name in (*SECURITY_HEADERS, "Content-Security-Policy"):
            assert headers[name] == page.headers[name]

    def test_they_come_with_one_that_has_not_changed_too(self, rf: RequestFactory) -> None:
        _, first, _ = fetched(rf)
        status, headers, body = fetched(rf, **{"If-None-Match": first["ETag"]})
        assert (status, body) == ("304 Not Modified", b"")
        assert headers.items() >= SECURITY_HEADERS.items()

    def test_head_has_no_body(self, rf: RequestFactory) -> None:
        _, page, _ = fetched(rf)
        status, headers, body = fetched(rf, "HEAD")
        assert (status, body) == ("200 OK", b"")
        assert headers["Content-Length"] == page["Content-Length"]

    def test_each_is_logged_with_its_request_id(
        self, rf: RequestFactory, capsys: pytest.CaptureFixture[str]
    ) -> None:
        _, headers, _ = fetched(rf)
        line = json.loads(capsys.readouterr().err)
        assert line.pop("timestamp").endswith("Z")
        assert line == {
            "event": "request_finished",
            "level": "info",
            "logger": "sailing.server.static_files",
            "code": 200,
            "request": f"GET /static/{FILE}",
            "request_id": headers["X-Request-ID"],
        }

    def test_a_part_of_it_is_answered_as_such(self, rf: RequestFactory) -> None:
        status, headers, body = fetched(rf, Range="bytes=0-1", **{"Accept-Encoding": "identity"})
        assert (status, body) == ("206 Partial Content", b"lo")
        assert headers["Content-Range"] == "bytes 0-1/7"
        assert headers.items() >= SECURITY_HEADERS.items()

    def test_it_is_served_when_the_log_cannot_be_written(
        self, rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Closed(io.StringIO):
            def write(self, _line: str) -> int:
                raise BrokenPipeError

        monkeypatch.setattr("sys.stderr", Closed())
        status, _, body = fetched(rf)
        assert (status, body) == ("200 OK", b"longest")

    @pytest.mark.usefixtures("db")
    def test_one_that_cannot_be_opened_any_more_is_not_found(
        self, rf: RequestFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        site = StaticFiles(application.application)
        for ending in ("", ".gz", ".br"):
            (tmp_path / f"{FILE}{ending}").unlink()
        monkeypatch.setattr("tests.server.test_static_files.StaticFiles", lambda _application: site)
        status, _, _ = fetched(rf)
        assert status == "404 Not Found"

    def test_it_goes_by_the_trusted_proxys_id(self, rf: RequestFactory, settings: Settings) -> None:
        given = "0123456789abcdefghij-proxy"
        settings.TRUSTED_PROXY_COUNT = 1
        assert fetched(rf, **{"X-Request-ID": given})[1]["X-Request-ID"] == given
        assert fetched(rf, **{"X-Request-ID": "short"})[1]["X-Request-ID"] != "short"
        settings.TRUSTED_PROXY_COUNT = 0
        assert fetched(rf, **{"X-Request-ID": given})[1]["X-Request-ID"] != given

    @pytest.mark.usefixtures("db")
    def test_missing_file_is_a_404_that_no_cache_keeps(self, rf: RequestFactory, tmp_path: Path) -> None:
        (tmp_path / FILE).unlink()
        status, headers, _ = fetched(rf)
        assert status == "404 Not Found"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Content-Type"] == "text/plain"

    @pytest.mark.usefixtures("db")
    @pytest.mark.parametrize("autorefresh", [False, True])
    def test_manifest_of_all_files_is_not_served(
        self, rf: RequestFactory, settings: Settings, tmp_path: Path, autorefresh: bool
    ) -> None:
        (tmp_path / "staticfiles.json").write_text("{}", encoding="utf-8")
        settings.WHITENOISE_AUTOREFRESH = autorefresh
        assert fetched(rf)[0] == "200 OK"
        assert fetched(rf, address="/static/staticfiles.json")[0] == "404 Not Found"


def test_a_file_too_is_sent_to_https_first() -> None:
    ask = (
        "from django.test import RequestFactory; from sailing.server.static_files import StaticFiles; "
        "found = []; "
        "site = StaticFiles(lambda environ, start: found.append('Django') or []); "
        "site.add_file_to_dictionary('/static/x', 'manage.py'); "
        "ask = lambda scheme: site("
        "RequestFactory().get('/static/x', headers={'X-Forwarded-Proto': scheme}).environ, "
        "lambda status, headers: found.append(status)); "
        "ask('http'); ask('https'); print(json.dumps(found))"
    )
    assert over_tls(ask) == ["Django", "200 OK"]


def test_the_web_manifest_and_every_icon_come_as_what_they_are(
    rf: RequestFactory, settings: Settings
) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    page = Client().get("/").content.decode()
    links = dict(re.findall(r'<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"', page))
    status, headers, _ = fetched(rf, address=links["manifest"])
    assert (status, headers["Content-Type"]) == ("200 OK", "application/manifest+json")
    named = json.loads((ROOT / "static" / "site.webmanifest").read_text(encoding="utf-8"))["icons"]
    icons = {urljoin(links["manifest"], icon["src"]): icon["type"] for icon in named}
    assert len(icons) == 3
    icons |= {links["icon"]: "image/svg+xml", links["apple-touch-icon"]: "image/png"}
    for address, media_type in icons.items():
        status, headers, _ = fetched(rf, address=address)
        assert (status, headers["Content-Type"]) == ("200 OK", media_type), address


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/no-such-port", 404), ("/healthz", 200), ("/robots.txt", 200)]
)
def test_head_has_the_headers_of_get_and_no_body(rf: RequestFactory, path: str, status: int) -> None:
    """Past the test client, which drops the body itself."""
    page = application.application.get_response(rf.get(path))
    head = application.application.get_response(rf.head(path))
    assert isinstance(page, HttpResponse)
    assert isinstance(head, HttpResponse)
    assert head.status_code == page.status_code == status
    assert head.content == b""
    assert head.headers["Content-Length"] == str(len(page.content))
    assert head.headers["Content-Type"] == page.headers["Content-Type"]
