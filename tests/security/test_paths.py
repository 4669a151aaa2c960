"""Open redirects and path traversal."""

from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User

OTHER_SITES = [
    "https://evil.example/",
    "//evil.example/",
    "///evil.example",
    "/\\evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    " //evil.example",
    "/\t/evil.example",
    "//testserver@evil.example/",
    "https://testserver.evil.example/",
    "//evil.example\\@testserver/",
    "/%09/evil.example",
]
TRAVERSALS = [
    "../secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%252fsecret.txt",
    "..%5csecret.txt",
    "app/../../secret.txt",
    "app/..;/..;/secret.txt",
    "..%c0%afsecret.txt",
    "..%00/secret.txt",
    "/secret.txt",
    "file:///secret.txt",
]


@pytest.mark.django_db
def test_admin_sign_in_redirects_within_the_site() -> None:
    User.objects.create_superuser("admin@example.com", "a long password")
    form = {"username": "admin@example.com", "password": "a long password"}
    for target in OTHER_SITES:
        response = Client().post("/admin/login/", form | {"next": target})
        assert response.status_code == 302
        assert stays_on_site(response.headers["Location"]), response.headers["Location"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/logout/?next={0}", "/signin?next={0}", "/{0}", "/admin/{0}"])
def test_no_path_redirects_to_another_site(path: str) -> None:
    for target in OTHER_SITES:
        location = Client().get(path.format(target)).headers.get("Location", "/")
        assert stays_on_site(location), location
    assert stays_on_site(Client().post(path.format(OTHER_SITES[0])).headers.get("Location", "/"))


def stays_on_site(location: str) -> bool:
    """Return whether a browser stays on the site. It turns backslashes into slashes (WHATWG URL)."""
    read = location.replace("\\", "/").replace("\t", "").strip()
    return urljoin("https://testserver/admin/login/", read).startswith("https://testserver/")


@pytest.mark.django_db  # the end of a request closes old connections
@pytest.mark.parametrize("path", ["app/main.js", *TRAVERSALS])
def test_files_outside_the_static_root_are_not_served(path: str, settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path / "staticfiles"
    (settings.STATIC_ROOT / "app").mkdir(parents=True)
    (settings.STATIC_ROOT / "app" / "main.js").write_text("ours")
    (tmp_path / "secret.txt").write_text("outside the folder")
    response = Client().get(f"{settings.STATIC_URL}{path}")
    expected = (200, b"ours") if path == "app/main.js" else (404, b"Not found")
    assert (response.status_code, response.getvalue()) == expected
    response.close()
