"""Background jobs in Django admin: who sees which, the progress, cancelling and continuing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import RunningJob

LIST = "/admin/jobs/job/"


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the kinds `count` and `guarded` alone."""
    monkeypatch.setattr(queue, "kinds", {})

    def authorize(_job: Any, user_id: int | None) -> None:
        require_admin(user_id, "accounts.change_user")

    @queue.register("guarded", label="Guarded", authorize=authorize)
    @queue.register("count", label="Count the boats")
    def run(_job: RunningJob) -> Iterator[None]:
        yield


@pytest.fixture
def creator() -> User:
    return User.objects.create_user("creator@example.com", is_staff=True)


def store(creator: User | None = None, **values: Any) -> Job:
    return Job.objects.create(**{"kind": "count", "state": JobState.RUNNING, "created_by": creator, **values})


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.django_db
class TestPages:
    def test_list_names_each_job_with_its_state_and_progress(self) -> None:
        store(finished_rows=250, total_rows=1000)
        store(kind="gone", state=JobState.FAILED, error="The file is empty.")
        page = staff_client("view_job").get(LIST).content.decode()
        for text in ("Count the boats", "Running 25%", "gone", "Failed", "The file is empty.", "System"):
            assert text in page

    @pytest.mark.parametrize(("kind", "shown"), [("count", "System"), ("guarded", "–")])
    def test_only_jobs_that_no_admin_starts_are_of_the_system(self, kind: str, shown: str) -> None:
        store(kind=kind)  # as the admin's erasure leaves it
        client = staff_client("view_job")
        assert f'<td class="field-started_by">{shown}</td>' in client.get(LIST).content.decode()
        assert f"<td>{shown}</td>" in client.get("/admin/operations/").content.decode()

    def test_list_can_be_filtered_by_kind(self) -> None:
        store()
        store(kind="gone")
        rows = staff_client("view_job").get(f"{LIST}?kind=count").context["cl"].result_list
        assert [job.kind for job in rows] == ["count"]

    def test_page_names_the_uploaded_file(self) -> None:
        file = JobFile.objects.create(name="people.csv")
        job = store(arguments={"file": file.pk})
        page = staff_client("view_job").get(f"{LIST}{job.pk}/change/").content.decode()
        assert "<p>people.csv</p>" in page

    def test_export_names_its_list_and_format(self) -> None:
        arguments = {"model": "accounts.user", "query": "", "format": "csv"}
        job = store(kind="export", arguments=arguments)
        client = staff_client("view_job")
        assert "export: Members, CSV" in client.get(LIST).content.decode()
        assert "<p>Members, CSV</p>" in client.get(f"{LIST}{job.pk}/change/").content.decode()

    def test_page_shows_the_progress_until_the_job_ends(self) -> None:
        client = staff_client("view_job")
        job = store(finished_rows=250, total_rows=1000)
        for url in (f"{LIST}{job.pk}/change/", f"{LIST}{job.pk}/progress/"):
            page = client.get(url).content.decode()
            assert "data-running" in page
            assert 'value="250"' in page
            assert "250 of 1,000 rows" in page
        Job.objects.update(state=JobState.FAILED, error="The file is empty.")
        page = client.get(f"{LIST}{job.pk}/change/").content.decode()
        assert "data-running" not in page
        assert "The file is empty." in page

    def test_progress_without_a_known_number_of_rows(self) -> None:
        job = store(finished_rows=7)
        page = staff_client("view_job").get(f"{LIST}{job.pk}/progress/").content.decode()
        assert "7 rows" in page
        assert "value=" not in page


@pytest.mark.django_db
class TestPermissions:
    @pytest.mark.parametrize("page", ["change", "progress"])
    def test_creator_sees_the_own_job_alone(self, creator: User, page: str) -> None:
        client = client_of(creator)
        assert client.get(f"{LIST}{store(creator).pk}/{page}/").status_code == 200
        assert client.get(f"{LIST}{store().pk}/{page}/").status_code == 403

    @pytest.mark.parametrize("action", ["cancel", "retry"])
    def test_other_jobs_are_changed_with_the_permission_alone(self, creator: User, action: str) -> None:
        job = store()
        assert client_of(creator).post(f"{LIST}{job.pk}/{action}/").status_code == 403
        assert staff_client("view_job").post(f"{LIST}{job.pk}/{action}/").status_code == 403

    def test_other_job_is_continued_with_the_rights_that_it_needs(self, creator: User) -> None:
        job = store(creator, kind="guarded", state=JobState.FAILED)
        manager = staff_client("view_job", "change_job", email="manager@example.com")
        assert f"{LIST}{job.pk}/retry/" not in manager.get(f"{LIST}{job.pk}/change/").content.decode()
        assert manager.post(f"{LIST}{job.pk}/retry/").status_code == 403
        job.refresh_from_db()
        assert job.state == JobState.FAILED
        allowed = staff_client("view_job", "change_job", "change_user", email="allowed@example.com")
        assert f"{LIST}{job.pk}/retry/" in allowed.get(f"{LIST}{job.pk}/change/").content.decode()
        assert allowed.post(f"{LIST}{job.pk}/retry/").status_code == 302
        job.refresh_from_db()
        assert job.state == JobState.WAITING
        assert "allowed@example.com" in allowed.get(f"{LIST}{job.pk}/history/").content.decode()

    def test_jobs_are_changed_by_post_alone(self, creator: User) -> None:
        job = store(creator)
        assert client_of(creator).get(f"{LIST}{job.pk}/cancel/").status_code == 404
        job.refresh_from_db()
        assert job.state == JobState.RUNNING


@pytest.mark.django_db
class TestActions:
    def test_job_is_cancelled_and_continued(self, creator: User) -> None:
        client, job = client_of(creator), store(creator)
        for action, state in (("cancel", JobState.CANCELLED), ("retry", JobState.WAITING)):
            assert f"{LIST}{job.pk}/{action}/" in client.get(f"{LIST}{job.pk}/change/").content.decode()
            response = client.post(f"{LIST}{job.pk}/{action}/", follow=True)
            assert response.status_code == 200
            job.refresh_from_db()
            assert job.state == state

    def test_finished_job_is_left_alone(self) -> None:
        client, job = staff_client("view_job", "change_job"), store(state=JobState.DONE)
        for action in ("cancel", "retry"):
            response = client.post(f"{LIST}{job.pk}/{action}/", follow=True)
            assert [str(message) for message in response.context["messages"]] == [
                "Nothing was done: the job has changed."
            ]
        job.refresh_from_db()
        assert job.state == JobState.DONE
