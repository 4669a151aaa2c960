"""The groups of admins: their permissions, what each page of a model answers them, and who assigns them."""

import re
from collections.abc import Mapping
from html import unescape
from types import MappingProxyType
from typing import Any
from urllib.parse import urljoin

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.management.sql import emit_post_migrate_signal
from django.db.models import Model
from django.template.response import SimpleTemplateResponse
from django.test import Client
from django.urls import resolve, reverse

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.models import Segment
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin import groups
from sailing.admin.tests.helpers import group_client, staff_client
from tests.test_every_url import create_rows

pytestmark = pytest.mark.django_db


def test_each_run_of_the_migrations_gives_a_group_exactly_its_permissions() -> None:
    Group.objects.get(name="Managers").permissions.set(Permission.objects.filter(codename="delete_user"))
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")  # what `migrate` ends with
    for group, permissions in groups.GROUPS.items():
        stored = Group.objects.get(name=group).permissions.values_list("codename", flat=True)
        assert set(stored) == {name.partition(".")[2] for name in permissions}, group


Table = dict[str, dict[str, str]]
Pages = Mapping[str, tuple[str, ...]]
NONE: Pages = MappingProxyType({})


def list_pages(
    view: str, add: str = "", change: str = "", delete: str = "", *, get: Pages = NONE, post: Pages = NONE
) -> Table:
    """Return whom each page answers, by its name and method: M(anagers), E(ditors), V(iewers).

    `get`, `post`: the pages that Django's lists do not have, by whom they answer.
    """
    table = {
        "changelist": {"get": view},
        "history": {"get": view},
        "change": {"get": view, "post": change},
        "add": {"get": add, "post": add},
        "delete": {"get": delete, "post": delete},
    }
    for method, pages in (("get", get), ("post", post)):
        for whom, names in pages.items():
            for name in names:
                table.setdefault(name, {})[method] = whom
    return table


ALL = ("MEV", "ME", "ME", "ME")
IMPORT_STEPS = ("import", "import_columns", "import_totals")

MODELS: dict[str, Table] = {
    "accounts/user": list_pages("MV"),
    "newsletter/subscription": list_pages(
        *("MEV", "M", "ME", "M"),
        get={"MEV": ("growth",), "M": ("export", "export_file", "correct")},
        post={"M": ("export", "correct", "ask_again"), "ME": ("mark_reachable", "unsubscribe", "restore")},
    ),
    "newsletter/leavinganswer": list_pages("MEV"),
    "newsletter/interest": list_pages("MEV", "M", "M", "M"),
    "imports/importbatch": list_pages(
        "ME",
        get={"ME": (*IMPORT_STEPS, "bad_rows")},
        post={"ME": (*IMPORT_STEPS, "import_slice"), "M": ("undo",)},  # of another admin
    ),
    "campaigns/campaign": list_pages(
        *ALL,
        get={"MEV": ("results", "status", "series"), "ME": ("test", "duplicate"), "M": ("send",)},
        post={
            "ME": ("check", "count", "test", "duplicate"),
            "M": ("send", "pause", "resume", "cancel", "unschedule", "publish", "withdraw", "turn_off"),
        },
    ),
    "campaigns/picture": list_pages(*ALL, get={"MEV": ("picker",)}, post={"ME": ("picker",)}),
    "campaigns/segment": list_pages(*ALL, get={"MEV": ("count",)}, post={"MEV": ("count",)}),
    "invitations/inviter": list_pages("MEV", get={"M": ("export", "export_file")}, post={"M": ("export",)}),
    "invitations/milestone": list_pages(*ALL),
    "jobs/job": list_pages("MV", get={"MV": ("progress",)}, post={"M": ("cancel", "retry")}),
    "mail/outboxemail": list_pages("MV", post={"M": ("requeue",)}),
    "admin/logentry": list_pages("M"),
}


REGISTERED = [model for model in apps.get_models() if admin.site.is_registered(model)]


def get_path(model: type[Model]) -> str:
    return f"{model._meta.app_label}/{model._meta.model_name}"


