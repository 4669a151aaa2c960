"""Members in Django admin: the list, the forms, the actions, and the page of one member."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import tokens
from accounts.admin import describe_state
from accounts.models import User
from accounts.tests.api import call
from accounts.tests.factories import NEW_PASSWORD, NEW_PASSWORDS, PASSWORD, MemberFactory
from accounts.tests.mailbox import reset_address
from sailing.admin import second_factor
from sailing.admin.tests.helpers import run_action, staff_client
from tests.database import before_statement
from tests.mailbox import latest, mails

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LIST = "/admin/accounts/user/"
ACTIONS = ["send_reset_mail", "resend_verification", "sign_out_everywhere", "deactivate"]
"""Those for which the permission to change members is enough."""


def get_path(member: User, name: str = "change") -> str:
    return f"{LIST}{member.pk}/{name}/"


def change(client: Client, member: User, **values: str) -> Any:
    """Submit the page of a member as it was shown, with some values changed."""
    shown = {"email": member.email, "language": member.language}
    hidden = {f"initial-{name}": value for name, value in shown.items()}
    response = client.post(get_path(member), {**hidden, **shown, **values})
    member.refresh_from_db()
    return response


def get_state() -> tuple[Any, ...]:
    """Return everything that an action could change, but for the second factor."""
    return (list(User.objects.order_by("pk").values_list("is_active", "token_version")), len(mails()))


class TestList:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("email_state=verified", {"jana"}),
            ("email_state=unverified", {"admin", "gone"}),
            ("email_state=undeliverable", {"petr"}),
            ("favorite_position__exact=Helmsman", {"jana"}),
            ("account=active", {"jana", "petr"}),
            ("account=admin", {"admin"}),
            ("account=deactivated", {"gone"}),
            ("q=PETR@", {"petr"}),
            ("q=skipper", {"jana"}),
            ("q=%25", set()),
        ],
    )
    def test_filters_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        verified = {"is_email_verified": True, "favorite_position": "Helmsman"}
        MemberFactory(email="jana@example.com", nickname="Skipper", **verified)
        MemberFactory(email="petr@example.com", email_undeliverable_at=datetime(2025, 5, 1, tzinfo=UTC))
        MemberFactory(email="gone@example.com", is_active=False)
        page = admin_client.get(f"{LIST}?{query}")
        members = {member.email.removesuffix("@example.com") for member in page.context["cl"].result_list}
        assert (members, ">Deactivated</span>" in page.text) == (found, "gone" in found)

    def test_hash_of_a_password_cannot_be_guessed_by_a_filter(self) -> None:
        assert staff_client("view_user").get(f"{LIST}?password__startswith=argon2").status_code == 400


class TestAdd:
    def test_new_member_gets_a_link_to_choose_a_password(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        sent = {"email": " New.Member@Example.COM ", "first_name": "Jana", "language": "cs"}
        response = admin_client.post(f"{LIST}add/", sent)
        member = User.objects.get(email="new.member@example.com")
        assert response.headers["Location"] == get_path(member)
        assert (member.first_name, member.is_staff) == ("Jana", False)
        assert not member.has_usable_password()
        assert (latest().recipient, latest().subject) == (member.email, "Zvolte si heslo ke svému účtu")
        Client().post(reset_address(latest()), NEW_PASSWORDS)
        member.refresh_from_db()
        assert member.check_password(NEW_PASSWORD)
        assert member.is_email_verified
        response = admin_client.post(f"{LIST}add/", sent)
        errors = response.context["adminform"].form.errors["email"]
        assert errors == ["An account with this email already exists."]


class TestChange:
    def test_everything_that_members_state_can_be_changed(self, admin_client: Client, member: User) -> None:
        stated = {
            **dict.fromkeys(User.PROFILE_FIELDS, "Jana"),
            "captain_license_number": "CZ-12345",
            "favorite_position": "Helmsman",
            "language": "cs",
        }
        change(admin_client, member, **stated, captain_license="on", is_email_verified="on")
        assert {name: getattr(member, name) for name in stated} == stated
        assert member.captain_license
        assert not member.is_email_verified, "only the owner verifies an address"
        refused = change(admin_client, member, nickname="Ja\N{RIGHT-TO-LEFT OVERRIDE}na")
        assert list(refused.context["adminform"].form.errors) == ["nickname"]
        change(admin_client, member, nickname="\N{ZERO WIDTH SPACE} Eva")
        assert member.nickname == "Eva"

    def test_changed_address_is_unverified_and_ends_all_sessions(self, admin_client: Client) -> None:
        states = {"is_email_verified": True, "email_undeliverable_at": datetime(2025, 5, 1, tzinfo=UTC)}
        member = User.objects.create_superuser("old@example.com", PASSWORD, **states)
        token, browser = tokens.issue(member), Client()
        browser.force_login(member)
        for values, is_kept in (({"first_name": "Jana"}, True), ({"email": "new@example.com"}, False)):
            change(admin_client, member, **values)
            assert member.is_email_verified is bool(member.email_undeliverable_at) is is_kept
            assert ("errors" not in call("me", token=token).body) is is_kept
            assert browser.get("/admin/").status_code == (200 if is_kept else 302)
        assert member.email == "new@example.com"
        assert member.was_email_verified

    def test_saving_keeps_concurrent_changes_of_the_member(self, admin_client: Client, member: User) -> None:
        own = User.objects.filter(pk=member.pk)
        changed = {"phone": "+420 777 123 456", "token_version": 99}
        with before_statement('UPDATE "accounts_user"', lambda: own.update(**changed)):
            change(admin_client, member, first_name="Jana", last_name="Nováková", nickname="new")
        assert (member.nickname, member.phone, member.token_version) == ("new", "+420 777 123 456", 99)

    def test_page_opened_before_a_change_of_the_member_or_the_role_does_not_revert_it(
        self, admin_client: Client
    ) -> None:
        member = MemberFactory(email="old@example.com", is_email_verified=True, phone="", is_staff=True)
        shown = admin_client.get(get_path(member)).content.decode()
        assert '<input type="hidden" name="initial-email" value="old@example.com"' in shown
        User.objects.filter(pk=member.pk).update(email="new@example.com", phone="777")
        member.groups.set(Group.objects.filter(name="Editors"))
        for values in ({"nickname": "Skipper"}, {}):
            change(admin_client, member, **{"role": "", "initial-role": "", **values})
        assert (member.email, member.phone, member.nickname) == ("new@example.com", "777", "Skipper")
        assert member.is_email_verified
        assert member.groups.get().name == "Editors"

    def test_superuser_cannot_clear_their_own_access(self, admin_client: Client, admin_user: User) -> None:
        shown = admin_client.get(get_path(admin_user)).content.decode()
        for name in ('name="role"', "/deactivate/", "/reset_second_factor/"):
            assert name not in shown
        change(admin_client, admin_user, first_name="Jana", role="")
        for action in ("deactivate", "reset_second_factor"):
            assert admin_client.post(get_path(admin_user, action)).status_code == 403
        message = run_action(admin_client, LIST, "deactivate", admin_user)[-1]
        assert message == "Nothing was changed: this is you."
        admin_user.refresh_from_db()
        assert (admin_user.first_name, admin_user.is_active) == ("Jana", True)
        assert (admin_user.is_staff, admin_user.is_superuser) == (True, True)


class TestPermissions:
    def test_staff_cannot_grant_rights(self, member: User) -> None:
        client = staff_client("view_user", "change_user")
        rights = {"role": "superuser", "is_staff": "on", "is_superuser": "on", "user_permissions": "1"}
        change(client, member, first_name="Eva", **rights)
        assert member.first_name == "Eva"
        assert (member.is_staff, member.is_superuser) == (False, False)
        assert not member.user_permissions.exists()
        assert client.post(f"{LIST}add/", {"email": "new@example.com", "language": "en"}).status_code == 403

    def test_staff_cannot_act_on_an_admin(self) -> None:
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        TOTPDevice.objects.create(user=boss)
        client = staff_client("view_user", "change_user", "delete_user")
        before, pages = get_state(), ["change", "delete", *ACTIONS, "reset_second_factor", "activate"]
        data = {"email": "mine@example.com", "language": "en", "post": "yes"}
        assert {client.post(get_path(boss, page), data).status_code for page in pages} == {403}
        assert list_buttons(client, boss) == set()
        for action in ACTIONS:
            assert run_action(client, LIST, action, boss) == [
                "Nothing was changed: only a superuser may do this with an admin."
            ]
        assert get_state() == before
        boss.refresh_from_db()
        assert boss.email == "boss@example.com"
        assert second_factor.is_set_up(boss)

    @pytest.mark.parametrize("action", ACTIONS)
    def test_permission_to_change_is_enough_and_the_action_is_in_the_history(
        self, member: User, action: str
    ) -> None:
        viewer = staff_client("view_user", email="viewer@example.com")
        client, before = staff_client("view_user", "change_user"), get_state()
        run_action(viewer, LIST, action, member)
        assert get_state() == before
        assert f'value="{action}"' not in viewer.get(LIST).content.decode()
        (message,) = run_action(client, LIST, action, member)
        assert get_state() != before
        entry = LogEntry.objects.get()
        assert (entry.object_id, entry.change_message) == (str(member.pk), message)

    def test_only_a_superuser_resets_the_second_factor(self, admin_client: Client, member: User) -> None:
        TOTPDevice.objects.create(user=member)
        assert "reset_second_factor" not in list_buttons(staff_client("view_user", "change_user"), member)
        assert "reset_second_factor" in list_buttons(admin_client, member)
        admin_client.post(get_path(member, "reset_second_factor"))
        assert not second_factor.is_set_up(member)


class TestActions:
    @pytest.mark.parametrize(
        ("action", "sent", "skipped"),
        [
            ("send_reset_mail", 3, ["deactivated"]),
            (
                "resend_verification",
                1,
                ["deactivated", "has no password yet, so send a password link", "verified already"],
            ),
        ],
    )
    def test_members_who_get_no_mail_are_reported_with_a_reason(
        self, admin_client: Client, member: User, action: str, sent: int, skipped: list[str]
    ) -> None:
        others = [MemberFactory(**each) for each in ({"is_email_verified": True}, {"password": None})]
        members = [member, *others, MemberFactory(is_active=False)]
        done, *reasons = run_action(admin_client, LIST, action, *members)
        assert done == f"Done: {sent}."
        assert sorted(reasons) == [f"Skipped: 1 ({reason})." for reason in skipped]
        assert run_action(admin_client, LIST, action, member) == [
            "Nothing was changed: got such an email less than three minutes ago."
        ]
        assert len(mails()) == sent

    def test_deactivation_ends_tokens_for_good_and_refuses_sign_in(
        self, admin_client: Client, member: User, token: str
    ) -> None:
        gone = MemberFactory(is_active=False)
        assert run_action(admin_client, LIST, "deactivate", member, gone) == [
            "Done: 1.",
            "Skipped: 1 (deactivated already).",
        ]
        signing_in: dict[str, Any] = {"email": member.email, "password": PASSWORD}
        assert call("signIn", **signing_in).error["code"] == "INVALID_CREDENTIALS"
        admin_client.post(get_path(member, "activate"))
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
        assert call("signIn", **signing_in).data["token"]


def list_buttons(client: Client, member: User) -> set[str]:
    page = client.get(get_path(member)).content.decode()
    return set(re.findall(f"{LIST}{member.pk}/(\\w+)/", page)) - {"change"}


class TestPage:
    USUAL = {"send_reset_mail", "sign_out_everywhere", "deactivate", "delete"}

    @pytest.mark.parametrize(
        ("values", "buttons"),
        [
            ({}, USUAL | {"resend_verification"}),
            ({"is_email_verified": True}, USUAL),
            ({"password": None}, USUAL),
            ({"is_active": False}, {"activate", "delete"}),
        ],
    )
    def test_state_and_permissions_decide_on_the_buttons(
        self, admin_client: Client, values: dict[str, Any], buttons: set[str]
    ) -> None:
        member = MemberFactory(**values)
        assert list_buttons(admin_client, member) == buttons
        client = staff_client("view_user", "change_user")
        assert list_buttons(client, member) == buttons - {"delete"}
        assert ("rare-buttons" in client.get(get_path(member)).content.decode()) is member.is_active

    def test_page_says_what_state_the_member_is_in_and_shows_no_hash(self, admin_client: Client) -> None:
        member = MemberFactory(email_undeliverable_at=datetime(2025, 4, 1, tzinfo=UTC), is_staff=True)
        bounced = "Emails to the address have come back since Apr\xa01,\xa02025."
        page = admin_client.get(get_path(member)).content.decode()
        assert '<option value="" selected>Not given</option>' in page
        assert f"<span>{bounced} No sign-in yet.</span>" in page
        assert "argon2" not in page
        member.last_login = datetime(2025, 5, 2, tzinfo=UTC)
        assert describe_state(member) == f"{bounced} Last sign-in: May\xa02,\xa02025."

    def test_changes_are_listed_and_mails_to_those_who_may_see_the_outbox(self, admin_client: Client) -> None:
        member, mail = MemberFactory(), "Email “Choose a new password”"
        admin_client.post(get_path(member, "send_reset_mail"))
        entries = {entry.text for entry in admin_client.get(get_path(member)).context["entries"]}
        assert entries == {"Account created", "Password link sent.", mail}
        assert mail not in staff_client("view_user").get(get_path(member)).content.decode()
