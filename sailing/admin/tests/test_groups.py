"""The groups of admins: their permissions, what each address answers them, and assigning them to a member."""

import re
from collections.abc import Callable
from html import unescape
from itertools import count
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


def get_codenames(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


def test_migrations_grant_exactly_the_permissions_of_each_group() -> None:
    for group, permissions in groups.GROUPS.items():
        wanted = {name.partition(".")[2] for name in permissions}
        assert get_codenames(group) == wanted, group


def test_next_migration_run_grants_new_permissions_and_withdraws_others() -> None:
    managers = Group.objects.get(name="Managers")
    managers.permissions.set(Permission.objects.filter(codename__in=["delete_user"]))
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")  # what `migrate` ends with
    assert "change_subscription" in get_codenames("Managers")
    assert "delete_user" not in get_codenames("Managers")


Table = dict[str, dict[str, str]]

# Whom an address answers, by its name and the method: Managers, Editors, Viewers. One of a model that is
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
ANSWERS: Table = {
    "newsletter_leavinganswer_changelist": {"get": "MEV"},
    "newsletter_leavinganswer_change": {"get": "MEV", "post": ""},
    "newsletter_leavinganswer_history": {"get": "MEV"},
}
INTERESTS: Table = {
    "newsletter_interest_changelist": {"get": "MEV"},
    "newsletter_interest_add": {"get": "M", "post": "M"},
    "newsletter_interest_change": {"get": "MEV", "post": "M"},
    "newsletter_interest_delete": {"get": "M", "post": "M"},
    "newsletter_interest_history": {"get": "MEV"},
}
PICTURES: Table = {
    "campaigns_picture_changelist": {"get": "MEV"},
    "campaigns_picture_add": {"get": "ME", "post": "ME"},
    "campaigns_picture_change": {"get": "MEV", "post": "ME"},
    "campaigns_picture_delete": {"get": "ME", "post": "ME"},
    "campaigns_picture_history": {"get": "MEV"},
    "campaigns_picture_picker": {"get": "MEV", "post": "ME"},
}
SEGMENTS: Table = {
    "campaigns_segment_changelist": {"get": "MEV"},
    "campaigns_segment_add": {"get": "ME", "post": "ME"},
    "campaigns_segment_change": {"get": "MEV", "post": "ME"},
    "campaigns_segment_delete": {"get": "ME", "post": "ME"},
    "campaigns_segment_history": {"get": "MEV"},
    "campaigns_segment_count": {"get": "MEV", "post": "MEV"},
}
INVITERS: Table = {
    "invitations_inviter_changelist": {"get": "MEV"},
    "invitations_inviter_change": {"get": "MEV", "post": ""},
    "invitations_inviter_history": {"get": "MEV"},
    "invitations_inviter_export": {"get": "M", "post": "M"},
    "invitations_inviter_export_file": {"get": "M"},
}
MILESTONES: Table = {
    "invitations_milestone_changelist": {"get": "MEV"},
    "invitations_milestone_add": {"get": "ME", "post": "ME"},
    "invitations_milestone_change": {"get": "MEV", "post": "ME"},
    "invitations_milestone_delete": {"get": "ME", "post": "ME"},
    "invitations_milestone_history": {"get": "MEV"},
}
JOBS: Table = {
    "jobs_job_changelist": {"get": "MV"},
    "jobs_job_change": {"get": "MV", "post": ""},
    "jobs_job_history": {"get": "MV"},
    "jobs_job_progress": {"get": "MV"},
    "jobs_job_cancel": {"post": "M"},
    "jobs_job_retry": {"post": "M"},
}
OUTBOX: Table = {
    "mail_outboxemail_changelist": {"get": "MV"},
    "mail_outboxemail_change": {"get": "MV", "post": ""},
    "mail_outboxemail_history": {"get": "MV"},
    "mail_outboxemail_requeue": {"post": "M"},
}
HISTORY: Table = {
    "admin_logentry_changelist": {"get": "M"},
    "admin_logentry_change": {"get": "M", "post": ""},
    "admin_logentry_history": {"get": "M"},
}
SITE: Table = {
    "index": {"get": "MEVs"},
    "app_list": {"get": "MEVs"},
    "login": {"get": "MEVsv"},
    "password_change": {"get": "MEVs", "post": "MEVs"},
    "password_change_done": {"get": "MEVs"},
    "second_factor": {"get": "MEVsv", "post": "MEVsv"},  # visitors are led to the index
    "set_language": {"get": "MEVsv", "post": "MEVsv"},
    "jsi18n": {"get": "MEVs"},
    "autocomplete": {"get": ""},
    "view_on_site": {"get": "MEVs"},
    "system": {"get": "MV"},
    "end_restored_work": {"get": "", "post": ""},
    "suppression": {"get": "M", "post": "M"},
    "logout": {"post": "MEVsv"},
}
"""The addresses of no model. Small letters: an admin in no group, and visitors."""


numbers = count(1)


def create_inviter() -> Subscription:
    inviter = create_reader(f"inviter{next(numbers)}@example.com")
    come(inviter, f"invited{next(numbers)}@example.com")
    return inviter


TABLES: list[tuple[type[Model], Callable[[], Any], Table]] = [
    (User, MemberFactory, MEMBERS),
    (Subscription, SubscriptionFactory, SUBSCRIBERS),
    (LeavingAnswer, lambda: SubscriptionFactory().consent_events.create(reason="other"), ANSWERS),
    (Interest, InterestFactory, INTERESTS),
    (ImportBatch, lambda: ImportBatch.objects.create(file_name="list.csv"), IMPORTS),
    (Campaign, CampaignFactory, CAMPAIGNS),
    (Picture, PictureFactory, PICTURES),
    (Segment, lambda: Segment.objects.create(name=str(next(numbers))), SEGMENTS),
    (Inviter, create_inviter, INVITERS),
    (Milestone, lambda: Milestone.objects.create(threshold=next(numbers)), MILESTONES),
    (Job, lambda: Job.objects.create(kind="retention"), JOBS),
    (OutboxEmail, lambda: OutboxEmail.objects.create(recipient="jana@example.com"), OUTBOX),
    (LogEntry, lambda: LogEntry.objects.create(user=MemberFactory(), action_flag=CHANGE), HISTORY),
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


def is_allowed(person: str, allowed: str) -> bool:
    return person[0] in allowed


def assert_answer(client: Client, person: str, method: str, address: str, allowed: str) -> None:
    """Check that an address refuses exactly those who may not use it, and lets visitors sign in."""
    response = getattr(client, method)(address)
    is_refused = response.status_code in (403, 405)
    if person == "visitor":
        is_refused = response.headers.get("Location", "").startswith("/admin/login/?next=")
    assert is_refused is not is_allowed(person, allowed), (method, address)


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
                assert_answer(client, person, method, address, allowed)


@pytest.mark.parametrize("person", PERSONS)
def test_addresses_of_no_model_answer_whom_they_may(person: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")
    client = sign_in(person)
    arguments: dict[str, list[Any]] = {"app_list": ["campaigns"], "view_on_site": [1, 1]}
    for name, methods in SITE.items():
        for method, allowed in methods.items():
            assert_answer(client, person, method, reverse(f"admin:{name}", args=arguments.get(name)), allowed)


def test_each_model_and_each_address_is_in_a_table() -> None:
    registered = {model for model in apps.get_models() if admin.site.is_registered(model)}
    assert {model for model, *_others in TABLES} == registered
    assert {name for url in admin.site.get_urls() if (name := getattr(url, "name", None))} == SITE.keys()


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


class TestRole:
    @pytest.mark.parametrize(
        ("role", "rights"),
        [
            ("Viewers", (True, False, ["Viewers"])),
            ("Managers", (True, False, ["Managers"])),
            ("superuser", (True, True, [])),
            ("", (False, False, [])),
        ],
    )
    def test_superuser_chooses_one_role_which_gives_all_rights(
        self, admin_client: Client, role: str, rights: tuple[bool, bool, list[str]]
    ) -> None:
        member = MemberFactory(is_staff=True)
        member.groups.set(Group.objects.filter(name="Editors"))
        member.user_permissions.set(Permission.objects.filter(codename="view_job"))
        url = f"/admin/accounts/user/{member.pk}/change/"
        assert '<option value="Editors" selected>Editor</option>' in admin_client.get(url).content.decode()
        form = {"email": member.email, "language": "en", "role": role, "initial-role": "Editors"}
        assert admin_client.post(url, form).status_code == 302
        member.refresh_from_db()
        found = [group.name for group in member.groups.all()]
        assert (member.is_staff, member.is_superuser, found) == rights
        assert not member.user_permissions.exists()

    def test_colleague_is_invited_with_a_role(self, admin_client: Client) -> None:
        form = {"email": "new@example.com", "language": "en", "role": "Editors"}
        admin_client.post("/admin/accounts/user/add/", form)
        assert groups.get_role(User.objects.get(email="new@example.com")) == "Editors"

    def test_others_see_the_role_and_cannot_give_one(self) -> None:
        client = staff_client("view_user", "change_user", "add_user")
        member = MemberFactory()
        url = f"/admin/accounts/user/{member.pk}/change/"
        assert 'name="role"' not in client.get(url).content.decode()
        form = {"language": "en", "role": "Managers"}
        assert client.post(url, {**form, "email": member.email}).status_code == 302
        assert (
            client.post("/admin/accounts/user/add/", {**form, "email": "new@example.com"}).status_code == 302
        )
        assert not User.objects.filter(groups__name="Managers").exists()
