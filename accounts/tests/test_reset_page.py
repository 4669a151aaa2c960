"""The page behind a reset link."""

import html
import re
from contextlib import suppress
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError
from django.test import Client

from accounts import hashers
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services import links
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD
from accounts.tests.mailbox import link_to_reset
from sailing.errors import RateLimited
from sailing.mail.links import LinkStatus
from tests.api import VISITOR
from tests.database import failing_database
from tests.mailbox import mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

NEW = "New winds, 2026!"
PASSWORD_RULES = (
    "minlength: 8; maxlength: 128; required: lower; required: upper; required: digit; required: [@$!%*?&];"
)


def choose(address: str, password: str = NEW, again: str | None = None, **data: Any) -> Any:
    """Submit the form, with the same password twice by default."""
    second = password if again is None else again
    return press_button(address, new_password1=password, new_password2=second, **data)


def has(member: User, password: str) -> bool:
    member.refresh_from_db()
    return member.check_password(password)


@pytest.mark.django_db(transaction=True)
def test_outage_never_hides_that_the_password_was_stored(member: User) -> None:
    """Taking back the failed sign-ins comes after the commit."""
    ContentType.objects.get_for_model(User)  # of the history: one cached in a transaction may be rolled back
    for after in range(30):
        token = AccountLink.issue(LinkPurpose.RESET, user=member, email=member.email)
        password, status = f"{NEW}{after}", None
        with suppress(OperationalError), failing_database(after=after):
            status = links.confirm_address(
                client=VISITOR, token=token, purpose=LinkPurpose.RESET, new_password=password
            )
        assert (status is LinkStatus.DONE) == has(member, password)


class Fields(HTMLParser):
    """The attributes of the inputs of a page, by name or id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self.ids: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.add(values.get("id") or "")
        if tag == "input":
            self.found[values.get("name") or values.get("id") or ""] = values


class TestNewPassword:
    def test_new_password_replaces_the_old_one_and_the_page_does_not_sign_in(
        self, call: Call, member: User
    ) -> None:
        browser = Client()
        assert "Your new password is set." in text(choose(link_to_reset(member), client=browser))
        assert set(browser.cookies) == {"django_language"}
        assert call("signIn", email=member.email, password=NEW).data["token"]
        assert call("signIn", email=member.email, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"

    def test_new_password_ends_the_session_of_the_same_browser_too(self, call: Call, member: User) -> None:
        browser = Client()
        token = call("signIn", client=browser, email=member.email, password=PASSWORD).data["token"]
        choose(link_to_reset(member), client=browser)
        assert has(member, NEW)
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"


class TestRules:
    @pytest.mark.parametrize(
        ("password", "again", "messages"),
        [
            ("", "", ["Password is required", "Please confirm your password"]),
            (NEW, "", ["Please confirm your password"]),
            ("A1!" + "a" * 126, None, ["Password must be at most 128 characters"]),
            ("P@ssw0rd", None, ["This password is too common."]),
            (
                "kz",
                "y",
                [
                    "Password must be at least 8 characters",
                    "Must contain at least one uppercase letter",
                    "Must contain at least one number",
                    "Must contain at least one special character (@$!%*?&amp;)",
                    "Passwords do not match",
                ],
            ),
        ],
    )
    def test_invalid_password_is_refused_with_all_broken_rules(
        self, member: User, password: str, again: str | None, messages: list[str]
    ) -> None:
        page = text(choose(link_to_reset(member), password, again))
        shown = [line for line in messages if f"<li>{line}</li>" in page]
        assert shown == messages
        assert len(re.findall("<li>(?!<a)", page)) == len(messages)
        assert has(member, PASSWORD)
        assert len(mails()) == 1

    def test_oversized_password_is_refused_without_a_hash_and_the_link_still_works(
        self, member: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = link_to_reset(member)
        with monkeypatch.context() as patch:
            patch.setattr(
                hashers.Argon2idHasher, "encode", lambda *_args: pytest.fail("the password was hashed")
            )
            page = text(choose(address, "Aa1!" * 1500))
        assert "Password must be at most 128 characters" in page
        assert "Aa1!Aa1!" not in page
        choose(address)
        assert has(member, NEW)

    def test_form_says_to_try_again_when_no_hashing_slot_is_free(
        self, member: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = link_to_reset(member)

        def refuse(_network: str) -> None:
            raise RateLimited(retry_after=1)

        monkeypatch.setattr(hashers._slots, "acquire", refuse)
        response = choose(address)
        assert response.status_code == 429
        assert int(response["Retry-After"]) >= 1
        assert "Too many attempts. Please wait a moment and try again." in text(response)
        assert "Save the new password" in text(response)


class TestForm:
    def test_form_is_marked_up_for_password_managers_and_lists_the_rules(self, member: User) -> None:
        page = text(open_link(link_to_reset(member)))
        fields = Fields(page).found
        assert fields["id_username"]["autocomplete"] == "username"
        assert fields["id_username"]["value"] == "jana@example.com"
        for name in ("new_password1", "new_password2"):
            assert fields[name]["type"] == "password"
            assert fields[name]["autocomplete"] == "new-password"
            assert fields[name]["minlength"] == "8"
            assert html.unescape(fields[name]["passwordrules"] or "") == PASSWORD_RULES
        rules = re.findall(r'data-pattern="([^"]+)".*?<span>(.+?) <', page)
        assert len(rules) == 5
        assert all(re.search(html.unescape(pattern), NEW) for pattern, _rule in rules)
        buttons = re.findall(r"<button[^>]+data-reveals[^>]+>", page)  # for the script
        assert [button.endswith(" hidden>") for button in buttons] == [True, True]

    def test_errors_are_linked_to_their_fields_and_the_first_invalid_field_has_the_focus(
        self, member: User
    ) -> None:
        address = link_to_reset(member)
        for password, first in (("short", "new_password1"), (NEW, "new_password2")):
            page = text(choose(address, password, "other"))
            fields = Fields(page)
            assert fields.found["new_password2"]["aria-invalid"] == "true"
            for name in ("new_password1", "new_password2"):
                described = fields.found[name].get("aria-describedby") or ""
                assert set(described.split()) <= fields.ids
                assert ("autofocus" in fields.found[name]) == (name == first)
            assert "id_new_password2_error" in (fields.found["new_password2"]["aria-describedby"] or "")
            assert "<title>Error: " in page
