"""Exports of lists, by the example of subscribers: filters, format, history, long lists in the background."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from structlog.testing import capture_logs
from time_machine import TimeMachineFixture

from newsletter.models import Subscription
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin import exports
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import files, queue, retention
from sailing.jobs.models import Job, JobFile, JobState
from tests.jobs import Killed, kill_after, run_pending_jobs

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
EXPORT = f"{LIST}export/"


def read(response: Any) -> bytes:
    assert response.status_code == 200
    assert response.streaming
    assert response.headers["Content-Disposition"].startswith("attachment")
    return b"".join(response)


def start(client: Client, query: str = "") -> str:
    """Start an export and return the path of its file."""
    response = client.post(EXPORT + query)
    page = re.fullmatch("/admin/jobs/job/([0-9]+)/change/", response.headers["Location"])
    assert page
    return f"{EXPORT}{page[1]}/file/"


def export(client: Client, query: str = "") -> bytes:
    path = start(client, query)
    run_pending_jobs()
    return read(client.get(path))


def read_file(content: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    """Return the rows of a file by the names of their columns."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def test_row_has_all_fields(admin_client: Client, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-02T12:00:00+00:00")
    jana = SubscriptionFactory(
        email="jana@example.com",
        first_name="Jana",
        source="landing-sailors",
        utm_source="mast",
        referrer="forum.example",
        language="cs",
        confirmed=True,
        created_at=datetime(2025, 6, 1, 12, 0, tzinfo=UTC),
        confirmed_at=datetime(2025, 6, 1, 12, 5, tzinfo=UTC),
        paused_until=datetime(2025, 7, 1, 12, 0, tzinfo=UTC),
    )
    jana.interests.set([InterestFactory(name_en="Cruising"), InterestFactory(name_en="Regattas")])
    (row,) = read_file(export(admin_client))
    assert " ".join(row) == (
        "email first_name user_type state source utm_source utm_medium utm_campaign referrer language"
        " interest_names created_at confirmed_at paused_until unsubscribed_at bounced_at"
    )
    assert " ".join(value for value in row.values() if value) == (
        "jana@example.com Jana sailor paused landing-sailors mast forum.example cs Cruising; Regattas"
        " 2025-06-01T12:00:00+00:00 2025-06-01T12:05:00+00:00 2025-07-01T12:00:00+00:00"
    )


def test_filters_and_search_of_the_list_are_applied(admin_client: Client) -> None:
    SubscriptionFactory(email="one@example.com", language="cs")
    SubscriptionFactory(email="two@example.com", language="en")
    czech = "?language__exact=cs"
    assert f'href="export/{czech}"' in admin_client.get(LIST + czech).content.decode()
    page = admin_client.get(EXPORT + czech).content.decode()
    assert "<strong>1</strong>" in page
    assert "No filter is set: this is the whole list." in admin_client.get(EXPORT).content.decode()
    found = read_file(export(admin_client, query=f"{czech}&q=EXAMPLE"))
    assert [row["email"] for row in found] == ["one@example.com"]


@pytest.mark.parametrize(("language", "delimiter"), [("en", ","), ("cs", ";")])
def test_file_has_the_mark_and_the_separator_that_excel_expects(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, language: str, delimiter: str
) -> None:
    monkeypatch.setattr(exports, "STEP_ROWS", 2)
    subscribers = SubscriptionFactory.create_batch(3)
    admin_client.cookies["django_language"] = language
    content = export(admin_client)
    assert content.startswith(f'\ufeff"email"{delimiter}"first_name"{delimiter}'.encode())
    assert content.count("\ufeff".encode()) == 1
    assert {row["email"] for row in read_file(content, delimiter)} == {each.email for each in subscribers}


def test_formula_in_an_address_is_neutralized(admin_client: Client) -> None:
    SubscriptionFactory(email="=cmd@example.com")
    assert read_file(export(admin_client))[0]["email"] == "'=cmd@example.com"


def test_export_is_logged_and_in_the_history_without_addresses(admin_client: Client, admin_user: Any) -> None:
    SubscriptionFactory(email="jana@example.com")
    with capture_logs() as lines:
        export(admin_client)
    (line,) = [line for line in lines if line["event"] == "exported"]
    assert (line["admin"], line["rows"]) == (admin_user.pk, 1)
    assert "jana" not in str(lines)
    assert LogEntry.objects.get().user == admin_user
    for language, text in (("en", "Rows exported: 1."), ("cs", "Počet exportovaných řádků: 1.")):
        admin_client.cookies["django_language"] = language
        assert text in admin_client.get("/admin/admin/logentry/").content.decode()


