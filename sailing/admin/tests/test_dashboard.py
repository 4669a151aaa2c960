"""The operations dashboard of Django admin: charts, and the state of the outbox."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from accounts.tests.factories import MemberFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing import __version__, database
from sailing.admin.tests.helpers import staff_client
from sailing.jobs.models import Job, JobState
from sailing.mail.models import MailState, OutboxEmail
from tests.mailbox import create_mail, english_left

pytestmark = pytest.mark.django_db

PAGE = "/admin/operations/"


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def create_job(state: JobState, **values: Any) -> None:
    Job.objects.create(kind="retention", state=state, **values)


def get_page(client: Client, path: str = PAGE) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def test_mails_are_counted_by_state_and_link_to_their_list() -> None:
    now = timezone.now()
    create_mail()
    for _ in range(2):
        create_mail(attempts=1)
    for _ in range(3):
        create_mail(MailState.FAILED)
    for _ in range(4):
        create_mail(MailState.SENT, sent_at=now)
    create_mail(MailState.SENT, sent_at=now - timedelta(days=1, seconds=1))
    page = get_page(staff_client("view_outboxemail"))
    assert re.findall(r"<strong>(\d+)</strong> ([^<]+)</a>", page) == [
        ("1", "waiting"),
        ("2", "retrying"),
        ("3", "failed"),
        ("4", "sent in the last 24 hours"),
    ]
    links = re.findall(r'href="(/admin/mail/outboxemail/\?[^"]+)"', page)
    client = staff_client("view_outboxemail", email="other@example.com")
    assert [client.get(unescape(link)).context["cl"].result_count for link in links] == [1, 2, 3, 4]


def test_what_is_overdue_is_shown_with_its_time(admin_client: Client) -> None:
    create_mail(next_attempt_at=timezone.now() - timedelta(minutes=9))
    page = get_page(admin_client)
    assert "Emails wait." in page
    assert "Since: Jun 30, 2025, 11:51" in page
    assert re.findall(r'<dt>([^<]+)</dt> <dd> <span class="badge badge-(\w+)">([^<]+)</span>', page) == [
        ("Worker", "good", "OK"),
        ("Email queue", "bad", "9 minutes"),
        ("Background jobs", "good", "OK"),
        ("Deletion of expired data", "good", "OK"),
        ("Campaigns", "good", "OK"),
    ]


def test_queue_in_which_something_has_failed_is_not_ok(admin_client: Client) -> None:
    for _ in range(2):
        create_mail(MailState.FAILED)
    create_job(JobState.FAILED)
    for client in (admin_client, staff_client("view_job")):
        badge = r'<dt>([^<]+)</dt> <dd> <span class="badge badge-(\w+)">([^<]+)<'
        found = re.findall(badge, get_page(client))
        assert ("Email queue", "bad", "Failed: 2") in found
        assert ("Background jobs", "bad", "Failed: 1") in found


@pytest.mark.parametrize(("seconds", "shown"), [(59, "under a minute"), (60, "1 minute")])
def test_waiting_time_of_the_oldest_mail_is_shown(admin_client: Client, seconds: int, shown: str) -> None:
    mail = create_mail()
    OutboxEmail.objects.filter(pk=mail.pk).update(due_at=timezone.now() - timedelta(seconds=seconds))
    page = get_page(admin_client).replace("\xa0", " ")
    assert re.findall(r"The oldest unsent email has waited for: <time [^>]+>([^<]+)<", page) == [shown]


def test_mail_that_will_be_tried_again_is_not_overdue(admin_client: Client) -> None:
    now = timezone.now()
    create_mail(attempts=1, due_at=now - timedelta(hours=5), next_attempt_at=now + timedelta(minutes=30))
    assert "badge-bad" not in get_page(admin_client)


def test_missing_statement_timeout_is_shown(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no statement timeout is in force" not in get_page(admin_client)
    monkeypatch.setattr(database, "is_statement_timeout_set", lambda connection: False)
    assert "no statement timeout is in force" in get_page(admin_client)


class TestPermissions:
    HEADINGS = {
        "view_outboxemail": 'id="mails-title"',
        "view_subscription": "Sailor 0, Company 1</title>",
        "view_user": "Email verified 0, Not verified yet 1</title>",
        "view_job": 'id="jobs-title"',
    }

    @pytest.mark.parametrize("codename", HEADINGS)
    def test_each_part_needs_the_permission_to_view_its_model(self, codename: str) -> None:
        SubscriptionFactory(user_type="company")
        MemberFactory()
        page = get_page(staff_client(codename))
        assert [each for each, heading in self.HEADINGS.items() if heading in page] == [codename]

    def test_admin_without_permissions_is_refused_and_sees_no_link(self) -> None:
        client = staff_client()
        assert client.get(PAGE).status_code == 403
        assert PAGE not in get_page(client, "/admin/")


def test_dashboard_is_translated_to_czech(admin_client: Client) -> None:
    create_mail(next_attempt_at=timezone.now() - timedelta(hours=1))
    page = get_page(admin_client, f"{PAGE}?lang=cs")
    assert "<h1>Provoz</h1>" in page
    assert not english_left(page, "accounts") + english_left(page, "newsletter")


def test_number_of_queries_does_not_depend_on_the_rows(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        create_mail(MailState.FAILED)
        SubscriptionFactory()
    with django_assert_max_num_queries(35):
        get_page(admin_client)


class TestJobsAndSystem:
    def test_jobs_are_counted_and_the_last_ones_listed(self) -> None:
        create_job(JobState.WAITING, next_attempt_at=timezone.now() - timedelta(hours=2))
        for state in (JobState.RUNNING, JobState.FAILED, JobState.FAILED, JobState.DONE):
            create_job(state)
        page = get_page(staff_client("view_job"))
        assert re.findall(r"<strong>(\d+)</strong> ([^<]+)</a>", page) == [
            ("1", "waiting"),
            ("1", "running"),
            ("2", "failed"),
        ]
        assert "The oldest job has waited for: <time" in page
        assert "2 hours" in page
        assert page.count("Delete expired data</a>") == 5

    def test_job_that_is_to_run_later_does_not_wait(self) -> None:
        create_job(JobState.WAITING, next_attempt_at=timezone.now() + timedelta(minutes=5))
        assert "The oldest job has waited" not in get_page(staff_client("view_job"))

    def test_database_is_measured(self) -> None:
        SubscriptionFactory()
        page = get_page(staff_client("view_job"))
        assert re.search(r"<dt>Database</dt><dd>\d+(\.\d)? [KM]B</dd>", page)
        assert "<dt>Subscribers</dt><dd>1</dd>" in page
        assert "<dt>Growth</dt>" not in page  # no list of rows

    def test_pending_and_newer_migrations_are_reported_with_the_release(self) -> None:
        client = staff_client("view_job")
        page = get_page(client)
        assert f"Sailing {__version__}" in page
        assert not re.search("run the migrations|newer than this release", page)
        recorder = MigrationRecorder(connection)
        recorder.record_applied("mail", "9999_of_the_next_release")
        assert "newer than this release" in get_page(client)
        (newest,) = MigrationLoader(connection).graph.leaf_nodes("mail")
        recorder.record_unapplied(*newest)
        assert "run the migrations" in get_page(client)
