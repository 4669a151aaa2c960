"""Exports of lists, by the example of subscribers: filters, format, history, long lists in the background."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs
from time_machine import TimeMachineFixture

from accounts.models import User
from newsletter.models import Subscription
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin import exports
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
EXPORT = f"{LIST}export/"


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "STEP_ROWS", 2)


def start(client: Client, query: str = "") -> str:
    """Start an export and return the path of its file."""
    job_page = client.post(EXPORT + query).headers["Location"]
    return job_page.replace("jobs/job", "newsletter/subscription/export").replace("change", "file")


def download(client: Client, path: str) -> bytes:
    response: Any = client.get(path)
    content = b"".join(response)
    assert response.headers["Content-Length"] == str(len(content))
    return content


def read_file(content: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def export(client: Client, query: str = "") -> bytes:
    path = start(client, query)
    run_pending_jobs()
    return download(client, path)


def test_row_has_all_fields(admin_client: Client, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-02T12:00:00+00:00", tick=False)
    later = timezone.now() + timedelta(days=1)
    jana = SubscriptionFactory(email="jana@example.com", language="cs", confirmed=True, paused_until=later)
    jana.interests.set([InterestFactory(name_en="Cruising"), InterestFactory(name_en="Regattas")])
    (row,) = read_file(export(admin_client))
    assert " ".join(row) == (
        "email first_name user_type state source utm_source utm_medium utm_campaign referrer language"
        " interest_names created_at confirmed_at paused_until unsubscribed_at bounced_at"
    )
    assert (row["email"], row["state"], row["language"]) == ("jana@example.com", "paused", "cs")
    assert (row["interest_names"], row["paused_until"]) == ("Cruising; Regattas", later.isoformat())


def test_filters_and_search_of_the_list_are_applied(admin_client: Client) -> None:
    SubscriptionFactory(email="one@example.com", language="cs")
    SubscriptionFactory(email="two@example.com", language="en")
    czech = "?language__exact=cs"
    assert f'href="export/{czech}"' in admin_client.get(LIST + czech).content.decode()
    assert "<strong>1</strong>" in admin_client.get(EXPORT + czech).content.decode()
    assert "No filter is set: this is the whole list." in admin_client.get(EXPORT).content.decode()
    (row,) = read_file(export(admin_client, f"{czech}&q=EXAMPLE"))
    assert row["email"] == "one@example.com"


def test_export_is_recorded_once_and_keeps_no_address(admin_client: Client, admin_user: User) -> None:
    SubscriptionFactory(email="jana@example.com")
    with capture_logs() as lines:
        for _click in range(2):
            start(admin_client, "?q=jana%40example.com")
        run_pending_jobs()
    (line,) = [line for line in lines if line["event"] == "exported"]
    assert (line["admin"], line["rows"]) == (admin_user.pk, 1)
    assert "jana" not in f"{lines} {Job.objects.get().arguments}"
    assert LogEntry.objects.get().user == admin_user
    assert "Rows exported: 1." in admin_client.get("/admin/admin/logentry/").content.decode()


class TestLongList:
    @pytest.fixture(autouse=True)
    def _long_list(self) -> None:
        SubscriptionFactory.create_batch(7, language="cs")
        SubscriptionFactory.create_batch(2, language="en")

    @pytest.mark.parametrize(
        ("language", "delimiter", "name"), [("en", ",", "subscribers"), ("cs", ";", "odberatele")]
    )
    def test_page_of_the_job_offers_the_file_in_the_language_of_the_admin_while_it_is_stored(
        self, admin_client: Client, language: str, delimiter: str, name: str
    ) -> None:
        admin_client.cookies["django_language"] = language
        path = start(admin_client, "?language__exact=cs")
        page = f"/admin/jobs/job/{Job.objects.get().pk}/change/"
        assert path not in admin_client.get(page).content.decode()
        run_pending_jobs()
        assert f'<a class="button" href="{path}">' in admin_client.get(page).content.decode()
        disposition = admin_client.get(path).headers["Content-Disposition"]
        assert disposition == f'attachment; filename="{name}-{timezone.localdate().isoformat()}.csv"'
        content = download(admin_client, path)
        assert content.startswith(f'\ufeff"email"{delimiter}"first_name"{delimiter}'.encode())
        assert content.count("\ufeff".encode()) == 1
        expected = set(Subscription.objects.filter(language="cs").values_list("email", flat=True))
        assert {row["email"] for row in read_file(content, delimiter)} == expected
        JobFile.objects.all().delete()  # after a day
        assert path not in admin_client.get(page).content.decode()
        assert admin_client.get(path).status_code == 404

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
        emails = [row["email"] for row in read_file(download(admin_client, path))]
        assert sorted(emails) == sorted(Subscription.objects.values_list("email", flat=True))
        job = Job.objects.get()
        assert (job.finished_rows, job.total_rows, JobFile.objects.count()) == (9, 9, 1)

    def test_only_its_admin_and_superusers_get_the_file(self, admin_client: Client) -> None:
        creator, other = (
            staff_client("view_subscription", "export_subscription", email=f"{name}@example.com")
            for name in ("creator", "other")
        )
        path = start(creator)
        run_pending_jobs()
        manager = staff_client("view_job", email="manager@example.com")
        assert path not in manager.get(f"/admin/jobs/job/{Job.objects.get().pk}/change/").content.decode()
        for client, status in ((other, 404), (creator, 200), (admin_client, 200)):
            assert client.get(path).status_code == status
        other_list = path.replace("newsletter/subscription", "accounts/user")
        assert admin_client.get(other_list).status_code == 404
        User.objects.get(email="creator@example.com").user_permissions.clear()
        assert creator.get(path).status_code == 403

    @pytest.mark.parametrize("query", ["gone=1", "segment=4711", None])
    def test_export_with_a_filter_that_is_gone_or_without_the_permission_fails(
        self, admin_client: Client, admin_user: User, query: str | None
    ) -> None:
        start(admin_client)
        if query:
            Job.objects.update(arguments={**Job.objects.get().arguments, "query": query})
        else:
            User.objects.filter(pk=admin_user.pk).update(is_superuser=False)
        run_pending_jobs()
        job = Job.objects.get()
        error = "The filter of the list is no longer valid." if query else queue.REFUSED
        assert (job.state, job.error) == (JobState.FAILED, error)
        assert not JobFile.objects.exists()
