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
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from tests.jobs import run_pending_jobs
from tests.mailbox import mails, text

pytestmark = pytest.mark.django_db

SUBSCRIBERS = "/admin/newsletter/subscription/"
MEMBERS = "/admin/accounts/user/"


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_actions, "STEP_ROWS", 2)


def select_all(client: Client, action: str = "unsubscribe", path: str = SUBSCRIBERS) -> Any:
    """Choose an action for the whole list, as the link "Select all" does. It sends the key of any row."""
    rows: Any = (User if path.startswith(MEMBERS) else Subscription).objects
    form = {"action": action, "select_across": "1", "_selected_action": str(rows.first().pk)}
    return client.post(path, form, follow=True)


def start(client: Client, action: str = "unsubscribe", path: str = SUBSCRIBERS) -> Job:
    """Choose an action for the whole list, confirm, and return the job."""
    client.post(path, select_all(client, action, path).context["fields"])
    return Job.objects.latest("pk")


def get_results(client: Client, job: Job) -> list[str]:
    page = client.get(f"/admin/jobs/job/{job.pk}/change/")
    return [text for _tone, text in page.context["results"]]


def count_active() -> int:
    return Subscription.objects.filter(is_active=True).count()


def test_page_names_the_action_and_the_exact_count_and_changes_nothing(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    SubscriptionFactory.create_batch(3, user_type="company")
    SubscriptionFactory(user_type="sailor")
    page = text(select_all(admin_client, path=f"{SUBSCRIBERS}?user_type__exact=company&q=@"))
    assert "Subscribers: <strong>3</strong>" in page
    assert "No filter is set" not in page
    assert "No filter is set" in text(select_all(admin_client))
    monkeypatch.setattr(bulk_actions, "MAX_ROWS", 3)
    assert "An action changes at most 3 rows." in text(select_all(admin_client))
    assert not Job.objects.exists()
    assert count_active() == 4


def test_rows_that_the_admin_was_not_asked_about_are_not_found(admin_client: Client) -> None:
    SubscriptionFactory.create_batch(2)
    fields = select_all(admin_client).context["fields"]
    assert admin_client.post(SUBSCRIBERS, {**fields, "confirmed": "9999"}).status_code == 404
    other = staff_client("view_subscription", "change_subscription")
    assert other.post(SUBSCRIBERS, fields).status_code == 404
    assert not Job.objects.exists()


def test_job_changes_the_rows_that_were_counted_each_once_and_is_recorded_once(
    admin_client: Client, admin_user: User
) -> None:
    SubscriptionFactory.create_batch(5)
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
    assert count_active() > len(others)
    Subscription.objects.update(user_type="company")  # they leave the filter
    run_pending_jobs()
    job.refresh_from_db()
    assert (job.state, job.finished_rows, job.total_rows) == (JobState.DONE, 7, 7)
    assert get_results(admin_client, job) == ["Done: 5.", "Skipped: 2 (unsubscribed already)."]
    assert set(Subscription.objects.filter(is_active=True)) == set(others)
    # The history would keep the address of each row for ever.
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (admin_user, str(job.pk))


@pytest.mark.parametrize("lost", ["is_staff", "is_superuser", "file"])
def test_job_without_the_rights_or_the_rows_changes_nothing(
    admin_client: Client, admin_user: User, lost: str
) -> None:
    SubscriptionFactory.create_batch(2)
    job = start(admin_client)
    if lost == "file":
        JobFile.objects.all().delete()
    else:
        User.objects.filter(pk=admin_user.pk).update(**{lost: False})
    run_pending_jobs()
    job.refresh_from_db()
    error = "The list of the rows to change is no longer stored." if lost == "file" else queue.REFUSED
    assert (job.state, job.error, count_active()) == (JobState.FAILED, error, 2)


def test_other_admins_stay_out_of_reach() -> None:
    User.objects.create_superuser("boss@example.com")
    member = MemberFactory()
    client = staff_client("view_user", "change_user")
    job = start(client, "deactivate", MEMBERS)
    run_pending_jobs()
    assert list(User.objects.filter(is_active=False)) == [member]
    assert "Skipped: 2 (only a superuser may do this with an admin)." in get_results(client, job)


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
