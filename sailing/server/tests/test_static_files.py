"""Static files, which WhiteNoise's middleware serves."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.processes import ROOT

pytestmark = pytest.mark.django_db  # the end of a response closes old connections

FILE = "app/main.0123456789abcdef.js"


def fetch(path: str, method: str = "GET", **headers: str) -> Any:
    """Return a response, with what was sent as `sent`."""
    response: Any = Client().generic(method, f"/static/{path}", headers=headers)
    response.sent = response.getvalue()
    response.close()
    return response


def test_file_is_sent_compressed_never_revalidated_and_with_the_security_headers(
    settings: Settings, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "app").mkdir()
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        (tmp_path / f"{FILE}{ending}").write_bytes(content)
    first = fetch(FILE, **{"accept-encoding": "gzip, br"})
    assert (first.sent, first.headers["Vary"]) == (b"short", "Accept-Encoding")
    assert first.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    conditional = fetch(FILE, **{"if-none-match": first.headers["ETag"]})
    responses = [first, conditional, fetch(FILE, range="bytes=0-1"), fetch(FILE, "POST")]
    assert [each.status_code for each in responses] == [200, 304, 206, 405]
    page = Client().get("/healthz")
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
    headers = fetch(file).headers
    assert (headers["Cross-Origin-Resource-Policy"], headers["Content-Type"]) == (policy, kind)


def test_missing_file_is_not_found_and_its_404_not_cached() -> None:
    response = fetch(FILE)
    assert (response.status_code, response.headers["Cache-Control"]) == (404, "no-store")
    assert response.headers["Content-Type"] == "text/plain"
