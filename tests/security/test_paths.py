"""Open redirects and path traversal."""

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User

OTHER_SITES = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "//testserver@evil.example/",
    "//evil.example\\@testserver/",
]
TRAVERSALS = [
    "../secret.txt",
    "..%252fsecret.txt",
    "..%5csecret.txt",
    "app/..;/..;/secret.txt",
    "..%c0%afsecret.txt",
    "..%00/secret.txt",
    "file:///secret.txt",
]


@pytest.mark.django_db
@pytest.mark.parametrize("target", OTHER_SITES)
def test_no_address_redirects_to_another_site(target: str) -> None:
    User.objects.create_superuser("admin@example.com", "a long password")
    form = {"username": "admin@example.com", "password": "a long password", "next": target}
    answers: list[Any] = [Client().post("/admin/login/", form)]
    assert answers[0].status_code == 302
    for path in ("/admin/logout/?next={0}", "/signin?next={0}", "/{0}", "/admin/{0}"):
        answers += [Client().get(path.format(target)), Client().post(path.format(target))]
    locations = [each.headers["Location"] for each in answers if "Location" in each.headers]
    assert [location for location in locations if not stays_on_site(location)] == []


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
