"""Input is shown as text on pages, in mails and in Django admin; it leads to no other site and to no file."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import AccountLink, User
from accounts.tests.api import call
from accounts.tests.factories import PASSWORD, form
from newsletter.tests.mailbox import subscribe
from tests.mailbox import address, mails, open_link, send_pending

pytestmark = pytest.mark.django_db

MARK = "xss7"
SCRIPTS = [
    f"<script>{MARK}()</script>",
    f'"><img src=x onerror={MARK}()>',
    f"</title></textarea><svg/onload={MARK}()>",
    f"javascript:{MARK}()",
]
LOCAL_PARTS = [f"{{{{{MARK}}}}}", f"=cmd|'{MARK}'!a1"]
HEADERS = [f"{end}Bcc: victim@example.com" for end in ("\r\n", "\u2028", "%0d%0a", "\x00")]
ADMIN_PAGES = ["", "{pk}/change/", "{pk}/history/", "{pk}/delete/", "?q=" + MARK]


class Markup(HTMLParser):
    """Collect the tags and attributes in which input became markup or code."""

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.found: list[str] = []
        self.texts = 0
        self.in_code = False
        self.feed(response if isinstance(response, str) else response.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.in_code = tag == "style" or (tag == "script" and values.get("type") != "application/json")
        for name, value in values.items():
            is_address = name in ("href", "src", "action", "formaction", "data", "content")
            is_code = name.startswith("on") or (is_address and value.lower().startswith("javascript:"))
            if MARK in tag + name or (is_code and MARK in value):
                self.found.append(self.get_starttag_text() or tag)

    def handle_data(self, data: str) -> None:
        if MARK in data:
            self.texts += 1
            if self.in_code:
                self.found.append(data)

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.found.append(data)


@pytest.mark.parametrize("script", SCRIPTS)
def test_input_of_members_is_shown_as_text(admin_client: Client, script: str) -> None:
    typed = form(firstName=script, lastName=script, captainLicenseNumber=script[:64])
    token = call("signUp", **typed).data["token"]
    stored = call("updateProfile", token=token, nickname=script, nationality=script).data
    assert stored["nickname"] == script  # stored unchanged
    member = User.objects.get(email=typed["email"])
    pages = [
        Markup(admin_client.get(f"/admin/accounts/user/{page.format(pk=member.pk)}")) for page in ADMIN_PAGES
    ]
    assert not any(page.found for page in pages)
    assert any(page.texts for page in pages)
    (sent,) = mails()
    assert MARK not in sent.subject + sent.text + sent.html
    assert not Markup(open_link(address(sent, "/account/verify/"))).found


@pytest.mark.parametrize("local_part", LOCAL_PARTS)
def test_unusual_address_is_shown_as_text(admin_client: Client, local_part: str) -> None:
    subscribe(email=f"{local_part}@example.com")
    (stored,) = mails()
    shown = Markup(admin_client.get(f"/admin/newsletter/subscription/?q={MARK}"))
    assert shown.texts
    opened = open_link(address(stored, "/newsletter/confirm/"))
    in_admin = admin_client.get(f"/admin/mail/outboxemail/{stored.pk}/change/")
    assert not any(page.found for page in (shown, *map(Markup, (stored.html, opened, in_admin))))


@pytest.mark.parametrize("script", SCRIPTS)
def test_input_in_urls_is_shown_as_text(script: str, admin_client: Client) -> None:
    for client, path in [
        (Client(), f"/{script}"),
        (Client(), f"/newsletter/confirm/{script}/"),
        (Client(), "/admin/login/?next=" + script),
        (admin_client, "/admin/newsletter/subscription/?q=" + script),
        (admin_client, f"/admin/accounts/user/{script}/change/"),
        (admin_client, f"/admin/{script}"),
    ]:
        assert not Markup(client.get(path, follow=True)).found, path


@pytest.mark.parametrize("header", HEADERS)
def test_no_field_injects_headers_into_mails(header: str) -> None:
    for field in ("email", "firstName"):
        call("signUp", **(form() | {field: form()[field] + header}))
    for email in ("petr{0}@example.com", "petr@example.com{0}"):
        subscribe(email=email.format(header))
    send_pending()
    for sent in (message.message() for message in mail.outbox):
        assert "victim@example.com" not in str(sent["To"]) + str(sent["Subject"])
        assert sent["Bcc"] is sent["Cc"] is None
        assert sent["To"].partition("%0d")[0] in ("jana@example.com", "petr@example.com", "petr")
    assert AccountLink.objects.count() <= 1


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


@pytest.mark.parametrize("target", OTHER_SITES)
def test_no_address_redirects_to_another_site(target: str) -> None:
    User.objects.create_superuser("admin@example.com", PASSWORD)
    form = {"username": "admin@example.com", "password": PASSWORD, "next": target}
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
