"""The groups of admins: their permissions, what each page of a model answers them, and who assigns them."""

import re
from collections.abc import Callable, Mapping
from html import unescape
from itertools import count
from types import MappingProxyType
from typing import Any
from urllib.parse import urljoin

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.core.management.sql import emit_post_migrate_signal
from django.db.models import Model
from django.template.response import SimpleTemplateResponse
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.models import Campaign, Picture, Segment
from newsletter.campaigns.tests.factories import CampaignFactory, PictureFactory
from newsletter.imports.models import ImportBatch
from newsletter.invitations.models import Inviter, Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Interest, LeavingAnswer, Subscription
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin import groups
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs.models import Job
from sailing.mail.models import OutboxEmail

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


numbers = count(1)


def create_inviter() -> Subscription:
    inviter = create_reader(f"inviter{next(numbers)}@example.com")
    come(inviter, f"invited{next(numbers)}@example.com")
    return inviter


ALL = ("MEV", "ME", "ME", "ME")
IMPORT_STEPS = ("import", "import_columns", "import_totals")

MODELS: dict[type[Model], tuple[Callable[[], Any], Table]] = {
    User: (MemberFactory, list_pages("MV")),
    Subscription: (
        SubscriptionFactory,
        list_pages(
            *("MEV", "M", "ME", "M"),
            get={"MEV": ("growth",), "M": ("export", "export_file", "correct")},
            post={
                "M": ("export", "correct", "ask_again"),
                "ME": ("mark_reachable", "unsubscribe", "restore"),
            },
        ),
    ),
    LeavingAnswer: (
        lambda: SubscriptionFactory().consent_events.create(reason="other"),
        list_pages("MEV"),
    ),
    Interest: (InterestFactory, list_pages("MEV", "M", "M", "M")),
    ImportBatch: (
        lambda: ImportBatch.objects.create(file_name="list.csv"),
        list_pages(
            "ME",
            get={"ME": (*IMPORT_STEPS, "bad_rows")},
            post={"ME": (*IMPORT_STEPS, "import_slice"), "M": ("undo",)},  # of another admin
        ),
    ),
    Campaign: (
        CampaignFactory,
        list_pages(
            *ALL,
            get={"MEV": ("results", "status", "series"), "ME": ("test", "duplicate"), "M": ("send",)},
            post={
                "ME": ("check", "count", "test", "duplicate"),
                "M": ("send", "pause", "resume", "cancel", "unschedule", "publish", "withdraw", "turn_off"),
            },
        ),
    ),
    Picture: (PictureFactory, list_pages(*ALL, get={"MEV": ("picker",)}, post={"ME": ("picker",)})),
    Segment: (
        lambda: Segment.objects.create(name=str(next(numbers))),
        list_pages(*ALL, get={"MEV": ("count",)}, post={"MEV": ("count",)}),
    ),
    Inviter: (
        create_inviter,
        list_pages("MEV", get={"M": ("export", "export_file")}, post={"M": ("export",)}),
    ),
    Milestone: (lambda: Milestone.objects.create(threshold=next(numbers)), list_pages(*ALL)),
    Job: (
        lambda: Job.objects.create(kind="retention"),
        list_pages("MV", get={"MV": ("progress",)}, post={"M": ("cancel", "retry")}),
    ),
    OutboxEmail: (
        lambda: OutboxEmail.objects.create(recipient="jana@example.com"),
        list_pages("MV", post={"M": ("requeue",)}),
    ),
    LogEntry: (
        lambda: LogEntry.objects.create(user=MemberFactory(), action_flag=CHANGE),
        list_pages("M"),
    ),
}


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
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_page_answers_whom_it_may(model: type[Model], group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")  # only the status matters
    create, table = MODELS[model]
    client, row, pages = group_client(group), create(), get_parameters(model)
    assert table.keys() <= pages.keys()
    for page in pages:
        for method, allowed in table.get(page, {"get": "", "post": ""}).items():
            is_allowed = group[0] in allowed
            address = get_address(model, page, create() if method == "post" and is_allowed else row)
            response = getattr(client, method)(address)
            assert (response.status_code not in (403, 405)) is is_allowed, (method, address)


def test_each_model_is_in_the_table() -> None:
    assert {model for model in apps.get_models() if admin.site.is_registered(model)} == MODELS.keys()


@pytest.mark.parametrize("group", ["Viewers", "Editors"])
@pytest.mark.parametrize("model", [User, Subscription, ImportBatch, Campaign])
def test_pages_offer_only_what_the_admin_may_do(group: str, model: type[Model]) -> None:
    allowed = {
        f"{other._meta.app_label}_{other._meta.model_name}_{page}": "".join(
            MODELS[other][1].get(page, {}).values()
        )
        for other in MODELS
        for page in get_parameters(other)
    }
    client, row = group_client(group), MODELS[model][0]()
    for page in get_parameters(model):
        address = get_address(model, page, row)
        response = client.get(address)
        if response.status_code != 200 or not response.headers["Content-Type"].startswith("text/html"):
            continue
        found = re.findall(r'(?:href|action|formaction)="([^"#]*)"', response.content.decode())
        for link in {urljoin(address, unescape(each)).partition("?")[0] for each in found}:
            offered = resolve(link).url_name if link.startswith("/admin/") else ""
            assert group[0] in allowed.get(str(offered), group), (page, offered)


def test_lists_offer_the_actions_of_the_group(rf: RequestFactory) -> None:
    for_editors = {"unsubscribe", "restore", "mark_reachable"}
    expected = {"Managers": for_editors | {"ask_again"}, "Editors": for_editors, "Viewers": set()}
    for group, actions in expected.items():
        request = rf.get("/")
        request.user = MemberFactory(is_staff=True)
        request.user.groups.set(Group.objects.filter(name=group))
        assert admin.site.get_model_admin(Subscription).get_actions(request).keys() == actions
        assert not admin.site.get_model_admin(User).get_actions(request)


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
