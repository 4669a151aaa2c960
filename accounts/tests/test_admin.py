"""Members in Django admin."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/user/"
PASSWORD = "fair winds 2025"


def staff(*permissions: str) -> Client:
    """A signed-in admin, no superuser, with these permissions."""
    user = User.objects.create_user("staff@example.com", PASSWORD, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def form(member: User, **values: str) -> dict[str, str]:
    return {"email": member.email, "is_active": "on", **values}


def test_members_are_found_by_email_and_name(admin_client: Client) -> None:
    User.objects.create_user("jana@example.com", PASSWORD, first_name="Jana", last_name="Nováková")
    User.objects.create_user("petr@example.com", PASSWORD)
    for query in ("JANA@", "nováková"):
        rows = admin_client.get(LIST, {"q": query}).context["cl"].result_list
        assert [member.email for member in rows] == ["jana@example.com"]


@pytest.mark.parametrize("rows", [1, 40])
def test_the_number_of_queries_does_not_grow_with_the_rows(
    admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries, rows: int
) -> None:
    for number in range(rows):
        User.objects.create(email=f"{number}@example.com")
    with django_assert_num_queries(4):
        admin_client.get(LIST)


class TestAdding:
    def test_a_member_gets_an_address_in_one_spelling_and_a_password(self, admin_client: Client) -> None:
        admin_client.post(
            f"{LIST}add/",
            {
                "email": " New.Member@Example.COM ",
                "usable_password": "true",
                "password1": PASSWORD,
                "password2": PASSWORD,
            },
        )
        member = User.objects.get(email="new.member@example.com")
        assert member.check_password(PASSWORD)
        assert not member.is_staff

    def test_a_taken_address_in_other_letters_is_an_error_of_the_field(self, admin_client: Client) -> None:
        User.objects.create_user("taken@example.com", PASSWORD)
        passwords = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
        response = admin_client.post(f"{LIST}add/", {"email": "TAKEN@example.com", **passwords})
        assert response.status_code == 200
        assert response.context["adminform"].form.errors["email"]

    def test_a_common_password_is_refused(self, admin_client: Client) -> None:
        passwords = {"usable_password": "true", "password1": "password1", "password2": "password1"}
        response = admin_client.post(f"{LIST}add/", {"email": "new@example.com", **passwords})
        assert response.context["adminform"].form.errors["password2"]


class TestChanging:
    def test_another_address_is_not_verified(self, admin_client: Client) -> None:
        member = User.objects.create_user("old@example.com", PASSWORD, is_email_verified=True)
        admin_client.post(f"{LIST}{member.pk}/change/", form(member, first_name="Jana"))
        member.refresh_from_db()
        assert (member.first_name, member.is_email_verified) == ("Jana", True)
        admin_client.post(f"{LIST}{member.pk}/change/", form(member, email="New@example.com"))
        member.refresh_from_db()
        assert (member.email, member.is_email_verified) == ("new@example.com", False)

    def test_a_new_password_makes_all_tokens_useless(self, admin_client: Client) -> None:
        member = User.objects.create_user("member@example.com", PASSWORD)
        new = "another wind 2025"
        admin_client.post(
            f"{LIST}{member.pk}/password/", {"usable_password": "true", "password1": new, "password2": new}
        )
        before = member.token_version
        member.refresh_from_db()
        assert member.check_password(new)
        assert member.token_version > before


class TestLiftingOneselfUp:
    def test_an_admin_who_is_no_superuser_gives_no_rights(self) -> None:
        client = staff("view_user", "change_user")
        member = User.objects.create_user("member@example.com", PASSWORD)
        rights = {"is_staff": "on", "is_superuser": "on", "user_permissions": "1"}
        response = client.post(f"{LIST}{member.pk}/change/", form(member, first_name="Jana", **rights))
        assert response.status_code == 302
        member.refresh_from_db()
        assert member.first_name == "Jana"
        assert not member.is_staff
        assert not member.is_superuser
        assert not member.user_permissions.exists()

    @pytest.mark.parametrize("page", ["change", "password", "delete"])
    def test_nor_touches_another_admin(self, page: str) -> None:
        client = staff("view_user", "change_user", "delete_user")
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        new = "another wind 2025"
        data = {"usable_password": "true", "password1": new, "password2": new, "post": "yes"}
        response = client.post(f"{LIST}{boss.pk}/{page}/", form(boss, email="mine@example.com", **data))
        assert response.status_code == 403
        boss.refresh_from_db()
        assert boss.email == "boss@example.com"
        assert boss.check_password(PASSWORD)

    def test_nor_deletes_one_among_others(self) -> None:
        client = staff("view_user", "delete_user")
        boss = User.objects.create_superuser("boss@example.com", PASSWORD)
        client.post(LIST, {"action": "delete_selected", "_selected_action": [str(boss.pk)], "post": "yes"})
        assert User.objects.filter(pk=boss.pk).exists()
