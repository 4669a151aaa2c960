"""Input of visitors is shown as text on pages, in mails and in Django admin."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import AccountLink, User
from accounts.tests.api import call
from accounts.tests.factories import form
from newsletter.models import Subscription
from newsletter.tests.api import subscribe
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
HEADERS = [
    "\r\nBcc: victim@example.com",
    "\u2028Bcc: victim@example.com",
    "%0d%0aBcc:victim@example.com",
    "\x00",
]
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


def test_script_in_a_restricted_field_is_refused() -> None:
    token = call("signUp", **form()).data["token"]
    script = SCRIPTS[0]
    for error, field in [
        (call("signUp", **form(email="petr@example.com", favoritePosition=script)).error, "favoritePosition"),
        (call("updateProfile", token=token, phone=script).error, "phone"),
        (subscribe(source=script).error, "source"),
        (subscribe(userType=script).error, "userType"),
    ]:
        assert (error["code"], error["field"]) == ("BAD_USER_INPUT", field)
        assert MARK not in error["message"]
    assert User.objects.get().phone == ""
    assert not Subscription.objects.exists()


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
