"""Input of visitors is shown as text on pages, in mails and in Django admin."""

from email import message_from_bytes, policy
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail as sent_by_django
from django.test import Client

from accounts.models import AccountLink, User
from accounts.tests.conftest import Call, call
from accounts.tests.factories import form
from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from tests.mailbox import address, mails, open_link, send_pending

__all__ = ["call"]  # a fixture

pytestmark = pytest.mark.django_db

MARK = "xss7"
SCRIPTS = [
    f"<script>{MARK}()</script>",
    f'"><img src=x onerror={MARK}()>',
    f"</title></textarea><svg/onload={MARK}()>",
    f"{{{{ {MARK} }}}}{{% debug %}}",
    f"javascript:{MARK}()",
    f"]]><!--{MARK}-->",
]
LOCAL_PARTS = [f"{{{{{MARK}}}}}", f"{MARK}&lt", f"=cmd|'{MARK}'!a1"]
HEADERS = [
    "\r\nBcc: victim@example.com",
    "\u2028Bcc: victim@example.com",
    "%0d%0aBcc:victim@example.com",
    "\x00",
]
ADMIN_PAGES = ["", "{pk}/change/", "{pk}/history/", "{pk}/delete/", "?q=" + MARK]


class Markup(HTMLParser):
    """Collect the tags and attributes in which input became markup or code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.texts = 0
        self.in_code = False
        self.feed(html)

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


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("admin@sailing.example", "a long password"))
    return client


@pytest.mark.parametrize("script", SCRIPTS)
def test_input_of_members_is_shown_as_text(call: Call, admin: Client, script: str) -> None:
    typed = form(firstName=script, lastName=script, captainLicenseNumber=script[:64])
    token = call("signUp", **typed).data["token"]
    stored = call("updateProfile", token=token, nickname=script, nationality=script).data
    assert stored["nickname"] == script  # stored unchanged
    member = User.objects.get(email=typed["email"])

    seen = 0
    for page in ADMIN_PAGES:
        shown = Markup(admin.get(f"/admin/accounts/user/{page.format(pk=member.pk)}").content.decode())
        assert not shown.found, page
        seen += shown.texts
    assert seen

    for stored_mail in mails():
        assert MARK not in stored_mail.subject + stored_mail.text + stored_mail.html
    assert not Markup(open_link(address(mails()[-1], "/account/verify/")).content.decode()).found


def test_script_in_a_restricted_field_is_refused(call: Call) -> None:
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
def test_unusual_address_is_shown_as_text(admin: Client, local_part: str) -> None:
    subscribe(email=f"{local_part}@example.com")
    if not mails():  # the address was refused
        return
    for page in ("", "?q=" + MARK):
        shown = admin.get(f"/admin/newsletter/subscription/{page}").content.decode()
        assert not Markup(shown).found
        assert MARK in shown
    (stored,) = mails()
    assert not Markup(stored.html).found
    assert not Markup(open_link(address(stored, "/newsletter/confirm/")).content.decode()).found
    assert not Markup(admin.get(f"/admin/mail/outboxemail/{stored.pk}/change/").content.decode()).found


@pytest.mark.parametrize("script", SCRIPTS)
def test_input_in_urls_is_shown_as_text(script: str, admin: Client) -> None:
    for client, path in [
        (Client(), f"/{script}"),
        (Client(), f"/newsletter/confirm/{script}/"),
        (Client(), "/admin/login/?next=" + script),
        (admin, "/admin/newsletter/subscription/?q=" + script),
        (admin, f"/admin/accounts/user/{script}/change/"),
        (admin, f"/admin/{script}"),
    ]:
        response = client.get(path, follow=True)
        assert not Markup(response.content.decode()).found, path


def send_and_parse_mails() -> list[Any]:
    send_pending()
    return [
        message_from_bytes(message.message().as_bytes(), policy=policy.default)
        for message in sent_by_django.outbox
    ]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("field", ["email", "firstName"])
def test_sign_up_cannot_inject_mail_headers(call: Call, header: str, field: str) -> None:
    values = form()
    call("signUp", **(values | {field: values[field] + header}))
    assert_single_recipient(values["email"])


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("email", ["jana{0}@example.com", "jana@example.com{0}"])
def test_subscription_cannot_inject_mail_headers(header: str, email: str) -> None:
    subscribe(email=email.format(header))
    assert_single_recipient("jana@example.com")


def assert_single_recipient(expected: str) -> None:
    for message in send_and_parse_mails():
        assert "victim@example.com" not in str(message["To"]) + str(message["Subject"])
        assert message["Bcc"] is message["Cc"] is None
        assert len(message.get_all("To")) == 1
        assert expected in message["To"] or "%0d" in message["To"]
    assert AccountLink.objects.count() <= 1
