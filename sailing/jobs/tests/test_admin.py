"""Background jobs in Django admin: who sees which, the progress, cancelling and continuing."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import queue
from sailing.jobs.models import Job, JobState

LIST = "/admin/jobs/job/"


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the kinds `count` and `routine` too."""
    monkeypatch.setattr(queue, "kinds", dict(queue.kinds))
    queue.register("count", label="Count the boats")(lambda _job: False)
    queue.register("routine", label="Routine")(lambda _job: False)


@pytest.fixture
def creator() -> User:
    return User.objects.create_user("creator@example.com", is_staff=True)


def store(creator: User | None = None, **values: Any) -> Job:
    return Job.objects.create(**{"kind": "count", "state": JobState.RUNNING, "created_by": creator, **values})


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def get_page(client: Client, job: Job) -> str:
    response = client.get(f"{LIST}{job.pk}/change/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def list_rows(client: Client, query: str = "") -> list[list[str]]:
    """Return the texts of the first five columns of each row."""
    page = client.get(f"{LIST}{query}").content.decode()
    cells = re.findall(r'<t[hd][^>]* class="field-(?!created_at|finished_at)[^"]+">(.*?)</t[hd]>', page)
    texts = [re.sub("<[^>]+>", "", cell) for cell in cells]
    return [texts[start : start + 5] for start in range(0, len(texts), 5)]


@pytest.mark.django_db
class TestPages:
    def test_list_says_what_each_job_is_what_became_of_it_and_who_started_it(self, creator: User) -> None:
        store(creator, finished_rows=250, total_rows=1000, arguments={"file_name": "people.csv"})
        store(kind="routine", state=JobState.FAILED, arguments={"model": "accounts.user"})
        store(kind="gone", state=JobState.FAILED, error="The file is empty.")
        client = staff_client("view_job")
        count = ["Count the boats", "people.csv", "Running", "", "creator@example.com"]
        assert list_rows(client) == [
            ["gone", "", "Failed", "The file is empty.", ""],
            ["Routine", "Members", "Failed", "", ""],
            count,
        ]
        assert list_rows(client, "?state__exact=running") == [count]

    @pytest.mark.parametrize("model", ["newsletter.Gone", "gone.Gone", "contenttypes.ContentType", "gone"])
    @pytest.mark.parametrize("kind", ["admin.bulk_action", "export"])
    def test_job_of_a_model_or_a_kind_that_is_gone_is_shown(self, kind: str, model: str) -> None:
        job = store(kind=kind, state=JobState.DONE, arguments={"model": model, "action": "unsubscribe"})
        client = staff_client("view_job", "change_job")
        assert len(list_rows(client)) == 1
        get_page(client, job)
        assert client.get("/admin/system/").status_code == 200

    def test_page_shows_the_progress_until_the_job_ends(self) -> None:
        client = staff_client("view_job")
        job = store(finished_rows=250)
        progress = client.get(f"{LIST}{job.pk}/progress/").content.decode()
        assert "250 rows" in progress
        assert "value=" not in progress
        Job.objects.update(total_rows=1000)
        for url in (f"{LIST}{job.pk}/change/", f"{LIST}{job.pk}/progress/"):
            page = client.get(url).content.decode()
            assert "data-running" in page
            assert 'value="250"' in page
            assert "250 of 1,000 rows" in page
        Job.objects.update(state=JobState.FAILED, error="The file is empty.")
        page = get_page(client, job)
        assert "data-running" not in page
        assert "The file is empty." in page
        assert "closelink" not in page

    def test_page_has_the_facts_that_are_known(self, creator: User) -> None:
        at = timezone.now() - timedelta(minutes=3)
        done = {"state": JobState.DONE, "created_at": at, "started_at": at, "finished_at": timezone.now()}
        page = get_page(client_of(creator), store(creator, arguments={"file_name": "members.csv"}, **done))
        facts = dict(re.findall("<dt>([^<]+)</dt> ?<dd>(?:<a[^>]+>)?([^<]+)<", page))
        assert {"File or list": "members.csv", "Started by": "creator@example.com"}.items() <= facts.items()
        assert {"Created", "Started", "Finished"} <= facts.keys()
        page = get_page(client_of(creator), store(creator))
        assert re.findall("<dt>([^<]+)</dt>", page) == ["Started by", "Created"]

    @pytest.mark.parametrize(
        ("error", "reason"), [("", "No reason was recorded."), ("The file is empty.", "The file is empty.")]
    )
    def test_failed_job_says_why_and_who_can_continue_it(
        self, creator: User, error: str, reason: str
    ) -> None:
        job = store(kind="routine", state=JobState.FAILED, error=error)
        page = get_page(staff_client("view_job", "change_job"), job)
        assert f'<p class="notice notice-bad">{reason}</p>' in page
        assert "Continue the job" in page
        job = store(creator, state=JobState.FAILED)
        page = get_page(staff_client("view_job", "change_job", email="other@example.com"), job)
        assert "Only the admin who started the job, or a superuser, can continue it." in page
        assert "Continue the job" not in page


@pytest.mark.django_db
class TestPermissions:
    def test_creator_sees_the_own_job_alone(self, creator: User) -> None:
        client, own, other = client_of(creator), store(creator), store()
        for page in ("change", "progress"):
            assert client.get(f"{LIST}{own.pk}/{page}/").status_code == 200
            assert client.get(f"{LIST}{other.pk}/{page}/").status_code == 403

    @pytest.mark.parametrize("action", ["cancel", "retry"])
    def test_other_jobs_are_changed_with_the_permission_alone(self, creator: User, action: str) -> None:
        path = f"{LIST}{store().pk}/{action}/"
        assert client_of(creator).post(path).status_code == 403
        assert staff_client("view_job").post(path).status_code == 403

    def test_job_of_another_admin_is_continued_by_superusers_only(
        self, creator: User, admin_client: Client
    ) -> None:
        job = store(creator, state=JobState.FAILED)
        retry = f"{LIST}{job.pk}/retry/"
        manager = staff_client("view_job", "change_job", email="manager@example.com")
        for client, status, state in (
            (manager, 403, JobState.FAILED),
            (admin_client, 302, JobState.WAITING),
        ):
            assert client.post(retry).status_code == status
            job.refresh_from_db()
            assert job.state == state
        assert "admin@example.com" in manager.get(f"{LIST}{job.pk}/history/").content.decode()

    def test_job_is_cancelled_and_continued_by_its_creator_by_post_alone(self, creator: User) -> None:
        client, job = client_of(creator), store(creator)
        for action, state in (("cancel", JobState.CANCELLED), ("retry", JobState.WAITING)):
            path = f"{LIST}{job.pk}/{action}/"
            assert client.get(path).status_code == 405
            assert path in get_page(client, job)
            client.post(path)
            job.refresh_from_db()
            assert job.state == state

    def test_finished_job_is_left_alone(self) -> None:
        client = staff_client("view_job", "change_job")
        job = store(kind="routine", state=JobState.DONE)
        for action in ("cancel", "retry"):
            response = client.post(f"{LIST}{job.pk}/{action}/", follow=True)
            assert [str(message) for message in response.context["messages"]] == [
                "Nothing was done: the job has changed."
            ]
        job.refresh_from_db()
        assert job.state == JobState.DONE
