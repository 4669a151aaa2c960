"""Static files, which WhiteNoise's middleware serves."""

from pathlib import Path
from typing import Any

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
    (tmp_path / "app").mkdir()
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        (tmp_path / f"{FILE}{ending}").write_bytes(content)


def fetch(path: str, method: str = "GET", **headers: str) -> tuple[Any, bytes]:
    """Return a response and its content."""
    response = Client().generic(method, f"/static/{path}", headers=headers)
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
    response, found = fetch(FILE, **{"accept-encoding": accepted})
    assert (response.status_code, found) == (200, content)
    assert response.headers.get("Content-Encoding") == encoding
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Cache-Control"] == "max-age=315360000, public, immutable"


@pytest.mark.usefixtures("built")
def test_every_kind_of_response_has_the_security_headers() -> None:
    page, first = Client().get("/healthz"), fetch(FILE)[0]
    conditional = fetch(FILE, **{"if-none-match": first.headers["ETag"]})[0]
    others = [fetch(FILE, range="bytes=0-1")[0], fetch(FILE, "HEAD")[0], fetch(FILE, "POST")[0]]
    responses = [first, conditional, *others]
    assert [each.status_code for each in responses] == [200, 304, 206, 200, 405]
    own = {"Content-Type", "Content-Length", "Cache-Control", "X-Request-ID"}
    for response in responses:
        assert response.headers["X-Request-ID"]
        for name in page.headers.keys() - own:
            assert response.headers[name] == page.headers[name], (response.status_code, name)


@pytest.mark.parametrize(
    ("file", "policy", "kind"),
    [
        ("media/favicon.svg", "cross-origin", "image/svg+xml"),
        ("site.webmanifest", "same-origin", "application/manifest+json"),
    ],
)
def test_other_origins_may_show_media_only(settings: Settings, file: str, policy: str, kind: str) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    headers = fetch(file)[0].headers
    assert (headers["Cross-Origin-Resource-Policy"], headers["Content-Type"]) == (policy, kind)


def test_missing_file_is_not_found_and_its_404_not_cached() -> None:
    response, _text = fetch(FILE)
    assert (response.status_code, response.headers["Cache-Control"]) == (404, "no-store")
    assert response.headers["Content-Type"] == "text/plain"
