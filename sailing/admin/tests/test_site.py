"""The admin site: sign-in, sessions, languages and times, home page, menu, lists, and the page System."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import DateTimeField, QuerySet
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from accounts.tests.api import call
from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing import __version__
from sailing.admin.tests.helpers import PASSWORD, staff_client
from sailing.history import describe_entry
from sailing.jobs.models import WORKER_PARTS, Job, JobFile, JobState, WorkerHeartbeat
from sailing.mail.models import MailState
from tests.jobs import purge_expired
from tests.mailbox import create_mail
from tests.test_every_url import create_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def sign_in(client: Client, email: str = "boss@example.com", password: str = PASSWORD) -> str | None:
    """Post the form; return the path that it redirects to, or None if it is shown again."""
    response = client.post("/admin/login/?next=/admin/", {"username": email, "password": password})
    return response.headers.get("Location")


@pytest.mark.usefixtures("boss")
class TestSignIn:
    @pytest.mark.parametrize(("is_signed_in", "leads_to"), [(False, "/admin/login/?next="), (True, "")])
    def test_form_outdated_by_a_tab_leads_on(self, boss: User, is_signed_in: bool, leads_to: str) -> None:
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

    def test_failures_share_a_limit_with_api(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        guess = partial(call, "signIn", client=client, email="boss@example.com", password="wrong!")
        assert [guess().error["code"] for _ in range(2)] == ["INVALID_CREDENTIALS"] * 2
        for _ in range(3):
            sign_in(client, password="wrong")
        monkeypatch.setattr("django.contrib.admin.forms.AdminAuthenticationForm.clean", pytest.fail)
        page = client.post("/admin/login/", {"username": "boss@example.com", "password": PASSWORD})
        assert "Too many attempts. Please try again in 5 minutes." in page.content.decode()
        assert guess().error["code"] == "RATE_LIMITED"

    def test_sign_ins_are_logged(self, client: Client, boss: User, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO")
        page = client.post("/admin/login/", {"username": "boss@example.com", "password": "wrong"})
        assert "or the account is not an admin’s." in page.content.decode()
        sign_in(client)
        lines: list[Any] = [record.msg for record in caplog.records if record.name == "sailing.admin.site"]
        assert [line["event"] for line in lines] == ["admin_sign_in_failed", "admin_sign_in"]
        assert lines[1]["user_id"] == boss.pk
        assert "boss" not in caplog.text


@pytest.mark.usefixtures("boss")
class TestSession:
    def test_sign_in_changes_its_key(self, client: Client) -> None:
        session = client.session
        session.save()
        client.cookies["sessionid"] = session.session_key or ""
        sign_in(client)
        assert client.cookies["sessionid"].value != session.session_key

    def test_it_ends_after_twelve_hours(self, client: Client, time_machine: TimeMachineFixture) -> None:
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


def test_switch_shows_the_same_page_in_the_other_language(admin_client: Client) -> None:
    assert 'name="next" value="/admin/system/?a=b"' in admin_client.get("/admin/system/?lang=en&a=b").text
    admin_client.post("/admin/language/", {"language": "cs", "next": "/admin/"})
    assert '<html lang="cs"' in admin_client.get("/admin/").content.decode()


def test_home_sorts_its_links_as_czech_does(admin_client: Client) -> None:
    admin_client.post("/admin/language/", {"language": "cs"})
    more = admin_client.get("/admin/").context["more"]
    assert [name for name, _url in more][-2:] == ["Úlohy na pozadí", "Zájmy"]


@pytest.mark.parametrize(("chosen", "shown"), [("", "cs"), ("en", "en")])
def test_sign_in_shows_the_own_or_the_chosen_language(client: Client, chosen: str, shown: str) -> None:
    User.objects.create_superuser("boss@example.com", PASSWORD, language="cs")
    client.cookies.load({"django_language": chosen} if chosen else {})
    sign_in(client, password="wrong")
    assert client.cookies.keys() == {"csrftoken"} | ({"django_language"} if chosen else set())
    sign_in(client)
    assert f'<html lang="{shown}"' in client.get("/admin/").content.decode()


@pytest.mark.parametrize(("header", "chosen", "shown"), [("de,cs;q=0.5", "", "cs"), ("cs", "en", "en")])
def test_sign_in_page_is_in_the_language_of_the_browser(header: str, chosen: str, shown: str) -> None:
    client = Client(headers={"Accept-Language": header})
    client.cookies["django_language"] = chosen
    response = client.get("/admin/login/")
    assert f'<html lang="{shown}"' in response.content.decode()
    assert "Accept-Language" in response.headers["Vary"]


def test_history_names_all_fields_in_czech(admin_user: User) -> None:
    request = RequestFactory().get("/")
    request.user = admin_user
    for model in filter(site.is_registered, apps.get_models()):
        model_admin = site.get_model_admin(model)
        if not model_admin.has_change_permission(request):
            continue
        form = model_admin.get_form(request, admin_user if model is User else None)()
        labels = [field.label for field in form.fields.values() if field.label]
        with translation.override(None):
            english = [str(label) for label in labels]
        message = json.dumps([{"changed": {"fields": english}}])
        entry = LogEntry(content_type=ContentType.objects.get_for_model(model), change_message=message)
        with translation.override("cs"):
            text, czech = describe_entry(entry), [str(label) for label in labels]
        pairs = zip(english, czech, strict=True)
        assert not [name for name, other in pairs if name != other and name in text], text


def test_history_groups_the_digits_of_numbers() -> None:
    message = json.dumps({"text": "Rows exported: %(count)s.", "values": {"count": 5227}})
    with translation.override("cs"):
        assert describe_entry(LogEntry(change_message=message)) == "Počet exportovaných řádků: 5\xa0227."


def test_pages_show_times_in_the_time_zone_of_the_site(admin_client: Client, settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    rows, seen = create_rows(), 0
    for model in apps.get_models():
        times = [field.name for field in model._meta.fields if isinstance(field, DateTimeField)]
        if times:
            QuerySet(model).update(**dict.fromkeys(times, datetime(2025, 6, 1, 23, 30, tzinfo=UTC)))
    for name, row in rows.items():
        for page in ("", f"{row.pk}/change/", f"{row.pk}/history/"):
            path = f"/admin/{name}/{page}"
            shown = re.sub("<[^>]*>", " ", admin_client.get(path, follow=True).content.decode())
            assert "Time zone: Europe/Prague" in shown, path
            assert not re.search("Jun\xa01,\xa02025|2025-06-01|23:30", shown), path
            seen += "Jun\xa02,\xa02025, 01:30" in shown
    assert seen > 10


@pytest.mark.parametrize(
    ("page", "query"),
    [
        *(("newsletter/subscription", f"{key}=typo") for key in ("state", "import", "segment", "nonsense")),
        *(("accounts/user", f"{key}=typo") for key in ("account", "email_state", "created_at__gte")),
    ],
)
def test_invalid_filter_never_stands_for_the_whole_list(admin_client: Client, page: str, query: str) -> None:
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
    problem, minutes, badge = read_rows(page)["Longest wait of an email"]
    assert problem.startswith("Emails wait.")
    assert (minutes.replace("\xa0", " "), badge) == ("9 minutes", "Problem")
    folded = read_rows(page.partition("<details>")[2].partition("</details>")[0])
    assert "Worker" in folded
    assert "Longest wait of an email" not in folded
    assert f"Sailing {__version__}" in page
    assert "failed in the last 24 hours" not in page


@pytest.mark.parametrize(
    ("permission", "notices", "rows"),
    [
        ("view_subscription", [], set()),
        ("view_outboxemail", ["Emails wait", "1 email could not be sent."], {"Emails outside campaigns"}),
        (
            "view_job",
            ["No worker is running", "1 background job failed in the last 7 days."],
            {"Background jobs"},
        ),
    ],
)
def test_admin_sees_the_state_of_what_they_may_view(
    permission: str, notices: list[str], rows: set[str]
) -> None:
    now = timezone.now()
    create_mail(MailState.FAILED)
    create_mail(next_attempt_at=now - timedelta(hours=1))
    for days in (1, 8):
        Job.objects.create(kind="export", state=JobState.FAILED, finished_at=now - timedelta(days=days))
    client = staff_client(permission)
    assert client.get("/admin/newsletter/").headers["Location"] == "/admin/", "no page of an app"
    attention = client.get("/admin/").context["attention"]
    assert [text.partition(",")[0].partition(". ")[0] for text, _url in attention] == notices
    system = client.get("/admin/system/")
    of_models = {"Members", "Subscribers", "Emails outside campaigns", "Background jobs"}
    assert of_models & read_rows(system.content.decode()).keys() == rows
    assert system.status_code == (200 if rows else 403)
