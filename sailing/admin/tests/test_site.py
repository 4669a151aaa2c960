"""The admin site: sign-in, registered models, index page and Content-Security-Policy."""

import re
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.imports.tests.helpers import CHOICES, choose
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import PASSWORD, list_paths, staff_client
from sailing.jobs.models import Job, JobState
from sailing.mail.models import MailState
from tests.api import post_graphql
from tests.jobs import run_pending_jobs
from tests.mailbox import create_mail

pytestmark = pytest.mark.django_db


def sign_in(client: Client, email: str, password: str = PASSWORD) -> str | None:
    """Post the form; return the path that it redirects to, or None if it is shown again."""
    response = client.post("/admin/login/?next=/admin/", {"username": email, "password": password})
    return response.headers.get("Location")


def guess_by_graphql(client: Client) -> str:
    """Try a wrong password for the admin with `signIn`; return the error code."""
    query = 'mutation { signIn(input: {email: "admin@example.com", password: "wrong!"}) { token } }'
    return str(post_graphql(query, client=client).error["code"])


class TestSignIn:
    def test_page_signs_in_as_the_site_does(self, client: Client) -> None:
        page = client.get("/admin/login/").content.decode()
        assert 'value="Sign in"' in page
        assert "Log in" not in page
        assert 'href="/forgot-password"' in page
        assert ">Česky</button>" in page

    def test_sign_out_leads_to_the_sign_in(self, admin_client: Client) -> None:
        assert admin_client.post("/admin/logout/").headers["Location"] == "/admin/login/"

    @pytest.mark.parametrize(("is_signed_in", "leads_to"), [(False, "/admin/login/?next="), (True, "")])
    def test_form_that_another_tab_has_outdated_leads_on(
        self, admin_user: User, is_signed_in: bool, leads_to: str
    ) -> None:
        """A sign-in changes the CSRF token of the browser."""
        client = Client(enforce_csrf_checks=True)
        client.get("/admin/login/")
        if is_signed_in:
            client.force_login(admin_user)
        response = client.post("/admin/login/?next=/admin/system/", {"username": "a", "password": "b"})
        assert response.headers["Location"] == f"{leads_to}/admin/system/"

    def test_other_form_without_its_token_is_refused(self, admin_user: User) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(admin_user)
        assert client.post("/admin/logout/").status_code == 403

    def test_email_is_case_insensitive(self, client: Client) -> None:
        User.objects.create_superuser("ADMIN@example.com", PASSWORD)
        assert sign_in(client, " Admin@Example.COM ") == "/admin/"

    @pytest.mark.parametrize("field", ["is_staff", "is_active"])
    def test_only_active_admins_are_signed_in(self, client: Client, field: str) -> None:
        user = User.objects.create_superuser("admin@example.com", PASSWORD)
        setattr(user, field, False)
        user.save()
        assert sign_in(client, "admin@example.com") is None

    def test_refused_attempt_does_not_check_the_password(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        User.objects.create_superuser("admin@example.com", PASSWORD)
        for _attempt in range(5):
            sign_in(client, "admin@example.com", "wrong")
        monkeypatch.setattr("django.contrib.admin.forms.AdminAuthenticationForm.clean", pytest.fail)
        page = client.post("/admin/login/", {"username": "admin@example.com", "password": PASSWORD})
        assert "Too many attempts. Please try again in 5 minutes." in page.content.decode()

    def test_all_spellings_of_an_address_share_a_limit(
        self, settings: Settings, time_machine: TimeMachineFixture
    ) -> None:
        time_machine.move_to("2025-06-01T12:00:00+00:00", tick=False)
        settings.SIGNIN_RATE = "1000/m"
        User.objects.create_superuser("admin@člun.cz", PASSWORD)
        for email in ("admin@xn--lun-eqa.cz", "admin@člun.cz", " Admin@ČLUN.cz"):
            assert sign_in(Client(), email, "wrong") is None
        assert sign_in(Client(), "admin@ČLUN.cz") == "/admin/"
        for email in ("admin@xn--lun-eqa.cz", "admin@člun.cz"):
            assert sign_in(Client(), email, "wrong") is None
        assert sign_in(Client(), " Admin@ČLUN.cz") is None

    def test_attempts_share_the_rate_limit_of_the_api(self, client: Client, settings: Settings) -> None:
        settings.SIGNIN_RATE = "1/h"
        User.objects.create_superuser("admin@example.com", PASSWORD)
        guess_by_graphql(client)
        assert sign_in(client, "admin@example.com") is None
        assert sign_in(Client(REMOTE_ADDR="192.0.2.9"), "admin@example.com") == "/admin/"

    def test_failures_share_the_limit_of_the_api(self, client: Client) -> None:
        User.objects.create_superuser("admin@example.com", PASSWORD)
        for _ in range(2):
            assert guess_by_graphql(client) == "INVALID_CREDENTIALS"
        for _ in range(3):
            sign_in(client, "admin@example.com", "wrong")
        assert sign_in(client, "admin@example.com") is None
        assert guess_by_graphql(client) == "RATE_LIMITED"

    def test_sign_ins_are_logged_without_addresses(
        self, client: Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO")
        admin = User.objects.create_superuser("boss@example.com", PASSWORD)
        sign_in(client, "boss@example.com", "wrong")
        sign_in(client, "boss@example.com")
        lines: list[Any] = [record.msg for record in caplog.records if record.name == "sailing.admin.site"]
        assert [line["event"] for line in lines] == ["admin_sign_in_failed", "admin_sign_in"]
        assert lines[1]["user_id"] == admin.pk
        assert "boss" not in caplog.text


def test_only_these_models_are_registered() -> None:
    assert {model._meta.label for model in apps.get_models() if admin.site.is_registered(model)} == {
        "accounts.User",
        "admin.LogEntry",
        "campaigns.Campaign",
        "campaigns.Picture",
        "campaigns.Segment",
        "imports.ImportBatch",
        "invitations.Inviter",
        "invitations.Milestone",
        "newsletter.Interest",
        "newsletter.LeavingAnswer",
        "newsletter.Subscription",
        "jobs.Job",
        "mail.OutboxEmail",
    }


class TestAttention:
    MAILS = "/admin/mail/outboxemail/?state__exact=failed"
    JOBS = "/admin/jobs/job/?state__exact=failed"
    WAITING = "/admin/mail/outboxemail/"
    WORKER = "/admin/jobs/job/"

    @pytest.fixture(autouse=True)
    def _trouble(self) -> None:
        now = timezone.now()
        create_mail(MailState.FAILED)
        create_mail(next_attempt_at=now - timedelta(hours=1))
        for days in (1, 8):
            Job.objects.create(kind="export", state=JobState.FAILED, finished_at=now - timedelta(days=days))

    @pytest.mark.parametrize(
        ("permissions", "addresses"),
        [
            ((), []),
            (("view_subscription",), []),
            (("view_outboxemail",), [WAITING, MAILS]),
            (("view_job",), [WORKER, JOBS]),
        ],
    )
    def test_each_notice_needs_a_permission(self, permissions: tuple[str, ...], addresses: list[str]) -> None:
        attention = staff_client(*permissions).get("/admin/").context["attention"]
        assert list(dict.fromkeys(url for _text, url in attention)) == addresses

    def test_notices_have_numbers(self, admin_client: Client) -> None:
        page = admin_client.get("/admin/").content.decode()
        assert "1 email could not be sent." in page
        assert "1 background job failed in the last 7 days." in page
        assert "Emails wait." in page


class InlineCodeParser(HTMLParser):
    """Collects the tags that `script-src 'self'; style-src 'self'` would block."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name: value or "" for name, value in attrs}
        script = tag == "script" and "src" not in names and names.get("type") != "application/json"
        if script or tag == "style":
            self.found.append(self.get_starttag_text() or tag)
        for name, value in names.items():
            if name == "style" or name.startswith("on") or value.lower().startswith("javascript:"):
                self.found.append(self.get_starttag_text() or tag)


@pytest.mark.parametrize("page", ["/admin/", "/admin/password_change/", "/admin/password_change/done/"])
def test_page_of_an_admin_is_not_stored_by_browsers(admin_client: Client, page: str) -> None:
    assert "no-store" in admin_client.get(page).headers["Cache-Control"]


def test_no_page_has_inline_scripts_or_styles(admin_client: Client) -> None:
    rows = (SubscriptionFactory(), create_mail(MailState.FAILED), MemberFactory(), CampaignFactory())
    columns = choose(admin_client, b"email,user_type\nnew@example.com,sailor\nx\xe1,y\n")
    pages = {"columns of a file": admin_client.get(columns)}
    totals = admin_client.post(columns, CHOICES).headers["Location"]
    pages["file being checked"] = admin_client.get(totals)
    run_pending_jobs()
    paths = [totals, *(path for path in list_paths() if "/1/" not in path)]
    for row in (*rows, Job.objects.latest("pk")):
        name = f"admin:{row._meta.app_label}_{row._meta.model_name}"
        paths += [reverse(f"{name}_{view}", args=[row.pk]) for view in ("change", "delete", "history")]
    pages |= {path: admin_client.get(path) for path in paths}
    running = admin_client.post(totals).headers["Location"]
    pages["running import"] = admin_client.get(running)
    run_pending_jobs()
    pages["finished import"] = admin_client.get(running)
    read = 0
    for path, response in pages.items():
        if response.status_code == 200 and response.headers["Content-Type"].startswith("text/html"):
            parser = InlineCodeParser()
            parser.feed(response.content.decode())
            assert not parser.found, path
            read += 1
    assert read > 40


def test_app_has_no_page_of_its_own(admin_client: Client) -> None:
    response = admin_client.get("/admin/newsletter/")
    assert (response.status_code, response.headers["Location"]) == (302, "/admin/")


def test_home_page_links_to_what_the_menu_does_not_have(admin_client: Client) -> None:
    names = {str(name) for name, _url in admin_client.get("/admin/").context["more"]}
    assert {"Interests", "Early access", "Outbox", "Do-not-contact list"} <= names
    assert not {"Campaigns", "Subscribers", "Members", "System"} & names
    assert staff_client("add_user").get("/admin/").context["more"] == []


def read_navigation(client: Client, page: str) -> list[tuple[str, str]]:
    """Return the value of aria-current and the name of each link of the menu."""
    html = client.get(f"/admin/{page}").content.decode()
    menu = html.partition('class="site-pages"')[2].partition("</nav>")[0]
    return re.findall(r'<a href="[^"]+"(?: aria-current="(\w+)")?>([^<]+)</a>', menu)


def test_navigation_has_what_the_admin_may_see_and_marks_the_page(admin_client: Client) -> None:
    client, subscription = staff_client("view_subscription"), SubscriptionFactory()
    pages = "newsletter/subscription/"
    assert read_navigation(client, pages) == [("", "Home"), ("page", "Subscribers"), ("", "Growth")]
    shown = read_navigation(client, f"{pages}{subscription.pk}/change/")
    assert shown == [("", "Home"), ("true", "Subscribers"), ("", "Growth")]
    for page, tab in (
        ("campaigns/picture/", "Campaigns"),
        ("suppression/", "Subscribers"),
        ("system/", "System"),
        (f"jobs/job/{Job.objects.create(kind='export').pk}/change/", "System"),
    ):
        assert [name for current, name in read_navigation(admin_client, page) if current] == [tab]
    admin_client.cookies["django_language"] = "cs"
    names = [name for _current, name in read_navigation(admin_client, pages)]
    assert names == ["Přehled", "Kampaně", "Odběratelé", "Růst", "Importy", "Členové", "Systém"]


def read_breadcrumbs(client: Client, page: str) -> list[str]:
    """Return the names of the pages to which the breadcrumbs lead."""
    html = client.get(f"/admin/{page}").content.decode()
    return re.findall(r">([^<]+)</a>", html.partition('class="breadcrumbs"')[2].partition("</div>")[0])


def test_breadcrumbs_lead_to_the_list_and_the_row(admin_client: Client) -> None:
    subscription = SubscriptionFactory()
    for page, names in (
        ("newsletter/interest/", ["Home"]),
        ("imports/importbatch/import/", ["Home", "Imports"]),
        (f"newsletter/subscription/{subscription.pk}/change/", ["Home", "Subscribers"]),
        (f"newsletter/subscription/{subscription.pk}/correct/", ["Home", "Subscribers", subscription.email]),
        (f"newsletter/subscription/{subscription.pk}/delete/", ["Home", "Subscribers", subscription.email]),
    ):
        assert read_breadcrumbs(admin_client, page) == names


def test_page_that_the_admin_may_only_read_has_no_button_to_close_it() -> None:
    subscription = SubscriptionFactory()
    for codename, has_buttons in (("view_subscription", False), ("change_subscription", True)):
        client = staff_client(codename, email=f"{codename}@example.com")
        page = client.get(f"/admin/newsletter/subscription/{subscription.pk}/change/").content.decode()
        assert ('class="submit-row"' in page) is has_buttons
