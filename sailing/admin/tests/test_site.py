"""The admin site: sign-in, sessions, home page, menu, lists, and the page System."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing import __version__
from sailing.admin.tests.helpers import PASSWORD, staff_client
from sailing.jobs.models import WORKER_PARTS, Job, JobFile, JobState, WorkerHeartbeat
from sailing.mail.models import MailState
from tests.api import post_graphql
from tests.jobs import purge_expired
from tests.mailbox import create_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def sign_in(client: Client, email: str = "boss@example.com", password: str = PASSWORD) -> str | None:
    """Post the form; return the path that it redirects to, or None if it is shown again."""
    response = client.post("/admin/login/?next=/admin/", {"username": email, "password": password})
    return response.headers.get("Location")


def guess_by_graphql(client: Client) -> str:
    """Try a wrong password for the admin with `signIn`; return the error code."""
    query = 'mutation { signIn(input: {email: "boss@example.com", password: "wrong!"}) { token } }'
    return str(post_graphql(query, client=client).error["code"])


@pytest.mark.usefixtures("boss")
class TestSignIn:
    @pytest.mark.parametrize(("is_signed_in", "leads_to"), [(False, "/admin/login/?next="), (True, "")])
    def test_form_that_another_tab_has_outdated_leads_on(
        self, boss: User, is_signed_in: bool, leads_to: str
    ) -> None:
        """A sign-in changes the CSRF token of the browser."""
        client = Client(enforce_csrf_checks=True)
        client.get("/admin/login/")
        if is_signed_in:
            client.force_login(boss)
        response = client.post("/admin/login/?next=/admin/system/", {"username": "a", "password": "b"})
        assert response.headers["Location"] == f"{leads_to}/admin/system/"

    def test_all_spellings_of_an_address_share_a_limit(self, settings: Settings) -> None:
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
        guess_by_graphql(client)
        assert sign_in(client) is None
        assert sign_in(Client(REMOTE_ADDR="192.0.2.9")) == "/admin/"

    def test_failures_share_the_limit_of_the_api_and_end_before_the_password_is_checked(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert [guess_by_graphql(client) for _ in range(2)] == ["INVALID_CREDENTIALS"] * 2
        for _ in range(3):
            sign_in(client, password="wrong")
        monkeypatch.setattr("django.contrib.admin.forms.AdminAuthenticationForm.clean", pytest.fail)
        page = client.post("/admin/login/", {"username": "boss@example.com", "password": PASSWORD})
        assert "Too many attempts. Please try again in 5 minutes." in page.content.decode()
        assert guess_by_graphql(client) == "RATE_LIMITED"

    def test_sign_ins_are_logged_without_addresses(
        self, client: Client, boss: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO")
        sign_in(client, password="wrong")
        sign_in(client)
        lines: list[Any] = [record.msg for record in caplog.records if record.name == "sailing.admin.site"]
        assert [line["event"] for line in lines] == ["admin_sign_in_failed", "admin_sign_in"]
        assert lines[1]["user_id"] == boss.pk
        assert "boss" not in caplog.text


@pytest.mark.usefixtures("boss")
class TestSession:
    def test_it_ends_twelve_hours_after_the_sign_in_whatever_changes_it(
        self, client: Client, time_machine: TimeMachineFixture
    ) -> None:
        sign_in(client)
        assert client.cookies["sessionid"]["max-age"] == 12 * 3600
        time_machine.shift(timedelta(hours=11, minutes=59))
        new = "New winds, 2026!"
        passwords = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        assert client.post("/admin/password_change/", passwords).status_code == 302
        client.get("/admin/second-factor/")
        assert client.get("/admin/").status_code == 200
        purge_expired()
        assert Session.objects.count() == 1
        time_machine.shift(timedelta(minutes=2))
        assert client.get("/admin/").status_code == 302
        purge_expired()
        assert not Session.objects.exists()

    def test_cookie_with_a_character_that_postgresql_refuses_is_no_session(self, client: Client) -> None:
        client.cookies["sessionid"] = "\0" * 32
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/admin/").status_code == 302
        assert not [query for query in queries if "django_session" in query["sql"]]

    @pytest.mark.parametrize("page", ["", "password_change/", "password_change/done/"])
    def test_its_pages_are_not_stored_by_browsers(self, admin_client: Client, page: str) -> None:
        assert "no-store" in admin_client.get(f"/admin/{page}").headers["Cache-Control"]


class TestHomePage:
    @pytest.mark.parametrize(
        ("permissions", "notices"),
        [
            (["view_subscription"], []),
            (["view_outboxemail"], ["Emails wait", "1 email could not be sent."]),
            (["view_job"], ["No worker is running", "1 background job failed in the last 7 days."]),
        ],
    )
    def test_it_says_what_needs_attention_of_what_the_admin_may_see(
        self, permissions: list[str], notices: list[str]
    ) -> None:
        now = timezone.now()
        create_mail(MailState.FAILED)
        create_mail(next_attempt_at=now - timedelta(hours=1))
        for days in (1, 8):
            Job.objects.create(kind="export", state=JobState.FAILED, finished_at=now - timedelta(days=days))
        client = staff_client(*permissions)
        assert client.get("/admin/newsletter/").headers["Location"] == "/admin/", "no page of an app"
        attention = client.get("/admin/").context["attention"]
        assert [text.partition(",")[0].partition(". ")[0] for text, _url in attention] == notices


@pytest.mark.parametrize(
    ("page", "query"),
    [
        *(("newsletter/subscription", f"{key}=typo") for key in ("state", "import", "segment", "nonsense")),
        ("newsletter/subscription", "created_at__gte=x"),
        *(("accounts/user", f"{key}=typo") for key in ("account", "email_state")),
    ],
)
def test_filter_that_is_not_valid_never_stands_for_the_whole_list(
    admin_client: Client, page: str, query: str
) -> None:
    admin_client.raise_request_exception = False
    MemberFactory.create_batch(2)
    SubscriptionFactory.create_batch(2)
    action = "unsubscribe" if "newsletter" in page else "deactivate"
    for path in (f"/admin/{page}/?{query}", f"/admin/{page}/export/?{query}"):
        assert admin_client.get(path).status_code != 200
        admin_client.post(path, {"action": action, "select_across": "1", "_selected_action": "any"})
    assert not Job.objects.exists()
    assert not JobFile.objects.exists()


def read_rows(page: str) -> dict[str, list[str]]:
    """Return the texts of each problem, passed check and number, by its label."""
    page = re.sub(r"\s+", " ", page)
    rows = re.findall(r'<(?:th scope="row"|li|dt)><a href="[^"]+">([^<]+)</a>(.*?)</(?:tr|li|div)>', page)
    return {label: re.findall(r">([^<>]*[^<> ])<", rest) for label, rest in rows}


def test_system_shows_problems_and_numbers_and_folds_passed_checks(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for part in WORKER_PARTS:
        WorkerHeartbeat.objects.create(part=part, at=timezone.now())
    create_mail(next_attempt_at=timezone.now() - timedelta(minutes=9))
    with django_assert_max_num_queries(36):
        page = admin_client.get("/admin/system/").content.decode()
    rows = read_rows(page)
    problem, minutes, badge = rows["Longest wait of an email"]
    assert problem.startswith("Emails wait.")
    assert (minutes.replace("\xa0", " "), badge) == ("9 minutes", "Problem")
    folded = read_rows(page.partition("<details>")[2].partition("</details>")[0])
    assert "Worker" in folded
    assert "Longest wait of an email" not in folded
    assert f"Sailing {__version__}" in page


@pytest.mark.parametrize(
    ("codename", "label"), [("view_outboxemail", "Emails outside campaigns"), ("view_job", "Background jobs")]
)
def test_each_row_of_system_needs_the_permission_to_view_its_model(codename: str, label: str) -> None:
    rows = read_rows(staff_client(codename).get("/admin/system/").content.decode())
    of_models = {"Members", "Subscribers", "Emails outside campaigns", "Background jobs"}
    assert of_models & rows.keys() == {label}
    assert (
        staff_client("view_subscription", email="other@example.com").get("/admin/system/").status_code == 403
    )
