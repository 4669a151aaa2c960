"""The groups of admins: their permissions, what each address answers them, and assigning them to a member."""

import re
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.sql import emit_post_migrate_signal
from django.db.models import Model
from django.template.response import SimpleTemplateResponse
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.models import Campaign
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.imports.models import ImportBatch
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import groups
from sailing.admin.tests.helpers import group_client, staff_client

pytestmark = pytest.mark.django_db


def get_codenames(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


def test_migrations_grant_exactly_the_permissions_of_each_group() -> None:
    for group in groups.GROUPS:
        wanted = {name.partition(".")[2] for name in group.permissions}
        assert get_codenames(group.name) == wanted, group.name


def test_next_migration_run_grants_new_permissions_and_withdraws_others() -> None:
    managers = Group.objects.get(name="Managers")
    managers.permissions.set(Permission.objects.filter(codename__in=["delete_user"]))
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")  # what `migrate` ends with
    assert "change_subscription" in get_codenames("Managers")
    assert "delete_user" not in get_codenames("Managers")


def test_permissions_of_a_model_have_distinct_names() -> None:
    for codename, description in (
        ("view_campaign", "Campaigns: view"),
        ("send_campaign", "Campaigns: send"),
    ):
        assert groups.describe_permission(Permission.objects.get(codename=codename)) == description


Table = dict[str, dict[str, str]]

# The groups that an address answers, by its name and the method: Managers, Editors, Viewers. One that is
# not named answers none of them.
MEMBERS: Table = {
    "accounts_user_changelist": {"get": "MV"},
    "accounts_user_change": {"get": "MV", "post": ""},
    "accounts_user_history": {"get": "MV"},
}
SUBSCRIBERS: Table = {
    "newsletter_subscription_changelist": {"get": "MEV"},
    "newsletter_subscription_growth": {"get": "MEV"},
    "newsletter_subscription_add": {"get": "M", "post": "M"},
    "newsletter_subscription_change": {"get": "MEV", "post": "ME"},
    "newsletter_subscription_delete": {"get": "M", "post": "M"},
    "newsletter_subscription_history": {"get": "MEV"},
    "newsletter_subscription_export": {"get": "M", "post": "M"},
    "newsletter_subscription_export_file": {"get": "M"},
    "newsletter_subscription_correct": {"get": "M", "post": "M"},
    "newsletter_subscription_ask_again": {"post": "M"},
    "newsletter_subscription_mark_reachable": {"post": "ME"},
    "newsletter_subscription_unsubscribe": {"post": "ME"},
    "newsletter_subscription_restore": {"post": "ME"},
}
IMPORTS: Table = {
    "imports_importbatch_changelist": {"get": "ME"},
    "imports_importbatch_change": {"get": "ME"},
    "imports_importbatch_history": {"get": "ME"},
    "imports_importbatch_import": {"get": "ME", "post": "ME"},
    "imports_importbatch_import_columns": {"get": "ME", "post": "ME"},
    "imports_importbatch_import_totals": {"get": "ME", "post": "ME"},
    "imports_importbatch_import_slice": {"post": "ME"},
    "imports_importbatch_bad_rows": {"get": "ME"},
    "imports_importbatch_undo": {"post": "M"},  # of another admin
}
CAMPAIGNS: Table = {
    "campaigns_campaign_changelist": {"get": "MEV"},
    "campaigns_campaign_add": {"get": "ME", "post": "ME"},
    "campaigns_campaign_change": {"get": "MEV", "post": "ME"},
    "campaigns_campaign_delete": {"get": "ME", "post": "ME"},
    "campaigns_campaign_history": {"get": "MEV"},
    "campaigns_campaign_check": {"post": "ME"},
    "campaigns_campaign_count": {"post": "ME"},
    "campaigns_campaign_test": {"get": "ME", "post": "ME"},
    "campaigns_campaign_duplicate": {"get": "ME", "post": "ME"},
    "campaigns_campaign_send": {"get": "M", "post": "M"},
    "campaigns_campaign_results": {"get": "MEV"},
    "campaigns_campaign_status": {"get": "MEV"},
    "campaigns_campaign_pause": {"post": "M"},
    "campaigns_campaign_resume": {"post": "M"},
    "campaigns_campaign_cancel": {"post": "M"},
    "campaigns_campaign_unschedule": {"post": "M"},
    "campaigns_campaign_publish": {"post": "M"},
    "campaigns_campaign_withdraw": {"post": "M"},
    "campaigns_campaign_series": {"get": "MEV"},
    "campaigns_campaign_turn_off": {"post": "M"},
}
TABLES: list[tuple[type[Model], Any, Table]] = [
    (User, MemberFactory, MEMBERS),
    (Subscription, SubscriptionFactory, SUBSCRIBERS),
    (ImportBatch, partial(ImportBatch.objects.create, file_name="list.csv"), IMPORTS),
    (Campaign, CampaignFactory, CAMPAIGNS),
]
PERSONS = ["Managers", "Editors", "Viewers", "staff", "visitor"]
"""The groups, an admin in none of them, and who is not signed in."""


def sign_in(person: str) -> Client:
    if person == "visitor":
        return Client()
    return staff_client() if person == "staff" else group_client(person)


def get_parameters(model: type[Model]) -> dict[str, list[str]]:
    """Return the names of the addresses of a model, with those of their parameters."""
    urls = admin.site.get_model_admin(model).get_urls()
    return {url.name: list(url.pattern.converters) for url in urls if url.name}


def get_address(model: type[Model], name: str, row: Model) -> str:
    """Return an address about a row. There is no file and no job of the number 1."""
    others = {"file_id": 1, "job_id": 1, "number": 1, "user_type": "sailor"}
    values: dict[str, Any] = {each: others.get(each, row.pk) for each in get_parameters(model)[name]}
    return reverse(f"admin:{name}", kwargs=values)


def is_allowed(person: str, groups_allowed: str) -> bool:
    return person in PERSONS[:3] and person[0] in groups_allowed


@pytest.mark.parametrize(
    ("model", "create", "table"), TABLES, ids=lambda value: value.__name__ if isinstance(value, type) else ""
)
class TestAddresses:
    def test_table_names_addresses_that_exist(self, model: type[Model], create: Any, table: Table) -> None:
        assert table.keys() <= get_parameters(model).keys()

    @pytest.mark.parametrize("person", PERSONS)
    def test_each_answers_whom_it_may(
        self, model: type[Model], create: Any, table: Table, person: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")  # only the status matters
        client, row = sign_in(person), create()
        for name in get_parameters(model):
            for method, allowed in table.get(name, {"get": "", "post": ""}).items():
                changes_row = method == "post" and is_allowed(person, allowed)
                address = get_address(model, name, create() if changes_row else row)
                response = getattr(client, method)(address)
                if person == "visitor":
                    assert response.headers["Location"].startswith("/admin/login/?next="), name
                else:
                    is_refused = response.status_code in (403, 405)
                    assert is_refused is not is_allowed(person, allowed), (name, method)


@pytest.mark.parametrize(
    ("person", "model"),
    [
        *(("Viewers", model) for model in (User, Subscription, Campaign)),
        *(("Editors", model) for model in (Subscription, ImportBatch, Campaign)),
    ],
)
def test_pages_offer_only_what_the_admin_may_do(person: str, model: type[Model]) -> None:
    allowed = {
        name: "".join(methods.values()) for *_others, table in TABLES for name, methods in table.items()
    }
    ours = {name for other, *_others in TABLES for name in get_parameters(other)}
    client, row = sign_in(person), next(create() for other, create, _table in TABLES if other is model)
    for name in get_parameters(model):
        address = get_address(model, name, row)
        response = client.get(address)
        if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
            continue
        found = re.findall(r'(?:href|action|formaction)="([^"#]*)"', response.content.decode())
        for link in {urljoin(address, unescape(each)).partition("?")[0] for each in found}:
            offered = resolve(link).url_name if link.startswith("/admin/") else None
            assert offered not in ours or is_allowed(person, allowed.get(offered, "")), (name, offered)


def test_not_even_a_superuser_adds_or_deletes_an_import(admin_client: Client) -> None:
    batch = ImportBatch.objects.create(file_name="list.csv")
    for page in ("add", f"{batch.pk}/delete"):
        for send in (admin_client.get, admin_client.post):
            assert send(f"/admin/imports/importbatch/{page}/").status_code == 403


@pytest.mark.parametrize(
    ("group", "actions"),
    [
        ("Managers", {"unsubscribe", "restore", "ask_again", "mark_reachable"}),
        ("Editors", {"unsubscribe", "restore", "mark_reachable"}),
        ("Viewers", set()),
    ],
)
def test_lists_offer_the_actions_of_the_group(rf: RequestFactory, group: str, actions: set[str]) -> None:
    request = rf.get("/")
    request.user = MemberFactory(is_staff=True)
    request.user.groups.set(Group.objects.filter(name=group))
    assert admin.site.get_model_admin(Subscription).get_actions(request).keys() == actions
    assert not admin.site.get_model_admin(User).get_actions(request)


class TestMemberPage:
    def test_superuser_puts_a_member_into_a_group(self, admin_client: Client) -> None:
        member = MemberFactory(is_staff=True)
        url = f"/admin/accounts/user/{member.pk}/change/"
        assert (
            "<strong>Editors</strong> Subscribers with growth and imports"
            in admin_client.get(url).content.decode()
        )
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
