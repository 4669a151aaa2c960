"""Actions on a whole filtered list: the page that asks first, the job and its result."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin import bulk_actions
from sailing.admin.tests.helpers import run_action, staff_client
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from tests.jobs import run_pending_jobs
from tests.mailbox import mails, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_steps")]

SUBSCRIBERS = "/admin/newsletter/subscription/"
MEMBERS = "/admin/accounts/user/"


def select_all(client: Client, action: str, path: str, **options: Any) -> Any:
    """Choose an action for the whole list, as the link "Select all" does. It sends the key of any row."""
    rows: Any = (User if path.startswith(MEMBERS) else Subscription).objects
    form = {"action": action, "select_across": "1", "_selected_action": str(rows.first().pk)}
    return client.post(path, form, **options)


def start(client: Client, action: str, path: str = SUBSCRIBERS) -> Job:
    """Choose an action for the whole list, confirm, and return the job."""
    page = select_all(client, action, path)
    response = client.post(path, page.context["fields"])
    job = Job.objects.latest("pk")
    assert response.headers["Location"] == f"/admin/jobs/job/{job.pk}/change/"
    return job


def read_page(client: Client, path: str) -> str:
    return text(client.get(path))  # type: ignore[arg-type]


def get_results(client: Client, job: Job) -> list[str]:
    page = client.get(f"/admin/jobs/job/{job.pk}/change/")
    return [text for _tone, text in page.context["results"]]


def count_active() -> int:
    return Subscription.objects.filter(is_active=True).count()


class TestConfirmation:
    def test_page_names_the_action_and_the_exact_count(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(3, user_type="company")
        SubscriptionFactory(user_type="sailor")
        page = text(select_all(admin_client, "unsubscribe", f"{SUBSCRIBERS}?user_type__exact=company&q=@"))
        assert "<h1>Unsubscribe</h1>" in page
        assert "Subscribers: <strong>3</strong>" in page
        assert "You cannot undo it." in page
        assert "No filter is set" not in page
        assert "No filter is set" in text(select_all(admin_client, "unsubscribe", SUBSCRIBERS))
        assert not Job.objects.exists()
        assert count_active() == 4

    def test_more_rows_than_a_job_takes_need_a_smaller_filter(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bulk_actions, "MAX_ROWS", 2)
        SubscriptionFactory.create_batch(3)
        page = text(select_all(admin_client, "unsubscribe", SUBSCRIBERS, follow=True))
        assert "An action changes at most 2 rows. Please choose a smaller filter." in page
        assert not JobFile.objects.exists()

    def test_page_of_another_admin_confirms_nothing(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(2)
        fields = select_all(admin_client, "unsubscribe", SUBSCRIBERS).context["fields"]
        client = staff_client("view_subscription", "change_subscription")
        assert client.post(SUBSCRIBERS, fields).status_code == 404
        assert not Job.objects.exists()

    def test_permission_to_view_is_not_enough(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(2)
        client = staff_client("view_subscription")
        select_all(client, "unsubscribe", SUBSCRIBERS)
        run_action(client, SUBSCRIBERS, "unsubscribe", Subscription.objects.latest("pk"))
        assert count_active() == 2
        assert not JobFile.objects.exists()


class TestJob:
    def test_every_row_of_the_filter_is_changed_and_no_other(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(5, user_type="company")
        SubscriptionFactory.create_batch(2, user_type="company", is_active=False)
        SubscriptionFactory.create_batch(2, user_type="sailor")
        job = start(admin_client, "unsubscribe", f"{SUBSCRIBERS}?user_type__exact=company&p=1")
        run_pending_jobs()
        job.refresh_from_db()
        assert (job.state, job.finished_rows, job.total_rows) == (JobState.DONE, 7, 7)
        assert get_results(admin_client, job) == [
            "Done: 5.",
            "Skipped: 2 (unsubscribed already).",
        ]
        admin_client.cookies["django_language"] = "cs"
        assert "(už odhlášeno)" in get_results(admin_client, job)[1]
        assert {row.user_type for row in Subscription.objects.filter(is_active=True)} == {"sailor"}
        # The history would keep the address of each row for ever.
        assert list(LogEntry.objects.values_list("content_type__model", flat=True)) == ["job"]

    def test_ticked_rows_are_asked_about_and_no_other_is_changed(self, admin_client: Client) -> None:
        ticked = SubscriptionFactory.create_batch(2)
        other = SubscriptionFactory()
        fields = {"action": "unsubscribe", "_selected_action": [str(row.pk) for row in ticked]}
        page = text(admin_client.post(SUBSCRIBERS, fields))  # type: ignore[arg-type]
        assert "Subscribers: <strong>2</strong>" in page
        assert count_active() == 3
        assert run_action(admin_client, SUBSCRIBERS, "unsubscribe", *ticked) == ["Done: 2."]
        assert list(Subscription.objects.filter(is_active=True)) == [other]

    def test_rows_that_left_the_filter_since_the_count_are_handled_too(self, admin_client: Client) -> None:
        rows = SubscriptionFactory.create_batch(2)
        path = f"{SUBSCRIBERS}?state=pending"
        ticked = {"action": "unsubscribe", "_selected_action": [str(row.pk) for row in rows]}
        fields = admin_client.post(path, ticked).context["fields"]
        Subscription.objects.filter(pk=rows[0].pk).update(is_confirmed=True)
        admin_client.post(path, fields)
        run_pending_jobs()
        assert count_active() == 0

    def test_rows_that_nobody_asked_about_are_not_found(self, admin_client: Client) -> None:
        row = SubscriptionFactory()
        fields = {"action": "unsubscribe", "_selected_action": row.pk, "confirmed": "9999"}
        assert admin_client.post(SUBSCRIBERS, fields).status_code == 404
        assert count_active() == 1

    def test_rows_added_after_the_count_are_left_out(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(2)
        page = select_all(admin_client, "unsubscribe", SUBSCRIBERS)
        late = SubscriptionFactory()
        admin_client.post(SUBSCRIBERS, page.context["fields"])
        run_pending_jobs()
        assert Subscription.objects.get(is_active=True) == late

    def test_interrupted_job_repeats_no_row_and_leaves_out_none_that_left_the_filter(
        self, admin_client: Client
    ) -> None:
        SubscriptionFactory.create_batch(5)
        job = start(admin_client, "unsubscribe", f"{SUBSCRIBERS}?state=pending")
        queue.run_next_step()
        assert count_active() == 3
        run_pending_jobs()
        assert get_results(admin_client, job) == ["Done: 5."]
        assert count_active() == 0

    @pytest.mark.parametrize("right", ["is_active", "is_staff", "is_superuser"])
    def test_rights_are_checked_again(self, admin_client: Client, admin_user: User, right: str) -> None:
        SubscriptionFactory.create_batch(2)
        job = start(admin_client, "unsubscribe")
        User.objects.filter(pk=admin_user.pk).update(**{right: False})
        run_pending_jobs()
        job.refresh_from_db()
        assert job.error == "The admin who started the job no longer has the permission."
        assert (job.state, count_active()) == (JobState.FAILED, 2)

    def test_other_admins_stay_out_of_reach(self) -> None:
        boss = User.objects.create_superuser("boss@example.com")
        member = MemberFactory()
        client = staff_client("view_user", "change_user")
        job = start(client, "deactivate", MEMBERS)
        run_pending_jobs()
        boss.refresh_from_db()
        member.refresh_from_db()
        assert boss.is_active
        assert not member.is_active
        assert get_results(client, job) == [
            "Done: 1.",
            "Skipped: 2 (only a superuser may do this with an admin).",
        ]

    def test_job_whose_rows_are_no_longer_stored_says_so(self, admin_client: Client) -> None:
        SubscriptionFactory.create_batch(2)
        job = start(admin_client, "unsubscribe")
        JobFile.objects.all().delete()
        run_pending_jobs()
        job.refresh_from_db()
        assert job.error == "The list of the rows to change is no longer stored."
        assert count_active() == 2


class TestMails:
    @pytest.mark.parametrize(
        ("path", "action"),
        [
            (SUBSCRIBERS, "ask_again"),
            (f"{MEMBERS}?account=active", "resend_verification"),
            (f"{MEMBERS}?account=active", "send_reset_mail"),
        ],
    )
    def test_mails_count_in_the_budget_of_the_mailbox(
        self, admin_client: Client, path: str, action: str
    ) -> None:
        factory = SubscriptionFactory if path == SUBSCRIBERS else MemberFactory
        factory(email="fresh@example.com")
        factory(email="blocked@example.com")
        mailboxes.block("blocked@example.com")
        start(admin_client, action, path)
        run_pending_jobs()
        (mail,) = mails()
        assert (mail.recipient, mail.priority) == ("fresh@example.com", MailPriority.BULK)
        for _mail in range(4):
            assert mailboxes.reserve("fresh@example.com")
        assert not mailboxes.reserve("fresh@example.com")


class TestRecord:
    def test_start_is_in_the_admin_history_once(self, admin_client: Client, admin_user: User) -> None:
        SubscriptionFactory.create_batch(2)
        fields = select_all(admin_client, "unsubscribe", SUBSCRIBERS).context["fields"]
        for _click in range(2):
            admin_client.post(SUBSCRIBERS, fields)
            run_pending_jobs()
        job = Job.objects.get()
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (admin_user, str(job.pk))
        assert "Started. Rows: 2." in read_page(admin_client, "/admin/admin/logentry/")
        assert "Started. Rows: 2." in read_page(admin_client, f"/admin/jobs/job/{job.pk}/history/")
