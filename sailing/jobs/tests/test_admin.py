"""Background jobs in Django admin: who sees which, the progress, cancelling and continuing."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from accounts.tests.factories import MemberFactory
from sailing.admin.tests.helpers import staff_client
from sailing.jobs.models import Job, JobState

pytestmark = pytest.mark.django_db

LIST = "/admin/jobs/job/"


def store(creator: User | None = None, **values: Any) -> Job:
    return Job.objects.create(
        **{"kind": "export", "state": JobState.RUNNING, "created_by": creator, **values}
    )


def get_page(client: Client, job: Job, page: str = "change") -> str:
    return " ".join(client.get(f"{LIST}{job.pk}/{page}/").content.decode().split())


@pytest.mark.parametrize("model", ["newsletter.Gone", "contenttypes.ContentType", "gone"])
def test_job_of_a_model_that_is_gone_is_shown(model: str) -> None:
    job = store(state=JobState.DONE, arguments={"model": model})
    client = staff_client("view_job", "change_job")
    assert client.get(LIST).status_code == 200
    assert "Export a list" in get_page(client, job)
    assert client.get("/admin/system/").status_code == 200


def test_blank_cell_is_a_dash_and_hidden_on_a_phone() -> None:
    store()
    assert 'class="field-reason is-hidden">–</td>' in staff_client("view_job").get(LIST).text


def test_page_shows_the_progress_until_the_job_ends_and_then_the_reason() -> None:
    client, job = staff_client("view_job"), store(finished_rows=250)
    assert "250 rows" in get_page(client, job, "progress")
    Job.objects.update(total_rows=1000)
    for page in ("change", "progress"):
        shown = get_page(client, job, page)
        assert all(text in shown for text in ("data-running", 'value="250"', "250 of 1,000 rows"))
    for error, reason in (("", "No reason was recorded."), ("The file is empty.", "The file is empty.")):
        Job.objects.update(state=JobState.FAILED, error=error)
        shown = get_page(client, job)
        assert ("data-running" in shown, reason in shown) == (False, True)


def test_creator_sees_and_changes_the_own_job_alone_by_post() -> None:
    client = staff_client()
    own, other = store(User.objects.get()), store()
    for page in ("change", "progress"):
        assert client.get(f"{LIST}{own.pk}/{page}/").status_code == 200
        assert client.get(f"{LIST}{other.pk}/{page}/").status_code == 403
    for action, state in (("cancel", JobState.CANCELLED), ("retry", JobState.WAITING)):
        path = f"{LIST}{own.pk}/{action}/"
        assert client.get(path).status_code == 405
        assert path in get_page(client, own)
        assert f'href="{LIST}"' not in get_page(client, own)
        client.post(path)
        assert client.post(f"{LIST}{other.pk}/{action}/").status_code == 403
        assert "Nothing was done: the job has changed." in client.post(path, follow=True).text
        own.refresh_from_db()
        assert own.state == state


def test_job_of_another_admin_is_continued_by_superusers_only(admin_client: Client) -> None:
    job = store(MemberFactory(is_staff=True), state=JobState.FAILED)
    retry = f"{LIST}{job.pk}/retry/"
    manager = staff_client("view_job", "change_job")
    assert "Continue the job" not in get_page(manager, job)
    assert manager.post(retry).status_code == 403
    admin_client.post(f"{retry}?lang=cs")
    job.refresh_from_db()
    assert job.state == JobState.WAITING
    assert LogEntry.objects.get().object_repr == "Export a list"
    assert "admin@example.com" in get_page(manager, job, "history")
