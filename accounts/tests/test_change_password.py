"""`changePassword` and `signOutEverywhere`."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex
from pytest_django import Settings

from accounts import tokens
from accounts.models import User
from accounts.services import credentials, membership
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import link_to_reset
from sailing.errors import Unauthenticated
from tests.api import VISITOR
from tests.mailbox import latest, mails, open_link, text

pytestmark = pytest.mark.django_db

NEW = "New winds, 2026!"
WRONG = "Foul winds, 2025!"


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com", is_email_verified=True)


def change(call: Call, token: str, current: str = PASSWORD, new: str = NEW, **options: Any) -> Any:
    return call("changePassword", token=token, currentPassword=current, newPassword=new, **options)


def history(member: User) -> list[tuple[int, str, str]]:
    """Return who did what in the history of a member, the oldest entry first."""
    entries = LogEntry.objects.filter(object_id=member.pk).order_by("pk")
    return [(entry.user_id, entry.object_repr, entry.change_message) for entry in entries]


class TestChangePassword:
    def test_new_password_replaces_the_old_one_and_only_the_returned_token_is_valid(
        self, call: Call, member: User
    ) -> None:
        own, other = tokens.issue(member), tokens.issue(member)
        token = change(call, own).data["token"]
        assert call("me", token=token).data["email"] == "jana@example.com"
        for ended in (own, other):
            assert call("me", token=ended).error["code"] == "UNAUTHENTICATED"
        assert call("signIn", email=member.email, password=NEW).data["token"]

    def test_reset_links_are_closed(self, call: Call, member: User) -> None:
        address = link_to_reset(member)
        change(call, tokens.issue(member))
        assert "new_password1" not in text(open_link(address))

    def test_member_is_told_by_mail_and_the_history_has_no_address(self, call: Call, member: User) -> None:
        change(call, tokens.issue(member))
        assert [(mail.recipient, mail.subject) for mail in mails()] == [
            ("jana@example.com", "Your password was changed")
        ]
        assert "all other devices were signed out" in latest().text
        assert history(member) == [(member.pk, str(member.pk), "Password changed by the member.")]

    def test_unverified_mailbox_gets_no_mail(self, call: Call) -> None:
        change(call, tokens.issue(MemberFactory(is_email_verified=False)))
        assert not mails()

    @pytest.mark.parametrize(
        ("current", "new", "field", "message"),
        [
            (WRONG, NEW, "currentPassword", "The current password is wrong."),
            (PASSWORD, "", "newPassword", "Password is required"),
            (PASSWORD, "Short1!", "newPassword", "Password must be at least 8 characters"),
            (
                PASSWORD,
                PASSWORD,
                "newPassword",
                "Please choose a password that differs from the current one",
            ),
        ],
    )
    def test_broken_rule_changes_nothing(
        self, call: Call, member: User, current: str, new: str, field: str, message: str
    ) -> None:
        token = tokens.issue(member)
        error = change(call, token, current, new).error
        assert error == {"code": "BAD_USER_INPUT", "field": field, "message": message}
        assert call("me", token=token).data
        member.refresh_from_db()
        assert member.check_password(PASSWORD)
        assert not mails()

    def test_wrong_password_counts_as_a_failed_sign_in(
        self, call: Call, member: User, settings: Settings
    ) -> None:
        settings.SIGNIN_RATE = "1000/m"
        token = tokens.issue(member)
        for _ in range(4):
            assert change(call, token, WRONG).error["field"] == "currentPassword"
        assert call("signIn", email=member.email, password=WRONG).error["code"] == "INVALID_CREDENTIALS"
        for refused in (change(call, token), call("signIn", email=member.email, password=PASSWORD)):
            assert refused.error["code"] == "RATE_LIMITED"
        assert change(call, token, client=Client(REMOTE_ADDR="198.51.100.7")).data["token"]


def test_signing_out_everywhere_ends_all_sessions_and_is_in_the_history(call: Call) -> None:
    admin = User.objects.create_superuser("admin@example.com", PASSWORD)
    client = Client()
    client.force_login(admin)
    own, other = tokens.issue(admin), tokens.issue(admin)
    assert call("signOutEverywhere", token=own).data is True
    for token in (own, other):
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert client.get("/admin/").status_code == 302
    assert call("signIn", email=admin.email, password=PASSWORD).data["token"]
    assert history(admin) == [(admin.pk, str(admin.pk), "Signed out everywhere by the member.")]


def test_request_whose_sessions_ended_meanwhile_changes_nothing(member: User) -> None:
    membership.sign_out_everywhere(user=User.objects.get())
    with pytest.raises(Unauthenticated):
        credentials.change_own_password(
            client=VISITOR, user=member, current_password=PASSWORD, new_password=NEW
        )
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("changePassword", {"newPassword": "New winds, 2026!"}),
        ("requestEmailChange", {"email": "new@example.com"}),
        ("deleteAccount", {"keepNewsletter": False}),
    ],
)
@pytest.mark.parametrize("is_staff", [True, False])
def test_password_alone_does_not_change_an_admin_with_a_second_factor(
    call: Call, field: str, values: dict[str, Any], is_staff: bool
) -> None:
    member = MemberFactory(is_staff=is_staff, is_email_verified=True)
    TOTPDevice.objects.create(user=member, key=random_hex(20))
    answer = call(field, token=tokens.issue(member), currentPassword=PASSWORD, **values)
    assert (("errors" in answer.body) and answer.error["code"] == "SECOND_FACTOR_NEEDED") is is_staff