def get_parameters(model: type[Model]) -> dict[str, list[str]]:
    """Return the names of the pages of a model, with those of the parameters of their addresses."""
    start = f"{model._meta.app_label}_{model._meta.model_name}_"
    urls = admin.site.get_model_admin(model).get_urls()
    return {url.name.removeprefix(start): list(url.pattern.converters) for url in urls if url.name}


def get_address(model: type[Model], page: str, row: Model) -> str:
    """Return an address about a row. There is no file and no job of the number 1."""
    others = {"file_id": 1, "job_id": 1, "number": 1, "user_type": "sailor"}
    values: dict[str, Any] = {each: others.get(each, row.pk) for each in get_parameters(model)[page]}
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", kwargs=values)


@pytest.mark.parametrize("group", groups.GROUPS)
def test_page_answers_whom_it_may(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")  # only the status matters
    client, wrong = group_client(group), []
    rows = create_rows() | {
        "campaigns/campaign": CampaignFactory(),
        "campaigns/segment": Segment.objects.create(),
    }
    assert {get_path(model) for model in REGISTERED} == MODELS.keys()
    for model in REGISTERED:
        table, pages = MODELS[get_path(model)], get_parameters(model)
        assert table.keys() <= pages.keys()
        for page in pages:
            for method, allowed in table.get(page, {"get": "", "post": ""}).items():
                address = get_address(model, page, rows[get_path(model)])
                is_refused = getattr(client, method)(address).status_code in (403, 405)
                if is_refused is (group[0] in allowed):
                    wrong.append((method, address))
    assert wrong == []


@pytest.mark.parametrize("group", ["Viewers", "Editors"])
def test_pages_offer_only_what_the_admin_may_do(group: str) -> None:
    allowed = {
        f"{model._meta.app_label}_{model._meta.model_name}_{page}": "".join(
            MODELS[get_path(model)].get(page, {}).values()
        )
        for model in REGISTERED
        for page in get_parameters(model)
    }
    client, rows = group_client(group), create_rows()
    for address in (
        get_address(each, page, rows[get_path(each)]) for each in REGISTERED for page in get_parameters(each)
    ):
        response = client.get(address)
        if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
            continue
        found = re.findall(r'(?:href|action|formaction)="([^"#]*)"', response.content.decode())
        for link in {urljoin(address, unescape(each)).partition("?")[0] for each in found}:
            offered = resolve(link).url_name if link.startswith("/admin/") else ""
            assert group[0] in allowed.get(str(offered), group), (address, offered)


@pytest.mark.parametrize(
    ("role", "rights"),
    [("Viewers", (True, False, "Viewers")), ("superuser", (True, True, "")), ("", (False, False, ""))],
)
def test_role_sets_all_rights(admin_client: Client, role: str, rights: tuple[bool, bool, str]) -> None:
    member = MemberFactory(is_staff=True)
    member.groups.set(Group.objects.filter(name="Editors"))
    member.user_permissions.set(Permission.objects.filter(codename="view_job"))
    url = f"/admin/accounts/user/{member.pk}/change/"
    assert '<option value="Editors" selected>Editor</option>' in admin_client.get(url).content.decode()
    form = {"email": member.email, "language": "en", "role": role, "initial-role": "Editors"}
    assert admin_client.post(url, form).status_code == 302
    member.refresh_from_db()
    names = "".join(group.name for group in member.groups.all())
    assert (member.is_staff, member.is_superuser, names) == rights
    assert not member.user_permissions.exists()


def test_colleague_is_invited_with_a_role_by_a_superuser_alone(admin_client: Client) -> None:
    for client, email in ((staff_client("add_user"), "new@example.com"), (admin_client, "boss@example.com")):
        form = {"email": email, "language": "en", "role": "Editors"}
        assert client.post("/admin/accounts/user/add/", form).status_code == 302
    editors = User.objects.filter(groups__name="Editors").values_list("email", flat=True)
    assert list(editors) == ["boss@example.com"]
