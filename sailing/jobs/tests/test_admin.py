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


def list_rows(client: Client, query: str = "") -> list[list[str]]:
    """Return the texts of the first five columns of each row."""
    page = client.get(f"{LIST}{query}").content.decode()
    cells = re.findall(r'<t[hd] class="field-(?!created|duration)[^"]+">(.*?)</t[hd]>', page)
    texts = [re.sub("<[^>]+>", "", cell) for cell in cells]
    return [texts[start : start + 5] for start in range(0, len(texts), 5)]


@pytest.mark.django_db
class TestPages:
    def test_list_says_what_each_job_is_what_became_of_it_and_who_started_it(self) -> None:
        store(finished_rows=250, total_rows=1000, arguments={"file_name": "people.csv"})
        store(kind="guarded", state=JobState.FAILED, arguments={"model": "accounts.user"})
        # "Not known": as the admin's erasure leaves it
        store(kind="gone", state=JobState.FAILED, error="The file is empty.")
        client = staff_client("view_job")
        count = ["Count the boats", "people.csv", "Running 25%", "", "System"]
        assert list_rows(client) == [
            ["gone", "", "Failed", "The file is empty.", "Not known"],
            ["Guarded", "Members", "Failed", "Reason not recorded", "Not known"],
            count,
        ]
        assert list_rows(client, "?kind=count") == [count]

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
        started_at = timezone.now() - timedelta(minutes=3)
        times = {"created_at": started_at, "started_at": started_at}
        files = {"model": "accounts.user", "query": "", "file_name": "members.csv"}
        done = {"state": JobState.DONE, "finished_at": started_at + timedelta(seconds=72)}
        page = get_page(client_of(creator), store(creator, arguments=files, **times, **done))
        facts = dict(re.findall("<dt>([^<]+)</dt> ?<dd>([^<]+)</dd>", page))
        expected = {
            "File": "members.csv",
            "List": "Members",
            "Started by": "creator@example.com",
            "Duration": "1 min 12 s",
        }
        assert expected.items() <= facts.items()
        assert {"Created", "Started", "Finished"} <= facts.keys()
        page = get_page(client_of(creator), store(creator))
        assert re.findall("<dt>([^<]+)</dt>", page) == ["Started by", "Created"]

    @pytest.mark.parametrize(
        ("seconds", "shown"), [(0.4, "under 1 s"), (60, "1 min"), (125, "2 min 5 s"), (7260, "2 h 1 min")]
    )
    def test_duration_is_in_words(self, seconds: float, shown: str) -> None:
        assert describe_duration(timedelta(seconds=seconds)) == shown

    @pytest.mark.parametrize(
        ("values", "reason", "is_refused"),
        [
            ({}, "No reason was recorded.", False),
            (
                {"error": "Something went wrong.", "attempts": queue.MAX_ATTEMPTS},
                "Something went wrong.",
                False,
            ),
            ({"error": "The file is empty."}, "The file is empty.", True),
        ],
    )
    def test_failed_job_says_why_and_what_comes_next(
        self, values: dict[str, Any], reason: str, is_refused: bool
    ) -> None:
        job = store(state=JobState.FAILED, **values)
        page = get_page(staff_client("view_job", "change_job"), job)
        assert f'<p class="notice notice-bad">{reason}</p>' in page
        assert ("Try again once the reason is gone." if is_refused else "You can try again.") in page
        assert "runs it again by itself" not in page
        button = "button quiet-button" if is_refused else "button"
        assert f'<button class="{button}" type="submit">Try again</button>' in page

    def test_failed_routine_job_runs_again_by_itself(self) -> None:
        queue.register("routine", label="Routine", interval=timedelta(hours=1))(lambda _job: iter(()))
        page = get_page(staff_client("view_job"), store(kind="routine", state=JobState.FAILED))
        assert "The site also runs it again by itself." in page
        assert "Only an admin with the permissions that the job needs can try again." in page
        assert "Try again" not in page

    @pytest.mark.parametrize("minutes", [0, 5])
    def test_postponed_job_says_when_it_runs_next(self, minutes: int) -> None:
        due_at = timezone.now() + timedelta(minutes=minutes)
        page = get_page(staff_client("view_job"), store(state=JobState.WAITING, next_attempt_at=due_at))
        assert ("It runs next at" in page) is bool(minutes)


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

    def test_other_job_is_continued_with_the_rights_that_it_needs(self, creator: User) -> None:
        job = store(creator, kind="guarded", state=JobState.FAILED)
        retry = f"{LIST}{job.pk}/retry/"
        manager = staff_client("view_job", "change_job", email="manager@example.com")
        assert retry not in get_page(manager, job)
        assert manager.post(retry).status_code == 403
        job.refresh_from_db()
        assert job.state == JobState.FAILED
        allowed = staff_client("view_job", "change_job", "change_user", email="allowed@example.com")
        assert retry in get_page(allowed, job)
        assert allowed.post(retry).status_code == 302
        job.refresh_from_db()
        assert job.state == JobState.WAITING
        assert "allowed@example.com" in allowed.get(f"{LIST}{job.pk}/history/").content.decode()

    def test_job_is_cancelled_and_continued_by_its_creator_by_post_alone(self, creator: User) -> None:
        client, job = client_of(creator), store(creator)
        for action, state in (("cancel", JobState.CANCELLED), ("retry", JobState.WAITING)):
            path = f"{LIST}{job.pk}/{action}/"
            assert client.get(path).status_code == 404
            assert path in get_page(client, job)
            client.post(path)
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
