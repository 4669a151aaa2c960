"""Background jobs in Django admin: who sees which, the progress, cancelling and continuing."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from sailing.admin.tests.helpers import staff_client
from sailing.jobs import queue
from sailing.jobs.admin import describe_duration
from sailing.jobs.models import Job, JobState
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


def get_page(client: Client, job: Job) -> str:
    response = client.get(f"{LIST}{job.pk}/change/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def get_facts(client: Client, job: Job) -> dict[str, str]:
    """Return the facts on the page of a job by their labels."""
    return dict(re.findall("<dt>([^<]+)</dt> ?<dd>([^<]+)</dd>", get_page(client, job)))


@pytest.mark.django_db
class TestPages:
    def test_list_names_each_job_with_its_state_and_progress(self) -> None:
        store(finished_rows=250, total_rows=1000)
        store(kind="gone", state=JobState.FAILED, error="The file is empty.")
        page = staff_client("view_job").get(LIST).content.decode()
        for text in ("Count the boats", "Running 25%", "gone", "Failed", "The file is empty.", "System"):
            assert text in page

    @pytest.mark.parametrize(("kind", "shown"), [("count", "System"), ("guarded", "Not known")])
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

    @pytest.mark.parametrize(
        ("arguments", "listed", "facts"),
        [
            ({}, "", {}),
            ({"file_name": "people.csv"}, "people.csv", {"File": "people.csv"}),
            ({"model": "accounts.user"}, "Members", {"List": "Members"}),
            (
                {"model": "accounts.user", "query": "", "format": "csv", "file_name": "members.csv"},
                "members.csv",
                {"List": "Members", "File": "members.csv"},
            ),
        ],
    )
    def test_list_and_page_name_the_file_and_the_list(
        self, arguments: dict[str, str], listed: str, facts: dict[str, str]
    ) -> None:
        job = store(arguments=arguments)
        client = staff_client("view_job")
        assert f'<td class="field-subject">{listed}</td>' in client.get(LIST).content.decode()
        found = get_facts(client, job)
        assert {name: found[name] for name in ("List", "File") if name in found} == facts
        dashboard = client.get("/admin/operations/").content.decode()
        assert (f'title="{listed}"' in dashboard) is bool(facts)

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

    def test_page_says_who_started_a_job_and_when_and_how_long_it_took(self, creator: User) -> None:
        started_at = timezone.now() - timedelta(minutes=3)
        times = {"created_at": started_at, "started_at": started_at}
        job = store(creator, state=JobState.DONE, finished_at=started_at + timedelta(seconds=72), **times)
        facts = get_facts(client_of(creator), job)
        assert list(facts) == ["Started by", "Created", "Started", "Finished", "Duration"]
        assert (facts["Started by"], facts["Duration"]) == ("creator@example.com", "1 min 12 s")

    @pytest.mark.parametrize(
        ("seconds", "shown"),
        [(0.4, "under 1 s"), (1, "1 s"), (60, "1 min"), (125, "2 min 5 s"), (7260, "2 h 1 min")],
    )
    def test_duration_is_in_words(self, seconds: float, shown: str) -> None:
        assert describe_duration(timedelta(seconds=seconds)) == shown

    def test_list_says_that_no_reason_of_a_failure_was_recorded(self) -> None:
        store(state=JobState.FAILED)
        page = staff_client("view_job").get(LIST).content.decode()
        assert '<td class="field-reason">Reason not recorded</td>' in page

    @pytest.mark.parametrize(
        ("values", "reason", "is_primary", "shown"),
        [
            ({}, "No reason was recorded.", True, "You can try again. Nothing is done twice."),
            (
                {"error": "Something went wrong.", "attempts": queue.MAX_ATTEMPTS},
                "Something went wrong.",
                True,
                "You can try again. Nothing is done twice.",
            ),
            (
                {"error": "The file is empty."},
                "The file is empty.",
                False,
                "Try again once the reason is gone. Nothing is done twice.",
            ),
        ],
    )
    def test_failed_job_says_why_and_what_comes_next(
        self, values: dict[str, Any], reason: str, is_primary: bool, shown: str
    ) -> None:
        job = store(state=JobState.FAILED, **values)
        page = get_page(staff_client("view_job", "change_job"), job)
        assert f'<p class="notice notice-bad">{reason}</p>' in page
        assert shown in page
        assert "runs it again by itself" not in page
        button = "button" if is_primary else "button quiet-button"
        assert f'<button class="{button}" type="submit">Try again</button>' in page
        viewer = get_page(staff_client("view_job", email="viewer@example.com"), job)
        assert "Only an admin with the permissions that the job needs can try again." in viewer
        assert "Try again" not in viewer

    def test_failed_routine_job_runs_again_by_itself(self) -> None:
        queue.register("routine", label="Routine", interval=timedelta(hours=1))(lambda _job: iter(()))
        job = store(kind="routine", state=JobState.FAILED)
        assert "The site also runs it again by itself." in get_page(staff_client("view_job"), job)

    def test_postponed_job_says_when_it_runs_next(self) -> None:
        client = staff_client("view_job")
        later = timezone.now() + timedelta(minutes=5)
        assert "It runs next at" in get_page(
            client, store(state=JobState.WAITING, attempts=1, next_attempt_at=later)
        )
        assert "It runs next at" not in get_page(client, store(state=JobState.WAITING))

    def test_page_ends_with_the_facts(self) -> None:
        assert "closelink" not in get_page(staff_client("view_job"), store())

    def test_list_without_a_job_says_what_appears_there(self) -> None:
        page = staff_client("view_job").get(LIST).content.decode()
        assert "No job has run in the last 30 days." in page
        assert "changelist-filter" not in page

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
