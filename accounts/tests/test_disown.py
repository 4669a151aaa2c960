"""The button "This was not me": the owner of a mailbox did not sign up."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from time_machine import TimeMachineFixture

from accounts.models import AccountLink, User
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, PASSWORD, MemberFactory, form
from accounts.tests.mailbox import link_to_reset, link_to_verify, not_me_address, verify_address
from sailing.graphql.view import authenticate
from sailing.mail import mailboxes
from tests.mailbox import latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LIFETIME = timedelta(hours=72)


@pytest.mark.parametrize("age", [timedelta(0), LIFETIME])
def test_account_tokens_and_pending_mails_are_deleted_and_the_mailbox_is_blocked(
    time_machine: TimeMachineFixture, age: timedelta
) -> None:
    token = call("signUp", **form()).data["token"]
    address = verify_address(latest())
    time_machine.shift(age)
    assert 'name="not_me"' in text(open_link(address))
    assert "The account is deleted." in text(press_button(address, not_me="1"))
    assert not User.objects.exists()
    assert not mails()
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert [(link.user, link.email) for link in AccountLink.objects.all()] == [(None, "")]
    time_machine.shift(timedelta(days=60))
    call("signUp", **form())
    assert User.objects.exists()
    assert not mails()  # the mailbox is blocked


@pytest.mark.parametrize("age", [timedelta(0), LIFETIME])
def test_account_that_an_admin_created_without_a_password_is_deleted(
    time_machine: TimeMachineFixture, age: timedelta
) -> None:
    """The person may not want it."""
    address = link_to_reset(MemberFactory(email="jana@example.com", password=None))
    assert latest().subject == "Choose a password for your account"
    assert "An admin of Sailing has created an account for you." in latest().text
    assert "stays as it is" not in latest().text + latest().html
    time_machine.shift(age)
    page = text(open_link(address))
    assert "we will delete" in page
    assert "your password stays as it is" not in page
    assert "The account is deleted." in text(press_button(address, not_me="1"))
    assert not User.objects.exists()
    assert not mailboxes.reserve("jana@example.com")


@pytest.mark.parametrize(
    ("link", "values", "says"),
    [
        (link_to_reset, {"password": None, "is_staff": True}, "your password stays as it is"),
        (link_to_reset, {"password": None, "was_email_verified": True}, "your password stays as it is"),
        (link_to_reset, {"password": PASSWORD}, "your password stays as it is"),
        *(
            (link_to_verify, {right: True}, "If you did not ask for this email, let us know")
            for right in ("is_staff", "is_superuser", "was_email_verified")
        ),
    ],
)
def test_account_in_use_is_kept_and_its_mailbox_blocked(link: Any, values: dict[str, Any], says: str) -> None:
    member = MemberFactory(**values)
    address = link(member)
    page = text(open_link(address))
    assert says in page
    assert "delete" not in page + latest().text
    assert "We will not send these emails to this address again." in text(press_button(address, not_me="1"))
    assert User.objects.get().password == member.password
    assert not mailboxes.reserve(member.email)


def test_owner_of_a_verified_mailbox_is_helped_to_take_the_account_over() -> None:
    """Their account may be in use by now, so the old link neither deletes it nor sends a mail."""
    stranger = Client()
    call("signUp", client=stranger, **form())
    mail = latest()
    press_button(verify_address(mail), client=stranger)
    for page in map(text, (open_link(not_me_address(mail)), press_button(verify_address(mail), not_me="1"))):
        assert "this link changes nothing anymore" in page
        assert 'href="/forgot-password"' in page
        assert "<form" not in page
    assert User.objects.exists()
    press_button(not_me_address(mail), reset="1")
    assert len(mails()) == 1


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("updateProfile", {"nickname": "J"}),
        ("resendVerification", {}),
        ("changePassword", {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}),
        ("requestEmailChange", {"email": "new@example.com", "currentPassword": PASSWORD}),
        ("cancelEmailChange", {}),
        ("deleteAccount", {"currentPassword": PASSWORD, "keepNewsletter": True}),
        ("signOutEverywhere", {}),
    ],
)
def test_member_erased_after_the_authentication_is_unauthenticated(
    token: str, field: str, values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def authenticate_and_erase(request: HttpRequest) -> Any:
        found = authenticate(request)
        User.objects.all().delete()
        return found

    monkeypatch.setattr("sailing.graphql.view.authenticate", authenticate_and_erase)
    assert call(field, token=token, **values).error["code"] == "UNAUTHENTICATED"