class TestLongList:
    @pytest.fixture(autouse=True)
    def _long_list(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exports, "STEP_ROWS", 2)
        SubscriptionFactory.create_batch(7, language="cs")
        SubscriptionFactory.create_batch(2, language="en")

    def test_page_of_the_job_offers_the_file_when_it_is_done(self, admin_client: Client) -> None:
        path = start(admin_client, "?language__exact=cs")
        page = f"/admin/jobs/job/{Job.objects.get().pk}/change/"
        running = admin_client.get(page).content.decode()
        assert "data-running" in running
        assert path not in running
        run_pending_jobs()
        done = admin_client.get(page).content.decode()
        assert "7 of 7 rows" in done
        assert f'<a class="button" href="{path}">Download</a>' in done
        response = admin_client.get(path)
        content = read(response)
        assert int(response.headers["Content-Length"]) == len(content)
        expected = set(Subscription.objects.filter(language="cs").values_list("email", flat=True))
        assert {row["email"] for row in read_file(content)} == expected

    def test_file_is_named_in_the_language_of_the_admin(self, admin_client: Client) -> None:
        day = timezone.localdate().isoformat()
        for language, name in (("en", "subscribers"), ("cs", "odberatele")):
            admin_client.cookies["django_language"] = language
            path = start(admin_client)
            run_pending_jobs()
            disposition = admin_client.get(path).headers["Content-Disposition"]
            assert disposition == f'attachment; filename="{name}-{day}.csv"'

    def test_search_is_not_kept_after_the_export(self, admin_client: Client) -> None:
        start(admin_client, "?q=jana%40example.com")
        assert "jana" in str(Job.objects.get().arguments)
        run_pending_jobs()
        assert "jana" not in str(Job.objects.get().arguments)

    def test_double_click_is_recorded_once(self, admin_client: Client) -> None:
        with capture_logs() as lines:
            start(admin_client)
            start(admin_client)
        assert [line["event"] for line in lines].count("exported") == LogEntry.objects.count() == 1

    @pytest.mark.parametrize("killed_at", [1, 5])
    def test_killed_export_is_continued(
        self,
        admin_client: Client,
        monkeypatch: pytest.MonkeyPatch,
        time_machine: TimeMachineFixture,
        killed_at: int,
    ) -> None:
        calls = kill_after(monkeypatch, files, "append", killed_at)
        path = start(admin_client)
        with pytest.raises(Killed):
            run_pending_jobs()
        assert admin_client.get(path).status_code == 404
        time_machine.move_to(timezone.now() + queue.CLAIM_LIFETIME)
        run_pending_jobs()
        admin_client.force_login(get_user_model()._default_manager.get(is_superuser=True))
        content = read(admin_client.get(path))
        emails = [row["email"] for row in read_file(content)]
        assert sorted(emails) == sorted(Subscription.objects.values_list("email", flat=True))
        job = Job.objects.get()
        assert (job.finished_rows, job.total_rows) == (9, 9)
        assert len(calls) == 6  # five pages, and the one that the kill undid
        assert JobFile.objects.count() == 1

    @pytest.mark.parametrize("steps", [3, 4])
    def test_export_that_stopped_has_each_row_once_whether_its_file_is_left_or_not(
        self, admin_client: Client, steps: int
    ) -> None:
        path = start(admin_client)
        for _step in range(steps):
            queue.run_next_step()
        Job.objects.update(state=JobState.FAILED)
        if steps == 3:
            JobFile.objects.all().delete()
        queue.retry(Job.objects.get())
        run_pending_jobs()
        assert len(read_file(read(admin_client.get(path)))) == 9
        assert JobFile.objects.count() == 1

    def test_only_its_admin_and_superusers_get_the_file(self, admin_client: Client) -> None:
        creator = staff_client("view_subscription", "export_subscription")
        path = start(creator)
        run_pending_jobs()
        get_user_model()._default_manager.filter(email="staff@example.com").update(
            email="creator@example.com"
        )
        other = staff_client("view_subscription", "export_subscription")
        manager = staff_client("view_job", email="manager@example.com")
        assert path not in manager.get(f"/admin/jobs/job/{Job.objects.get().pk}/change/").content.decode()
        for client, status in ((other, 404), (creator, 200), (admin_client, 200)):
            assert client.get(path).status_code == status

    @pytest.mark.parametrize("query", ["gone=1", "segment=4711"])
    def test_filter_that_no_longer_exists_stops_the_job(self, admin_client: Client, query: str) -> None:
        start(admin_client)
        job = Job.objects.get()
        Job.objects.update(arguments={**job.arguments, "query": query})
        run_pending_jobs()
        job.refresh_from_db()
        assert (job.state, job.error) == (JobState.FAILED, "The filter of the list is no longer valid.")

    def test_step_reads_its_rows_alone(self, admin_client: Client) -> None:
        SubscriptionFactory()
        start(admin_client)
        with CaptureQueriesContext(connection) as queries:
            run_pending_jobs()
        reads = [query for query in queries if 'FROM "newsletter_subscription"' in query["sql"]]
        assert {query["sql"].rpartition(" LIMIT ")[2] for query in reads} == {str(exports.STEP_ROWS)}

    def test_admin_who_lost_the_permission_gets_nothing(self) -> None:
        client = staff_client("view_subscription", "export_subscription")
        path = start(client)
        user = get_user_model()._default_manager.get(email="staff@example.com")
        user.user_permissions.clear()
        run_pending_jobs()
        job = Job.objects.get()
        assert job.state == JobState.FAILED
        assert job.error == "The admin who started the job no longer has the permission."
        assert not JobFile.objects.exists()
        assert client.get(path).status_code == 403

    def test_export_of_another_list_is_not_found(self, admin_client: Client) -> None:
        path = start(admin_client).replace("newsletter/subscription", "accounts/user")
        assert admin_client.get(path).status_code == 404

    def test_file_is_deleted_after_a_day(
        self, admin_client: Client, admin_user: Any, time_machine: TimeMachineFixture
    ) -> None:
        path = start(admin_client)
        run_pending_jobs()
        time_machine.move_to(timezone.now() + timedelta(days=1, minutes=1))
        retention.purge_expired_jobs()
        admin_client.force_login(admin_user)
        page = admin_client.get(f"/admin/jobs/job/{Job.objects.get().pk}/change/").content.decode()
        assert path not in page
        assert admin_client.get(path).status_code == 404
