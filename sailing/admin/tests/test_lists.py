"""Exports of lists and actions on many rows: the page that asks first, the job, its rights and its result."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.models import Subscription
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin import bulk_actions, exports
from sailing.admin.tests.helpers import download, export, read_file, staff_client, start_export
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from tests.jobs import run_pending_jobs
from tests.mailbox import mails, text

pytestmark = pytest.mark.django_db

SUBSCRIBERS = "/admin/newsletter/subscription/"
EXPORT = f"{SUBSCRIBERS}export/"
MEMBERS = "/admin/accounts/user/"
CZECH = "?language__exact=cs"


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (exports, bulk_actions):
        monkeypatch.setattr(module, "STEP_ROWS", 2)


def read_page(client: Client, job: Job) -> str:
    return client.get(f"/admin/jobs/job/{job.pk}/change/").content.decode()


def test_export_has_the_filtered_rows_with_their_state_interests_and_times(admin_client: Client) -> None:
    paused_until = timezone.now().replace(microsecond=0) + timedelta(days=1)
    jana = SubscriptionFactory(language="cs", confirmed=True, paused_until=paused_until)
    jana.interests.set([InterestFactory(name_en="Cruising"), InterestFactory(name_en="Regattas")])
    SubscriptionFactory(language="en")
    assert f'href="export/{CZECH}"' in admin_client.get(SUBSCRIBERS + CZECH).content.decode()
    assert "<dd>1</dd>" in admin_client.get(EXPORT + CZECH).content.decode()
    assert "No filter is set: this is the whole list." in admin_client.get(EXPORT).content.decode()
    (row,) = export(admin_client, f"{CZECH}&q=EXAMPLE")
    assert (row["email"], row["state"], row["language"]) == (jana.email, "paused", "cs")
    assert (row["interest_names"], row["paused_until"]) == ("Cruising; Regattas", paused_until.isoformat())


def test_export_is_recorded_once_and_keeps_no_address(admin_client: Client, admin_user: User) -> None:
    SubscriptionFactory(email="jana@example.com")
    with capture_logs() as lines:
        for _click in range(2):
            start_export(admin_client, "?q=jana%40example.com")
        run_pending_jobs()
    (line,) = [line for line in lines if line["event"] == "exported"]
    assert (line["admin"], line["rows"]) == (admin_user.pk, 1)
    assert "jana" not in f"{lines} {Job.objects.get().arguments}"
    assert LogEntry.objects.get().user == admin_user
    assert "Rows exported: 1." in admin_client.get("/admin/admin/logentry/").content.decode()


class TestLongExport:
    @pytest.fixture(autouse=True)
    def _long_list(self) -> None:
        for language, count in (("cs", 7), ("en", 2)):
            SubscriptionFactory.create_batch(count, language=language)

    @pytest.mark.parametrize(
        ("language", "mark", "name"), [("en", ",", "subscribers"), ("cs", ";", "odberatele")]
    )
    def test_file_is_in_the_language_of_the_admin(
        self, admin_client: Client, language: str, mark: str, name: str
    ) -> None:
        admin_client.cookies["django_language"] = language
        path = start_export(admin_client, CZECH)
        job = Job.objects.get()
        assert path not in read_page(admin_client, job)
        run_pending_jobs()
        assert f'<a class="button" href="{path}">' in read_page(admin_client, job)
        disposition = admin_client.get(path).headers["Content-Disposition"]
        assert disposition == f'attachment; filename="{name}-{timezone.localdate().isoformat()}.csv"'
        content = download(admin_client, path)
        assert content.startswith(f'\ufeff"email"{mark}"first_name"{mark}'.encode())
        expected = set(Subscription.objects.filter(language="cs").values_list("email", flat=True))
        assert {row["email"] for row in read_file(content, mark)} == expected
        JobFile.objects.all().delete()  # after a day
        assert path not in read_page(admin_client, job)
        assert admin_client.get(path).status_code == 404

    @pytest.mark.parametrize("steps", [3, 4])
    def test_continued_export_has_each_row_once(self, admin_client: Client, steps: int) -> None:
        path = start_export(admin_client)
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
        path = start_export(creator)
        run_pending_jobs()
        manager = staff_client("view_job", email="manager@example.com")
        pages = [read_page(client, Job.objects.get()) for client in (creator, manager)]
        assert [path in page for page in pages] == [True, False]
        assert ["Back to the list" in page for page in pages] == [True, False]
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
        start_export(admin_client)
        if query:
            Job.objects.update(arguments={**Job.objects.get().arguments, "query": query})
        else:
            User.objects.filter(pk=admin_user.pk).update(is_superuser=False)
        run_pending_jobs()
        job = Job.objects.get()
        error = "The filter of the list is no longer valid." if query else queue.REFUSED
        assert (job.state, job.error) == (JobState.FAILED, error)
        assert not JobFile.objects.exists()


def select_all(client: Client, action: str = "unsubscribe", path: str = SUBSCRIBERS) -> Any:
    """Choose an action for the whole list, as the link "Select all" does. It sends the key of any row."""
    rows: Any = (User if path.startswith(MEMBERS) else Subscription).objects
    form = {"action": action, "select_across": "1", "_selected_action": str(rows.first().pk)}
    return client.post(path, form, follow=True)


def start(client: Client, action: str = "unsubscribe", path: str = SUBSCRIBERS) -> Job:
    client.post(path, select_all(client, action, path).context["fields"])
    return Job.objects.latest("pk")


@pytest.mark.parametrize(
    ("query", "order"), [("", "descending"), ("?o=5", "ascending"), ("?o=-5", "descending")]
)
def test_heading_that_sorts_a_list_says_its_order(admin_client: Client, query: str, order: str) -> None:
    MemberFactory()
    page = admin_client.get(f"/admin/accounts/user/{query}").content.decode()
    assert re.findall(r'aria-sort="(\w+)"', page) == [order]


def test_page_asks_with_the_exact_count(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    SubscriptionFactory.create_batch(3, user_type="company")
    SubscriptionFactory(user_type="sailor")
    page = text(select_all(admin_client, path=f"{SUBSCRIBERS}?user_type__exact=company&q=@"))
    assert "Subscribers: <strong>3</strong>" in page
    assert "No filter is set" not in page
    assert "No filter is set" in text(select_all(admin_client))
    monkeypatch.setattr(bulk_actions, "MAX_ROWS", 3)
    assert "An action changes at most 3 rows." in text(select_all(admin_client))
    assert not Job.objects.exists()
    assert Subscription.objects.filter(is_active=True).count() == 4


def test_rows_that_the_admin_was_not_asked_about_are_not_found(admin_client: Client) -> None:
    SubscriptionFactory.create_batch(2)
    fields = select_all(admin_client).context["fields"]
    assert admin_client.post(SUBSCRIBERS, {**fields, "confirmed": "9999"}).status_code == 404
    other = staff_client("view_subscription", "change_subscription")
    assert other.post(SUBSCRIBERS, fields).status_code == 404
    assert not Job.objects.exists()


def test_job_changes_the_counted_rows_and_each_is_recorded(admin_client: Client, admin_user: User) -> None:
    rows = SubscriptionFactory.create_batch(5)
    SubscriptionFactory.create_batch(2, is_active=False)
    path = f"{SUBSCRIBERS}?user_type__exact=sailor&p=1"
    others = [SubscriptionFactory(user_type="company")]
    fields = select_all(admin_client, path=path).context["fields"]
    others.append(SubscriptionFactory())
    for _click in range(2):
        response = admin_client.post(path, fields)
    job = Job.objects.get()
    assert response.headers["Location"] == f"/admin/jobs/job/{job.pk}/change/"
    queue.run_next_step()
    active = Subscription.objects.filter(is_active=True)
    assert active.count() > len(others)
    Subscription.objects.update(user_type="company")  # they leave the filter
    run_pending_jobs()
    job.refresh_from_db()
    assert (job.state, job.finished_rows, job.total_rows) == (JobState.DONE, 7, 7)
    page = read_page(admin_client, job)
    assert "Done: 5." in page
    assert "Skipped: 2 (unsubscribed already)." in page
    assert set(active) == set(others)
    entries = LogEntry.objects.filter(user=admin_user).values_list("object_id", flat=True)
    assert sorted(entries) == sorted(str(each.pk) for each in (*rows, job))


@pytest.mark.parametrize("lost", ["is_staff", "is_superuser", "file"])
def test_job_without_rights_or_rows_does_nothing(admin_client: Client, admin_user: User, lost: str) -> None:
    SubscriptionFactory.create_batch(2)
    job = start(admin_client)
    if lost == "file":
        JobFile.objects.all().delete()
    else:
        User.objects.filter(pk=admin_user.pk).update(**{lost: False})
    run_pending_jobs()
    job.refresh_from_db()
    error = "The list of the rows to change is no longer stored." if lost == "file" else queue.REFUSED
    assert (job.state, job.error) == (JobState.FAILED, error)
    assert Subscription.objects.filter(is_active=True).count() == 2


def test_other_admins_stay_out_of_reach() -> None:
    User.objects.create_superuser("boss@example.com")
    member = MemberFactory()
    client = staff_client("view_user", "change_user")
    job = start(client, "deactivate", MEMBERS)
    run_pending_jobs()
    assert list(User.objects.filter(is_active=False)) == [member]
    assert "Skipped: 2 (only a superuser may do this with an admin)." in read_page(client, job)


@pytest.mark.parametrize(
    ("path", "action"),
    [
        (SUBSCRIBERS, "ask_again"),
        (f"{MEMBERS}?account=active", "resend_verification"),
        (f"{MEMBERS}?account=active", "send_reset_mail"),
    ],
)
def test_mails_count_in_the_budget_of_the_mailbox(admin_client: Client, path: str, action: str) -> None:
    factory = SubscriptionFactory if path == SUBSCRIBERS else MemberFactory
    factory(email="fresh@example.com")
    factory(email="blocked@example.com")
    mailboxes.block("blocked@example.com")
    start(admin_client, action, path)
    run_pending_jobs()
    (mail,) = mails()
    assert (mail.recipient, mail.priority) == ("fresh@example.com", MailPriority.BULK)
    assert [mailboxes.reserve("fresh@example.com") for _mail in range(5)] == [True] * 4 + [False]
