"""Members in Django admin."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts import tokens
from accounts.models import User
from accounts.tests.conftest import Call
from accounts.tests.factories import PASSWORD, MemberFactory
from accounts.tests.mailbox import reset_address
from sailing.admin.tests.helpers import staff_client
from tests.mailbox import latest, mails

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/user/"
NEW = "New winds, 2026!"


def get_form_values(member: User, **values: str) -> dict[str, str]:
    """Return what the page of a member sends: the values now, and those that it showed."""
    shown = {"email": member.email, "language": member.language}
    return {**{f"initial-{name}": value for name, value in shown.items()}, **shown, **values}


def test_filters_and_search(admin_client: Client) -> None:
    MemberFactory(
        email="jana@example.com", nickname="Skipper", favorite_position="Helmsman", is_email_verified=True
    )
    MemberFactory(email="petr@example.com")
    MemberFactory(email="gone@example.com", is_active=False)
    for query, found in {
        "email_state=verified": {"jana"},
        "email_state=unverified": {"admin", "petr", "gone"},
        "favorite_position__exact=Helmsman": {"jana"},
        "account=active": {"jana", "petr"},
        "account=admin": {"admin"},
        "account=deactivated": {"gone"},
        "q=PETR@": {"petr"},
        "q=skipper": {"jana"},
        "q=%25": set(),
    }.items():
        members = admin_client.get(f"{LIST}?{query}").context["cl"].result_list
        assert {member.email.removesuffix("@example.com") for member in members} == found, query


def test_list_shows_badges_and_the_last_sign_in(admin_client: Client) -> None:
    MemberFactory(is_email_verified=True, last_login=datetime(2020, 5, 1, 12, tzinfo=UTC))
    MemberFactory(is_active=False)
    page = admin_client.get(LIST).content.decode()
    for badge in (
        '<span class="badge badge-good">Verified</span>',
        '<span class="badge badge-waiting">Unverified</span>',
        '<span class="badge badge-good">Active</span>',
        '<span class="badge badge-off">Deactivated</span>',
        '<span class="badge badge-planned">Admin</span>',
    ):
        assert badge in page
    assert 'field-last_sign_in is-hidden">May\xa01,\xa02020' in page
    assert 'field-last_sign_in is-hidden">Never</td>' in page


def test_number_of_queries_does_not_depend_on_the_rows(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    admin_client.get(LIST)  # the first visit also stores which database this is
    for number in range(20):
        User.objects.create(email=f"{number}@example.com")
    with django_assert_max_num_queries(8):
        admin_client.get(LIST)


class TestAdd:
    def test_new_member_gets_a_link_to_choose_a_password(self, admin_client: Client) -> None:
        sent = {"email": " New.Member@Example.COM ", "first_name": "Jana", "language": "cs"}
        response = admin_client.post(f"{LIST}add/", sent)
        member = User.objects.get(email="new.member@example.com")
        assert response.headers["Location"] == f"{LIST}{member.pk}/change/"
        assert (member.first_name, member.is_staff) == ("Jana", False)
        assert not member.has_usable_password()
        assert (latest().recipient, latest().subject) == (member.email, "Zvolte si heslo ke svému účtu")
        Client().post(reset_address(latest()), {"new_password1": NEW, "new_password2": NEW})
        member.refresh_from_db()
        assert member.check_password(NEW)
        assert member.is_email_verified

    def test_language_of_the_emails_is_that_of_the_admin_at_first(self, admin_client: Client) -> None:
        admin_client.cookies["django_language"] = "cs"
        page = admin_client.get(f"{LIST}add/").content.decode()
        assert '<option value="cs" selected>' in page

    def test_adding_needs_its_permissions(self) -> None:
        client = staff_client("view_user", "change_user")
        assert "Add a member" not in client.get(LIST).content.decode()
        assert client.post(f"{LIST}add/", {"email": "new@example.com", "language": "en"}).status_code == 403
        assert not mails()

    def test_taken_address_is_refused_in_any_letter_case(self, admin_client: Client) -> None:
        User.objects.create_user("taken@example.com", PASSWORD)
        response = admin_client.post(f"{LIST}add/", {"email": "TAKEN@example.com", "language": "en"})
        assert response.status_code == 200
        errors = response.context["adminform"].form.errors["email"]
        assert errors == ["An account with this email already exists."]
        assert not mails()


class TestChange:
    def test_everything_that_members_state_can_be_changed(self, admin_client: Client) -> None:
        member = MemberFactory(language="en")
        stated = {
            **dict.fromkeys(User.PROFILE_FIELDS, "Jana"),
            "captain_license_number": "CZ-12345",
            "favorite_position": "Helmsman",
            "language": "cs",
        }
        form = get_form_values(member, **stated, captain_license="on")
        assert admin_client.post(f"{LIST}{member.pk}/change/", form).status_code == 302
        member.refresh_from_db()
        assert {name: getattr(member, name) for name in stated} == stated
        assert member.captain_license

    def test_texts_are_trimmed_and_refuse_characters_that_reverse_text(self, admin_client: Client) -> None:
        member = MemberFactory(nickname="Jana")
        url = f"{LIST}{member.pk}/change/"
        response = admin_client.post(url, get_form_values(member, nickname="Ja\N{RIGHT-TO-LEFT OVERRIDE}na"))
        assert list(response.context["adminform"].form.errors) == ["nickname"]
        admin_client.post(url, get_form_values(member, nickname="\N{ZERO WIDTH SPACE} Eva"))
        member.refresh_from_db()
        assert member.nickname == "Eva"

    def test_changed_address_is_unverified_and_ends_all_sessions(
        self, admin_client: Client, call: Call
    ) -> None:
        member = User.objects.create_superuser("old@example.com", PASSWORD, is_email_verified=True)
        token, browser = tokens.issue(member), Client()
        browser.force_login(member)
        for values, email in (({"first_name": "Jana"}, "old@example.com"), ({}, "new@example.com")):
            given = get_form_values(member, **values | {"email": email})
            admin_client.post(f"{LIST}{member.pk}/change/", given)
            is_kept = email == "old@example.com"
            member.refresh_from_db()
            assert (member.email, member.is_email_verified) == (email, is_kept)
            assert ("errors" not in call("me", token=token).body) is is_kept
            assert browser.get("/admin/").status_code == (200 if is_kept else 302)
        assert member.was_email_verified

    def test_reactivation_does_not_restore_tokens(self, admin_client: Client, call: Call) -> None:
        member = MemberFactory()
        token = tokens.issue(member)
        admin_client.post(f"{LIST}{member.pk}/deactivate/")
        member.refresh_from_db()
        assert not member.is_active
        admin_client.post(f"{LIST}{member.pk}/activate/")
        member.refresh_from_db()
        assert member.is_active
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"

    def test_saving_keeps_concurrent_changes_of_the_member(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        member = MemberFactory(nickname="old")
        clean = User.clean

        def change_concurrently(self: User) -> None:
            # The member changes the row after the admin's request has read it.
            User.objects.filter(pk=self.pk).update(phone="+420 777 123 456", token_version=99)
            clean(self)

        monkeypatch.setattr(User, "clean", change_concurrently)
        values = {"first_name": member.first_name, "last_name": member.last_name, "nickname": "new"}
        admin_client.post(f"{LIST}{member.pk}/change/", get_form_values(member, **values))
        member.refresh_from_db()
        assert (member.nickname, member.phone, member.token_version) == ("new", "+420 777 123 456", 99)

    def test_page_opened_before_a_change_of_the_member_does_not_revert_it(self, admin_client: Client) -> None:
        member = MemberFactory(email="old@example.com", is_email_verified=True, phone="")
        page, form = f"{LIST}{member.pk}/change/", get_form_values(member, nickname="Skipper")
        shown = admin_client.get(page).content.decode()
        assert '<input type="hidden" name="initial-email" value="old@example.com"' in shown
        User.objects.filter(pk=member.pk).update(email="new@example.com", phone="777")
        assert admin_client.post(page, form).status_code == 302
        member.refresh_from_db()
        assert (member.email, member.phone, member.nickname) == ("new@example.com", "777", "Skipper")
        assert member.is_email_verified

    def test_page_opened_before_a_change_of_the_role_does_not_revert_it(self, admin_client: Client) -> None:
        member = MemberFactory(is_staff=True)
        member.groups.set(Group.objects.filter(name="Editors"))
        form = get_form_values(member, **{"role": "", "initial-role": ""})
        assert admin_client.post(f"{LIST}{member.pk}/change/", form).status_code == 302
        assert member.groups.get().name == "Editors"

    def test_admin_cannot_verify_an_address(self, admin_client: Client) -> None:
        member = MemberFactory()
        admin_client.post(f"{LIST}{member.pk}/change/", get_form_values(member, is_email_verified="on"))
        member.refresh_from_db()
        assert not member.is_email_verified

    def test_superuser_cannot_clear_their_own_access(self, admin_client: Client, admin_user: User) -> None:
        boss, page = admin_user, f"{LIST}{admin_user.pk}/change/"
        shown = admin_client.get(page).content.decode()
        for name in ('name="role"', "/deactivate/", "/reset_second_factor/"):
            assert name not in shown
        assert admin_client.post(page, get_form_values(boss, first_name="Jana")).status_code == 302
        for action in ("deactivate", "reset_second_factor"):
            assert admin_client.post(f"{LIST}{boss.pk}/{action}/").status_code == 403
        boss.refresh_from_db()
        assert boss.first_name == "Jana"
        assert boss.is_active
        assert boss.is_staff
        assert boss.is_superuser


class TestPassword:
    def test_own_new_password_notifies_the_admin_and_ends_other_sessions(self, client: Client) -> None:
        admin = User.objects.create_superuser("boss@example.com", PASSWORD)
        other = Client()
        for browser in (client, other):
            browser.force_login(admin)
        passwords = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
        response = client.post("/admin/password_change/", passwords)
        assert response.headers["Location"] == "/admin/password_change/done/"
        admin.refresh_from_db()
        assert admin.check_password(NEW)
        assert latest().recipient == "boss@example.com"
        assert client.get("/admin/").status_code == 200
        assert other.get("/admin/").status_code == 302

    def test_guesses_at_the_own_password_count_as_failed_sign_ins(self, admin_client: Client) -> None:
        for given in (*["Wrong winds, 2026!"] * 5, "password"):
            values = {"old_password": given, "new_password1": NEW, "new_password2": NEW}
            form = admin_client.post("/admin/password_change/", values).context["form"]
        assert "Too many attempts." in form.errors["old_password"][0]
        assert User.objects.get().check_password("password")


class TestPrivilegeEscalation:
    def test_staff_cannot_grant_rights(self) -> None:
        client = staff_client("view_user", "change_user")
        member = User.objects.create_user("member@example.com", PASSWORD)
        rights = {"role": "superuser", "is_staff": "on", "is_superuser": "on", "user_permissions": "1"}
        response = client.post(
            f"{LIST}{member.pk}/change/", get_form_values(member, first_name="Jana", **rights)
        )
        assert response.status_code == 302
        member.refresh_from_db()
        assert member.first_name == "Jana"
        assert not member.is_staff
        assert not member.is_superuser
        assert not member.user_permissions.exists()

    @pytest.mark.parametrize("page", ["change", "delete"])
    def test_staff_cannot_change_another_admin(self, page: str) -> None:
        client = staff_client("view_user", "change_user", "delete_user")
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        data = get_form_values(boss, email="mine@example.com", post="yes")
        response = client.post(f"{LIST}{boss.pk}/{page}/", data)
        assert response.status_code == 403
        boss.refresh_from_db()
        assert boss.email == "boss@example.com"

    def test_hash_of_a_password_cannot_be_guessed_by_a_filter(self) -> None:
        client = staff_client("view_user")
        assert client.get(f"{LIST}?password__startswith=argon2").status_code == 400
