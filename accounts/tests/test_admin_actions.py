"""Admin actions on members: reset mail, verification mail, sign-out, deactivation."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts import tokens
from accounts.models import User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from sailing.admin.tests.helpers import run_action, staff_client
from tests.mailbox import latest, mails

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LIST = "/admin/accounts/user/"
ACTIONS = ["send_reset_mail", "resend_verification", "sign_out_everywhere", "deactivate"]


def run(client: Client, action: str, *members: Any) -> list[str]:
    return run_action(client, LIST, action, *members)


def get_state() -> tuple[Any, ...]:
    """Return everything that an action could change."""
    return (list(User.objects.order_by("pk").values_list("is_active", "token_version")), len(mails()))


class TestResetMail:
    def test_old_password_and_tokens_stay_valid_until_the_link_is_used(
        self, admin_client: Client, call: Call
    ) -> None:
        member = MemberFactory(email="jana@example.com", language="cs")
        token = tokens.issue(member)
        assert run(admin_client, "send_reset_mail", member) == ["Password link sent."]
        assert latest().recipient == "jana@example.com"
        assert latest().subject == "Zvolte si nové heslo"
        assert call("me", token=token).data
        assert call("signIn", email=member.email, password=PASSWORD).data

    def test_members_who_get_no_mail_are_reported_with_a_reason(self, admin_client: Client) -> None:
        members = MemberFactory.create_batch(2)
        done, *skipped = run(admin_client, "send_reset_mail", *members, MemberFactory(is_active=False))
        assert done == "Done: 2."
        assert skipped == ["Skipped: 1 (deactivated)."]
        assert run(admin_client, "send_reset_mail", *members) == [
            "Skipped: 2 (got such an email less than three minutes ago)."
        ]
        assert len(mails()) == 2


def test_members_without_a_verification_mail_are_reported_with_a_reason(admin_client: Client) -> None:
    member, verified = MemberFactory(), MemberFactory(is_email_verified=True)
    gone, added = MemberFactory(is_active=False), MemberFactory(password=None)
    done, *skipped = run(admin_client, "resend_verification", member, verified, gone, added)
    assert done == "Done: 1."
    assert set(skipped) == {
        "Skipped: 1 (verified already).",
        "Skipped: 1 (deactivated).",
        "Skipped: 1 (has no password yet, so send a password link).",
    }
    assert run(admin_client, "resend_verification", member) == [
        "Nothing was changed: got such an email less than three minutes ago."
    ]
    assert len(mails()) == 1


def test_deactivation_revokes_tokens_and_refuses_sign_in(admin_client: Client, call: Call) -> None:
    member, gone = MemberFactory(), MemberFactory(is_active=False)
    token = tokens.issue(member)
    assert run(admin_client, "deactivate", member, gone) == [
        "Done: 1.",
        "Skipped: 1 (deactivated already).",
    ]
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("signIn", email=member.email, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"


def test_admin_cannot_deactivate_themselves(admin_client: Client, admin_user: User) -> None:
    assert run(admin_client, "deactivate", admin_user) == ["Nothing was changed: this is you."]
    admin_user.refresh_from_db()
    assert admin_user.is_active


class TestPermissions:
    @pytest.mark.parametrize("action", ACTIONS)
    def test_permission_to_change_is_enough_and_the_action_is_in_the_history(self, action: str) -> None:
        member = MemberFactory()
        client = staff_client("view_user", "change_user")
        before = get_state()
        (message,) = run(client, action, member)
        assert get_state() != before
        entry = LogEntry.objects.get()
        assert (entry.object_id, entry.change_message) == (str(member.pk), message)

    def test_permission_to_view_is_not_enough(self) -> None:
        member = MemberFactory()
        client = staff_client("view_user")
        before = get_state()
        for action in ACTIONS:
            run(client, action, member)
            assert get_state() == before, action
            assert f'value="{action}"' not in client.get(LIST).content.decode()

    def test_admins_are_skipped_without_superuser_rights(self) -> None:
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        client = staff_client("view_user", "change_user")
        before = get_state()
        for action in ACTIONS:
            assert run(client, action, boss) == [
                "Nothing was changed: only a superuser may do this with an admin."
            ]
        assert get_state() == before
