"""Static files, which WhiteNoise's middleware serves."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from pytest_django import Settings

from tests.processes import ROOT

pytestmark = pytest.mark.django_db  # the end of a response closes old connections

FILE = "app/main.0123456789abcdef.js"


@pytest.fixture
def built(settings: Settings, tmp_path: Path) -> None:
    """Create a static file with its compressed variants, as `collectstatic` does."""
    settings.STATIC_ROOT = tmp_path
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        path = tmp_path / f"{FILE}{ending}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def fetch(path: str, method: str = "GET", **headers: str) -> tuple[Any, bytes]:
    """Return a response and its content."""
    response = Client().generic(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    content = response.getvalue()
    response.close()
    return response, content


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [("gzip, br", "br", b"short"), ("gzip", "gzip", b"longer"), ("", None, b"longest")],
)
def test_best_accepted_encoding_is_served_and_never_revalidated(
    accepted: str, encoding: str | None, content: bytes
) -> None:
    response, found = fetch(f"/static/{FILE}", accept_encoding=accepted)
    assert (response.status_code, found) == (200, content)
    assert response.headers.get("Content-Encoding") == encoding
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Cache-Control"] == "max-age=315360000, public, immutable"


@pytest.mark.usefixtures("built")
def test_every_kind_of_response_has_the_security_headers() -> None:
    page, first = Client().get("/healthz"), fetch(f"/static/{FILE}")[0]
    conditional, _nothing = fetch(f"/static/{FILE}", if_none_match=first.headers["ETag"])
    part, content = fetch(f"/static/{FILE}", range="bytes=0-1")
    others = [fetch(f"/static/{FILE}", method)[0] for method in ("HEAD", "POST")]
    responses = [first, conditional, part, *others]
    assert [each.status_code for each in responses] == [200, 304, 206, 200, 405]
    assert content == b"lo"
    own = {"Content-Type", "Content-Length", "Cache-Control", "X-Request-ID"}
    for response in responses:
        assert response.headers["X-Request-ID"]
        for name in page.headers.keys() - own:
            assert response.headers[name] == page.headers[name], (response.status_code, name)


def test_other_origins_may_show_media_only(settings: Settings) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    for path, policy in (("media/favicon.svg", "cross-origin"), ("site.webmanifest", "same-origin")):
        response, _content = fetch(f"/static/{path}")
        assert (response.status_code, response.headers["Cross-Origin-Resource-Policy"]) == (200, policy)


def test_missing_file_is_not_found_and_its_404_not_cached() -> None:
    response = Client().get(f"/static/{FILE}")
    assert (response.status_code, response.headers["Cache-Control"]) == (404, "no-store")
    assert response.headers["Content-Type"] == "text/plain"


def test_web_manifest_and_icons_have_their_content_types(settings: Settings) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    page = Client().get("/").content.decode()
    links = dict(re.findall(r'<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"', page))
    response, _content = fetch(links["manifest"])
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/manifest+json")
    named = json.loads((ROOT / "static" / "site.webmanifest").read_text(encoding="utf-8"))["icons"]
    icons = {urljoin(links["manifest"], icon["src"]): icon["type"] for icon in named}
    assert len(icons) == 3
    icons |= {links["icon"]: "image/svg+xml", links["apple-touch-icon"]: "image/png"}
    for address, media_type in icons.items():
        response, _content = fetch(address)
        assert (response.status_code, response.headers["Content-Type"]) == (200, media_type), address
