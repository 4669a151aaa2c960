"""The button "This was not me": the owner of a mailbox did not sign up."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import AccountLink, User
from accounts.services import membership
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from accounts.tests.mailbox import (
    link_to_reset,
    link_to_verify,
    not_me_address,
    verify_address,
)
from sailing.graphql.view import authenticate
from sailing.mail import mailboxes
from tests.mailbox import assert_same_in_text_and_html, latest, mails, open_link, press_button, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LIFETIME = timedelta(hours=72)


def test_account_tokens_and_pending_mails_are_deleted_and_the_mailbox_is_blocked(
    call: Call, time_machine: TimeMachineFixture
) -> None:
    token = call("signUp", **form()).data["token"]
    address = verify_address(latest())
    page = text(press_button(address, not_me="1"))
    assert "The account is deleted." in page
    assert not User.objects.exists()
    assert not mails()
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert [(link.user, link.email) for link in AccountLink.objects.all()] == [(None, "")]
    time_machine.shift(timedelta(days=60))
    call("signUp", **form())
    assert User.objects.exists()
    assert not mails()  # the mailbox is blocked


def test_expired_link_works(time_machine: TimeMachineFixture) -> None:
    address = link_to_verify(MemberFactory())
    time_machine.shift(LIFETIME)
    assert 'name="not_me"' in text(open_link(address))
    press_button(address, not_me="1")
    assert not User.objects.exists()


class TestAccountCreatedByAnAdmin:
    """The person has no password yet, and may not want the account."""

    @pytest.mark.parametrize("age", [timedelta(0), LIFETIME])
    def test_account_is_deleted_and_the_mailbox_blocked(
        self, time_machine: TimeMachineFixture, age: timedelta
    ) -> None:
        address = link_to_reset(MemberFactory(email="jana@example.com", password=None))
        assert latest().subject == "Choose a password for your account"
        assert "An admin of Sailing has created an account for you." in latest().text
        assert "stays as it is" not in latest().text + latest().html
        time_machine.shift(age)
        page = text(open_link(address))
        assert "we will delete" in page
        assert "your password stays as it is" not in page
        first = text(press_button(address, not_me="1"))
        assert "The account is deleted." in first
        assert text(press_button(address, not_me="1")) == first
        assert not User.objects.exists()
        assert not mailboxes.reserve("jana@example.com")

    @pytest.mark.parametrize(
        "values", [{"is_staff": True}, {"was_email_verified": True}, {"password": PASSWORD}]
    )
    def test_account_in_use_is_kept(self, values: dict[str, Any]) -> None:
        member = MemberFactory(**{"password": None, **values})
        address = link_to_reset(member)
        assert latest().subject == "Choose a new password"
        assert "your password stays as it is" in text(open_link(address))
        first = text(press_button(address, not_me="1"))
        assert "We will not send these emails to this address again." in first
        assert text(press_button(address, not_me="1")) == first
        assert User.objects.get() == member
        assert User.objects.get().password == member.password
        assert not mailboxes.reserve(member.email)


@pytest.mark.parametrize("right", ["is_staff", "is_superuser", "was_email_verified"])
def test_account_of_an_admin_or_an_older_member_is_kept_and_its_mailbox_blocked(right: str) -> None:
    member = MemberFactory(email="jana@example.com", **{right: True})
    address = link_to_verify(member)
    assert_same_in_text_and_html(latest())
    for shown in (latest().text, text(open_link(address))):
        assert "If you did not ask for this email, let us know" in shown
        assert "delete" not in shown
    first = text(press_button(address, not_me="1"))
    assert "We will not send these emails to this address again." in first
    assert text(press_button(address, not_me="1")) == first
    assert User.objects.get() == member
    assert not mailboxes.reserve("jana@example.com")


def test_owner_of_a_verified_mailbox_is_helped_to_take_the_account_over(call: Call) -> None:
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


class TestMemberErasedMeanwhile:
    """The member is erased after authentication and before the row is locked."""

    @pytest.fixture
    def erased(self, monkeypatch: pytest.MonkeyPatch) -> str:
        member = MemberFactory()
        token = tokens.issue(member)

        def authenticate_and_erase(request: HttpRequest) -> Any:
            found = authenticate(request)
            User.objects.all().delete()
            return found

        monkeypatch.setattr("sailing.graphql.view.authenticate", authenticate_and_erase)
        return token

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("updateProfile", {"nickname": "J"}),
            ("resendVerification", {}),
            ("changePassword", {"currentPassword": PASSWORD, "newPassword": "New winds, 2026!"}),
            ("requestEmailChange", {"email": "new@example.com", "currentPassword": PASSWORD}),
            ("cancelEmailChange", {}),
            ("deleteAccount", {"currentPassword": PASSWORD, "keepNewsletter": True}),
            ("signOutEverywhere", {}),
        ],
    )
    def test_caller_is_unauthenticated(
        self, call: Call, erased: str, field: str, values: dict[str, Any]
    ) -> None:
        assert call(field, token=erased, **values).error["code"] == "UNAUTHENTICATED"

    def test_admin_action_reports_it(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        member = MemberFactory()
        deactivate = membership.deactivate

        def erase_and_deactivate(*, user: User) -> bool:
            User.objects.filter(pk=user.pk).delete()
            return deactivate(user=user)

        monkeypatch.setattr(membership, "deactivate", erase_and_deactivate)
        chosen = {"action": "deactivate", "_selected_action": str(member.pk)}
        page = admin_client.post("/admin/accounts/user/", chosen, follow=True)
        assert "Nothing was changed: erased in the meantime." in page.content.decode()
