"""The groups of admins: their permissions, and assigning them on the page of a member."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.sql import emit_post_migrate_signal
from django.test import Client

from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import groups
from sailing.admin.tests.helpers import group_client, staff_client

pytestmark = pytest.mark.django_db

SUBSCRIBERS = "/admin/newsletter/subscription/"
PLANNED = {"export_subscription", "export_user", "view_outboxemail", "change_outboxemail"}


def get_codenames(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


@pytest.mark.parametrize("group", groups.GROUPS, ids=lambda group: group.name)
def test_migrations_grant_the_permissions(group: groups.AdminGroup) -> None:
    wanted = {name.partition(".")[2] for name in group.permissions}
    assert wanted - PLANNED <= get_codenames(group.name) <= wanted


def test_next_migration_run_grants_new_permissions_and_withdraws_others() -> None:
    managers = Group.objects.get(name="Managers")
    managers.permissions.set(Permission.objects.filter(codename__in=["delete_user"]))
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")  # what `migrate` ends with
    assert "change_subscription" in get_codenames("Managers")
    assert "delete_user" not in get_codenames("Managers")


@pytest.mark.parametrize(
    ("codename", "description"),
    [
        ("view_campaign", "Campaigns: view"),
        ("send_campaign", "Campaigns: send"),
        ("view_campaign_figures", "Campaigns: view figures"),
        ("export_subscription", "Subscribers: export"),
    ],
)
def test_permissions_of_a_model_have_distinct_names(codename: str, description: str) -> None:
    assert groups.describe_permission(Permission.objects.get(codename=codename)) == description


@pytest.mark.parametrize(
    ("group", "allowed"),
    [
        ("Managers", {"send_campaign", "view_campaign_figures"}),
        ("Editors", set()),
        ("Viewers", {"view_campaign_figures"}),
    ],
)
def test_sending_and_figures_are_granted_apart_from_writing(group: str, allowed: set[str]) -> None:
    assert get_codenames(group) & {"send_campaign", "view_campaign_figures"} == allowed


class TestPages:
    def test_viewer_sees_and_changes_nothing(self) -> None:
        subscription = SubscriptionFactory()
        client = group_client("Viewers")
        for path in (SUBSCRIBERS, "/admin/accounts/user/", "/admin/jobs/job/"):
            assert client.get(path).status_code == 200
        assert 'value="unsubscribe"' not in client.get(SUBSCRIBERS).content.decode()
        assert client.get("/admin/imports/importbatch/import/").status_code == 403
        assert client.get(f"{SUBSCRIBERS}{subscription.pk}/delete/").status_code == 403

    def test_editor_changes_and_imports_subscribers_only(self) -> None:
        subscription = SubscriptionFactory()
        client = group_client("Editors")
        assert 'value="unsubscribe"' in client.get(SUBSCRIBERS).content.decode()
        assert client.get("/admin/imports/importbatch/import/").status_code == 200
        assert client.get(f"{SUBSCRIBERS}{subscription.pk}/delete/").status_code == 403
        for path in ("/admin/accounts/user/", "/admin/jobs/job/"):
            assert client.get(path).status_code == 403

    def test_manager_erases_subscribers_and_sees_members(self) -> None:
        subscription = SubscriptionFactory()
        client = group_client("Managers")
        assert client.get(f"{SUBSCRIBERS}{subscription.pk}/delete/").status_code == 200
        page = client.get("/admin/accounts/user/").content.decode()
        assert 'value="deactivate"' not in page


class TestMemberPage:
    def test_superuser_puts_a_member_into_a_group(self, admin_client: Client) -> None:
        member = MemberFactory(is_staff=True)
        url = f"/admin/accounts/user/{member.pk}/change/"
        assert "<strong>Editors</strong> Subscribers with imports" in admin_client.get(url).content.decode()
        editors = Group.objects.get(name="Editors")
        form = {"email": member.email, "language": "en", "is_staff": "on"}
        assert admin_client.post(url, {**form, "groups": [editors.pk]}).status_code == 302
        assert list(member.groups.all()) == [editors]

    def test_only_permissions_with_a_page_are_offered(self, admin_client: Client) -> None:
        jobs = ContentType.objects.get(app_label="jobs", model="job")
        Permission.objects.create(content_type=jobs, codename="add_job", name="of an earlier release")
        url = f"/admin/accounts/user/{MemberFactory().pk}/change/"
        form = admin_client.get(url).context["adminform"].form
        offered = {permission.codename for permission in form.fields["user_permissions"].queryset}
        assert {"view_user", "change_subscription", "view_job"} <= offered
        assert not {"add_group", "view_session", "add_job", "delete_job", "change_logentry"} & offered
        admin_client.cookies["django_language"] = "cs"
        page = admin_client.get(url).content.decode()
        for label in (
            '<span class="visually-hidden">Odběratelé: </span>měnit',
            "<strong>Editoři</strong> Odběratelé",
        ):
            assert label in page

    def test_others_see_the_rights_and_cannot_change_them(self) -> None:
        client = staff_client("view_user", "change_user")
        member = MemberFactory()
        member.groups.add(Group.objects.get(name="Editors"))
        member.user_permissions.add(Permission.objects.get(codename="view_job"))
        url = f"/admin/accounts/user/{member.pk}/change/"
        page = client.get(url).content.decode()
        assert "Editors" in page
        assert "Background jobs: view" in page
        managers = Group.objects.get(name="Managers")
        form = {"email": member.email, "language": "en", "groups": [managers.pk]}
        assert client.post(url, form).status_code == 302
        assert [group.name for group in member.groups.all()] == ["Editors"]


@pytest.mark.parametrize("group", [group.name for group in groups.GROUPS])
def test_no_group_exports_members(group: str) -> None:
    assert "export_user" not in get_codenames(group)
