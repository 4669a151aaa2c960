"""Background jobs in Django admin: who sees which, the progress, cancelling and continuing."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from sailing.admin.tests.helpers import staff_client
from sailing.jobs.models import Job, JobState

pytestmark = pytest.mark.django_db

LIST = "/admin/jobs/job/"


@pytest.fixture
def creator() -> User:
    return User.objects.create_user("creator@example.com", is_staff=True)


def store(creator: User | None = None, **values: Any) -> Job:
    return Job.objects.create(
        **{"kind": "export", "state": JobState.RUNNING, "created_by": creator, **values}
    )


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def get_page(client: Client, job: Job, page: str = "change") -> str:
    return " ".join(client.get(f"{LIST}{job.pk}/{page}/").content.decode().split())


def list_rows(client: Client, query: str = "") -> list[list[str]]:
    """Return the texts of the first five columns of each row."""
    page = client.get(f"{LIST}{query}").content.decode()
    cells = re.findall(r'<t[hd][^>]* class="field-(?!created_at|finished_at)[^"]+">(.*?)</t[hd]>', page)
    texts = [re.sub("<[^>]+>", "", cell) for cell in cells]
    return [texts[start : start + 5] for start in range(0, len(texts), 5)]


def test_list_says_what_each_job_is_what_became_of_it_and_who_started_it(creator: User) -> None:
    store(creator, finished_rows=250, total_rows=1000, arguments={"file_name": "people.csv"})
    store(kind="retention", state=JobState.FAILED, arguments={"model": "accounts.user"})
    store(kind="gone", state=JobState.FAILED, error="The file is empty.")
    client = staff_client("view_job")
    export = ["Export a list", "people.csv", "Running", "", "creator@example.com"]
    assert list_rows(client) == [
        ["gone", "", "Failed", "The file is empty.", ""],
        ["Delete expired data", "Members", "Failed", "", ""],
        export,
    ]
    assert list_rows(client, "?state__exact=running") == [export]


@pytest.mark.parametrize("model", ["newsletter.Gone", "gone.Gone", "contenttypes.ContentType", "gone"])
def test_job_of_a_model_that_is_gone_is_shown(model: str) -> None:
    job = store(state=JobState.DONE, arguments={"model": model})
    client = staff_client("view_job", "change_job")
    assert len(list_rows(client)) == 1
    assert "Export a list" in get_page(client, job)
    assert client.get("/admin/system/").status_code == 200


def test_page_shows_the_progress_until_the_job_ends_and_then_the_reason() -> None:
    client, job = staff_client("view_job"), store(finished_rows=250)
    progress = get_page(client, job, "progress")
    assert "250 rows" in progress
    assert "value=" not in progress
    Job.objects.update(total_rows=1000)
    for page in ("change", "progress"):
        shown = get_page(client, job, page)
        assert all(text in shown for text in ("data-running", 'value="250"', "250 of 1,000 rows"))
    for error, reason in (("", "No reason was recorded."), ("The file is empty.", "The file is empty.")):
        Job.objects.update(state=JobState.FAILED, error=error)
        shown = get_page(client, job)
        assert "data-running" not in shown
        assert f'<p class="notice notice-bad">{reason}</p>' in shown


def test_creator_sees_and_changes_the_own_job_alone_by_post(creator: User) -> None:
    client, own, other = client_of(creator), store(creator), store()
    for page in ("change", "progress"):
        assert client.get(f"{LIST}{own.pk}/{page}/").status_code == 200
        assert client.get(f"{LIST}{other.pk}/{page}/").status_code == 403
    for action, state in (("cancel", JobState.CANCELLED), ("retry", JobState.WAITING)):
        path = f"{LIST}{own.pk}/{action}/"
        assert client.get(path).status_code == 405
        assert path in get_page(client, own)
        client.post(path)
        own.refresh_from_db()
        assert own.state == state
        assert client.post(f"{LIST}{other.pk}/{action}/").status_code == 403


def test_job_of_another_admin_is_continued_by_superusers_only(creator: User, admin_client: Client) -> None:
    job = store(creator, state=JobState.FAILED)
    retry = f"{LIST}{job.pk}/retry/"
    manager = staff_client("view_job", "change_job")
    page = get_page(manager, job)
    assert "Only the admin who started the job, or a superuser, can continue it." in page
    assert "Continue the job" not in page
    assert manager.post(retry).status_code == 403
    admin_client.post(retry)
    job.refresh_from_db()
    assert job.state == JobState.WAITING
    assert "admin@example.com" in get_page(manager, job, "history")


@pytest.mark.parametrize("action", ["cancel", "retry"])
def test_finished_job_is_left_alone(action: str) -> None:
    job = store(state=JobState.DONE)
    response = staff_client("view_job", "change_job").post(f"{LIST}{job.pk}/{action}/", follow=True)
    (message,) = response.context["messages"]
    assert str(message) == "Nothing was done: the job has changed."
    job.refresh_from_db()
    assert job.state == JobState.DONE
