"""The page of one member in Django admin: state, buttons, history."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client

from accounts.admin import describe_state
from accounts.models import User
from accounts.tests.factories import PASSWORD, MemberFactory
from sailing.admin import second_factor
from sailing.admin.tests.helpers import staff_client
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/user/"
USUAL = {"send_reset_mail", "sign_out_everywhere", "deactivate", "delete"}
MEMBERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, USUAL | {"resend_verification"}),
    ({"is_email_verified": True}, USUAL),
    ({"password": None}, USUAL),
    ({"is_active": False}, {"activate", "delete"}),
]
ACTIONS = [
    "send_reset_mail",
    "resend_verification",
    "sign_out_everywhere",
    "reset_second_factor",
    "activate",
    "deactivate",
]


def get_path(member: User, name: str = "change") -> str:
    return f"{LIST}{member.pk}/{name}/"


def list_buttons(client: Client, member: User) -> set[str]:
    page = client.get(get_path(member)).content.decode()
    return set(re.findall(f"{LIST}{member.pk}/(\\w+)/", page)) - {"change"}


def get_state() -> tuple[Any, ...]:
    """Return everything that a button could change, but for the second factor."""
    return (list(User.objects.order_by("pk").values_list("is_active", "token_version")), len(mails()))


def set_up_second_factor(user: User) -> None:
    user.totpdevice_set.create(confirmed=True)  # type: ignore[attr-defined]


class TestButtons:
    @pytest.mark.parametrize(("values", "buttons"), MEMBERS)
    def test_state_and_permissions_decide_on_the_buttons(
        self, admin_client: Client, values: dict[str, Any], buttons: set[str]
    ) -> None:
        member = MemberFactory(**values)
        assert list_buttons(admin_client, member) == buttons
        assert list_buttons(staff_client("view_user", "change_user"), member) == buttons - {"delete"}

    def test_rare_buttons_are_in_a_menu(self, admin_client: Client) -> None:
        member = MemberFactory()
        set_up_second_factor(member)
        page = admin_client.get(get_path(member)).content.decode()
        menu = page.partition('<details class="menu">')[2].partition("</details>")[0]
        rare = {"sign_out_everywhere", "reset_second_factor", "deactivate", "delete"}
        assert set(re.findall(f"{LIST}{member.pk}/(\\w+)/", menu)) == rare

    def test_admin_who_changes_members_cannot_act_on_a_superuser(self) -> None:
        client = staff_client("view_user", "change_user", "delete_user")
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        set_up_second_factor(boss)
        before = get_state()
        assert list_buttons(client, boss) == set()
        for action in ACTIONS:
            assert client.post(get_path(boss, action)).status_code == 403
        assert get_state() == before
        assert second_factor.is_set_up(boss)

    def test_only_a_superuser_resets_the_second_factor(self, admin_client: Client) -> None:
        member = MemberFactory()
        set_up_second_factor(member)
        client = staff_client("view_user", "change_user")
        assert "reset_second_factor" not in list_buttons(client, member)
        assert client.post(get_path(member, "reset_second_factor")).status_code == 403
        assert "reset_second_factor" in list_buttons(admin_client, member)
        admin_client.post(get_path(member, "reset_second_factor"))
        assert not second_factor.is_set_up(member)

    def test_action_that_is_refused_says_why(self, admin_client: Client) -> None:
        member = MemberFactory(is_email_verified=True)
        page = admin_client.post(get_path(member, "resend_verification"), follow=True)
        assert [str(message) for message in page.context["messages"]] == [
            "Nothing was changed: verified already."
        ]
        assert admin_client.post(f"{LIST}0/deactivate/").status_code == 404


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "No sign-in yet."),
        (
            {"email_undeliverable_at": datetime(2025, 5, 1, tzinfo=UTC)},
            "Emails to the address have come back since May\xa01,\xa02025. No sign-in yet.",
        ),
        (
            {"last_login": datetime(2025, 5, 2, tzinfo=UTC)},
            "Last sign-in: May\xa02,\xa02025.",
        ),
    ],
)
def test_page_says_what_state_the_member_is_in(values: dict[str, Any], text: str) -> None:
    assert describe_state(MemberFactory(**values)) == text


def test_page_shows_the_state_and_no_hash_of_the_password(admin_client: Client) -> None:
    page = admin_client.get(get_path(MemberFactory(is_staff=True))).content.decode()
    assert "<span>No sign-in yet.</span>" in page
    assert "argon2" not in page


class TestHistory:
    def test_changes_and_mails_are_listed_the_newest_first(
        self, admin_client: Client, admin_user: User
    ) -> None:
        member, other = MemberFactory(), MemberFactory()
        User.objects.update(created_at=datetime(2025, 1, 1, tzinfo=UTC))
        LogEntry.objects.log_actions(admin_user.pk, [other], CHANGE, "Activated.")
        admin_client.post(get_path(member, "deactivate"))
        admin_client.post(get_path(member, "activate"))
        admin_client.post(get_path(member, "send_reset_mail"))
        entries = admin_client.get(get_path(member)).context["entries"]
        assert [entry.text for entry in entries[-3:]] == ["Activated.", "Deactivated.", "Account created"]
        assert {entry.text for entry in entries[:-3]} == {
            "Password link sent.",
            "Email “Choose a new password”",
        }

    def test_mails_need_the_permission_to_see_the_outbox(self, admin_client: Client) -> None:
        member = MemberFactory()
        admin_client.post(get_path(member, "send_reset_mail"))
        for permissions, is_shown in ((("view_user",), False), (("view_user", "view_outboxemail"), True)):
            client = staff_client(*permissions, email=f"{len(permissions)}@example.com")
            assert ("Email “" in client.get(get_path(member)).content.decode()) is is_shown
