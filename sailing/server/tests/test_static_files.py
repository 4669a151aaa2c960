"""Static files and HEAD requests."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings
from structlog.testing import capture_logs

from sailing.server.static_files import StaticFiles
from sailing.web.middleware import SECURITY_HEADERS
from sailing.wsgi import application
from tests.processes import ROOT

FILE = "app/main.0123456789abcdef.js"


@pytest.fixture
def built(settings: Settings, tmp_path: Path) -> None:
    """Create a static file with its compressed variants, as `collectstatic` does."""
    settings.STATIC_ROOT = tmp_path
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        path = tmp_path / f"{FILE}{ending}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def fetch(
    rf: RequestFactory,
    method: str = "GET",
    address: str = f"/static/{FILE}",
    headers: dict[str, str] | None = None,
    site: StaticFiles | None = None,
) -> tuple[str, dict[str, str], bytes]:
    """Return the status, the headers and the body of the WSGI application's response."""
    found: list[Any] = []
    site = site or StaticFiles(application.application)
    environ = rf.generic(method, address, headers=headers or {}).environ
    content = site(environ, lambda status, headers: found.extend((status, dict(headers))))
    status, answered = found
    body = b"".join(content)
    getattr(content, "close", lambda: None)()
    return status, answered, body


@pytest.mark.usefixtures("built")
class TestFiles:
    @pytest.mark.parametrize(
        ("accepted", "encoding", "content"),
        [("gzip, br", "br", b"short"), ("gzip", "gzip", b"longer"), ("", None, b"longest")],
    )
    def test_best_accepted_encoding_is_served_and_never_revalidated(
        self, rf: RequestFactory, accepted: str, encoding: str | None, content: bytes
    ) -> None:
        status, headers, body = fetch(rf, headers={"Accept-Encoding": accepted})
        assert (status, body) == ("200 OK", content)
        assert headers.get("Content-Encoding") == encoding
        assert headers["Vary"] == "Accept-Encoding"
        assert headers["Cache-Control"] == "max-age=31536000, public, immutable"

    @pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
    def test_file_has_the_security_headers(self, rf: RequestFactory, method: str) -> None:
        page = Client().get("/healthz")
        _, headers, _ = fetch(rf, method)
        for name in (*SECURITY_HEADERS, "Content-Security-Policy"):
            assert headers[name] == page.headers[name]

    @pytest.mark.parametrize(
        ("path", "policy"), [("media/og.0123456789ab.jpg", "cross-origin"), (FILE, "same-origin")]
    )
    def test_other_origins_may_show_media_only(self, rf: RequestFactory, path: str, policy: str) -> None:
        site = StaticFiles(application.application)
        site.add_file_to_dictionary(f"/static/{path}", str(ROOT / "manage.py"))
        _, headers, _ = fetch(rf, address=f"/static/{path}", site=site)
        assert headers["Cross-Origin-Resource-Policy"] == policy

    def test_304_has_the_security_headers(self, rf: RequestFactory) -> None:
        _, first, _ = fetch(rf)
        status, headers, body = fetch(rf, headers={"If-None-Match": first["ETag"]})
        assert (status, body) == ("304 Not Modified", b"")
        assert headers.items() >= SECURITY_HEADERS.items()

    def test_head_has_no_body(self, rf: RequestFactory) -> None:
        _, page, _ = fetch(rf)
        status, headers, body = fetch(rf, "HEAD")
        assert (status, body) == ("200 OK", b"")
        assert headers["Content-Length"] == page["Content-Length"]

    def test_request_is_logged_with_its_id(self, rf: RequestFactory) -> None:
        with capture_logs() as logs:
            _, headers, _ = fetch(rf)
        line = {"event": "request_finished", "log_level": "info", "code": 200}
        assert logs == [line | {"request": f"GET /static/{FILE}", "request_id": headers["X-Request-ID"]}]

    def test_range_is_served(self, rf: RequestFactory) -> None:
        status, headers, body = fetch(rf, headers={"Range": "bytes=0-1", "Accept-Encoding": "identity"})
        assert (status, body) == ("206 Partial Content", b"lo")
        assert headers["Content-Range"] == "bytes 0-1/7"
        assert headers.items() >= SECURITY_HEADERS.items()

    @pytest.mark.usefixtures("db")
    def test_deleted_file_is_not_found_and_its_404_not_cached(
        self, rf: RequestFactory, tmp_path: Path
    ) -> None:
        site = StaticFiles(application.application)
        for ending in ("", ".gz", ".br"):
            (tmp_path / f"{FILE}{ending}").unlink()
        status, headers, _ = fetch(rf, site=site)
        assert status == "404 Not Found"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Content-Type"] == "text/plain"

    def test_request_id_of_the_trusted_proxy_is_used(self, rf: RequestFactory, settings: Settings) -> None:
        given = "0123456789abcdefghij-proxy"
        settings.TRUSTED_PROXY_COUNT = 1
        assert fetch(rf, headers={"X-Request-ID": given})[1]["X-Request-ID"] == given


def test_web_manifest_and_icons_have_their_content_types(rf: RequestFactory, settings: Settings) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    page = Client().get("/").content.decode()
    links = dict(re.findall(r'<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"', page))
    status, headers, _ = fetch(rf, address=links["manifest"])
    assert (status, headers["Content-Type"]) == ("200 OK", "application/manifest+json")
    named = json.loads((ROOT / "static" / "site.webmanifest").read_text(encoding="utf-8"))["icons"]
    icons = {urljoin(links["manifest"], icon["src"]): icon["type"] for icon in named}
    assert len(icons) == 3
    icons |= {links["icon"]: "image/svg+xml", links["apple-touch-icon"]: "image/png"}
    for address, media_type in icons.items():
        status, headers, _ = fetch(rf, address=address)
        assert (status, headers["Content-Type"]) == ("200 OK", media_type), address
