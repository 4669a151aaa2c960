"""What an admin does with chosen members: reset mail, verification mail, signing out, deactivating."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from time_machine import TimeMachineFixture

from accounts import tokens
from accounts.models import User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import reset_address, verify_address
from sailing.admin import actions
from tests.mailbox import latest, mails, press_button

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/user/"
ACTIONS = ["send_reset_mail", "resend_verification", "sign_out_everywhere", "deactivate"]
PAUSE = timedelta(minutes=3)


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)


def run(client: Client, action: str, *members: Any) -> list[str]:
    """Choose these and press Go; the messages of the next page."""
    chosen = [str(member.pk) for member in members]
    response = client.post(LIST, {"action": action, "_selected_action": chosen}, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


def state() -> tuple[Any, ...]:
    """All that an action could change."""
    return (list(User.objects.order_by("pk").values_list("is_active", "token_version")), len(mails()))


class TestResetMail:
    def test_its_link_lets_the_member_choose_a_password(self, admin_client: Client) -> None:
        member = MemberFactory(email="jana@example.com", language="cs")
        assert run(admin_client, "send_reset_mail", member) == ["1 mail is on its way."]
        assert latest().to == ["jana@example.com"]
        assert latest().subject == "Zvolte si nové heslo"

        new = "New winds, 2026!"
        press_button(reset_address(latest()), new_password1=new, new_password2=new)
        member.refresh_from_db()
        assert member.check_password(new)

    def test_until_then_the_old_password_and_the_tokens_work(self, admin_client: Client, call: Call) -> None:
        member = MemberFactory()
        token = tokens.issue(member)
        run(admin_client, "send_reset_mail", member)
        assert call("me", token=token).data
        assert call("signIn", email=member.email, password=PASSWORD).data

    def test_one_in_three_minutes_and_none_to_who_is_deactivated(
        self, admin_client: Client, time_machine: TimeMachineFixture
    ) -> None:
        members = MemberFactory.create_batch(2)
        gone = MemberFactory(is_active=False)
        done, *left = run(admin_client, "send_reset_mail", *members, gone)
        assert done == "2 mails are on their way."
        assert left == ["1 member was left alone: deactivated."]

        time_machine.shift(PAUSE - timedelta(seconds=1))
        assert run(admin_client, "send_reset_mail", *members) == [
            "2 members were left alone: got such a mail less than three minutes ago."
        ]
        assert len(mails()) == 2
        time_machine.shift(timedelta(seconds=1))
        run(admin_client, "send_reset_mail", *members)
        assert len(mails()) == 4


class TestVerificationMail:
    def test_its_link_verifies(self, admin_client: Client) -> None:
        member = MemberFactory()
        assert run(admin_client, "resend_verification", member) == ["1 mail is on its way."]
        press_button(verify_address(latest()))
        member.refresh_from_db()
        assert member.is_email_verified

    def test_it_tells_why_not(self, admin_client: Client) -> None:
        member, verified = MemberFactory(), MemberFactory(is_email_verified=True)
        gone = MemberFactory(is_active=False)
        done, *left = run(admin_client, "resend_verification", member, verified, gone)
        assert done == "1 mail is on its way."
        assert set(left) == {
            "1 member was left alone: verified already.",
            "1 member was left alone: deactivated.",
        }
        assert run(admin_client, "resend_verification", member) == [
            "1 member was left alone: got such a mail less than three minutes ago."
        ]
        assert len(mails()) == 1


def test_signing_out_everywhere_ends_all_tokens(admin_client: Client, call: Call) -> None:
    member = MemberFactory()
    given = [tokens.issue(member), tokens.issue(member)]
    assert run(admin_client, "sign_out_everywhere", member) == ["1 member was signed out."]
    for token in given:
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("signIn", email=member.email, password=PASSWORD).data


def test_deactivating_lets_nobody_in_any_more(admin_client: Client, call: Call) -> None:
    member, gone = MemberFactory(), MemberFactory(is_active=False)
    token = tokens.issue(member)
    assert run(admin_client, "deactivate", member, gone) == [
        "1 member was deactivated.",
        "1 member was left alone: deactivated already.",
    ]
    assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
    assert call("signIn", email=member.email, password=PASSWORD).error["code"] == "INVALID_CREDENTIALS"


def test_an_admin_does_not_shut_themselves_out(admin_client: Client, admin_user: User) -> None:
    assert run(admin_client, "deactivate", admin_user) == ["1 member was left alone: this is you."]
    admin_user.refresh_from_db()
    assert admin_user.is_active


@pytest.mark.parametrize("action", ACTIONS)
def test_what_was_done_stands_in_the_history_of_the_member(admin_client: Client, action: str) -> None:
    member = MemberFactory()
    run(admin_client, action, member)
    entry = LogEntry.objects.get()
    assert entry.object_id == str(member.pk)
    assert entry.change_message


@pytest.mark.parametrize("action", ACTIONS)
class TestWhoMay:
    @staticmethod
    def staff(*permissions: str) -> Client:
        user = User.objects.create_user("staff@example.com", PASSWORD, is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
        client = Client()
        client.force_login(user)
        return client

    def test_who_may_only_view_may_not(self, action: str) -> None:
        member = MemberFactory()
        client = self.staff("view_user")
        before = state()
        run(client, action, member)
        assert state() == before
        assert f'value="{action}"' not in client.get(LIST).content.decode()

    def test_who_is_no_superuser_may_not_with_an_admin(self, action: str) -> None:
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        client = self.staff("view_user", "change_user")
        before = state()
        assert run(client, action, boss) == [
            "1 member was left alone: only a superuser may do this with an admin."
        ]
        assert state() == before

    def test_who_may_change_members_may(self, action: str) -> None:
        member = MemberFactory()
        client = self.staff("view_user", "change_user")
        before = state()
        (message,) = run(client, action, member)
        assert message.startswith("1 ")
        assert state() != before

    def test_more_than_one_request_can_do_is_refused_whole(
        self, action: str, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(actions, "MAX_ROWS", 2)
        members = MemberFactory.create_batch(3)
        before = state()
        assert run(admin_client, action, *members) == ["Nothing was done: please choose at most 2 at a time."]
        assert state() == before
