"""The watched queues, the heartbeats, the monitor and the metrics."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.test import Client
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings
from time_machine import TimeMachineFixture

from accounts.models import User
from newsletter.campaigns.models import Campaign, CampaignState, DeliveryState
from newsletter.models import Subscription
from sailing import __version__, database
from sailing.jobs import claims, heartbeats, queue, retention, runner
from sailing.jobs.models import Job, JobState, WorkerHeartbeat
from sailing.mail import recording, sender
from sailing.mail.models import MailState, OutboxEmail
from sailing.mail.replies import DeliveryResult
from sailing.mail.transport import DeliveryAttempt
from sailing.operations import queues
from tests.mailbox import create_mail

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
TOKEN = "q9ZrT2vLkN1sWm4Xy8TbHc2Jd6FgPaUe"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def store_mail(state: MailState, *, due_for: timedelta = timedelta()) -> None:
    create_mail(state=state, next_attempt_at=timezone.now() - due_for)


def create_job(state: JobState, *, due_for: timedelta = timedelta(), attempts: int = 0) -> None:
    at = timezone.now() - due_for
    Job.objects.create(kind="count", state=state, next_attempt_at=at, finished_at=at, attempts=attempts)


def create_campaign(*, prepared: timedelta, sent: timedelta | None = None, attempts: int = 0) -> None:
    """Store a campaign with a delivery that waits, and one that was sent so long ago."""
    now = timezone.now()
    campaign = Campaign.objects.create(
        name="Regatta", state=CampaignState.SENDING, started_at=now - prepared, prepared_at=now - prepared
    )
    campaign.deliveries.create(language="en", attempts=attempts, next_attempt_at=now)
    if sent is not None:
        campaign.deliveries.create(language="en", state=DeliveryState.SENT, ended_at=now - sent)


def give_mail_back(waits_for: timedelta) -> None:
    mail = create_mail(due_at=timezone.now() - waits_for)
    recording._release(DeliveryAttempt(mail, DeliveryResult.UNREACHABLE, "Connection refused"))


def finish_retention(ago: timedelta, state: JobState = JobState.DONE) -> None:
    at = timezone.now() - ago
    Job.objects.create(kind=retention.KIND, state=state, created_at=at, next_attempt_at=at, finished_at=at)


def silence_worker(since: timedelta) -> None:
    WorkerHeartbeat.objects.filter(part=heartbeats.MAILS).update(at=timezone.now() - since)


@pytest.fixture(autouse=True)
def _worker(_clock: None) -> None:
    """Let a worker run."""
    for part in heartbeats.PARTS:
        heartbeats.Heartbeat(part).renew_if_due()


class TestOverdue:
    @pytest.fixture(autouse=True)
    def _log(self, caplog: pytest.LogCaptureFixture) -> None:
        self.log = caplog
        self.logged_at: dict[str, datetime] = {}

    def check(self) -> list[tuple[str, str]]:
        """Return the level and the event of each new log line."""
        self.log.clear()
        queues.log_problems(self.logged_at)
        return [(record.levelname, record.msg["event"]) for record in self.log.records]  # type: ignore[index]

    @pytest.mark.parametrize(
        ("cause", "event"),
        [
            (lambda: store_mail(MailState.WAITING, due_for=9 * MINUTE), "mails_overdue"),
            (lambda: give_mail_back(9 * MINUTE), "mails_overdue"),
            (lambda: create_job(JobState.WAITING, due_for=9 * MINUTE), "jobs_overdue"),
            (lambda: create_job(JobState.RUNNING, due_for=9 * MINUTE), "jobs_overdue"),
            (lambda: finish_retention(121 * MINUTE), "retention_overdue"),
            (lambda: finish_retention(121 * MINUTE, JobState.FAILED), "retention_overdue"),
            (lambda: create_campaign(prepared=9 * MINUTE), "campaigns_overdue"),
            (lambda: silence_worker(4 * MINUTE), "worker_heartbeat_overdue"),
        ],
    )
    def test_problem_is_an_error_in_the_log(self, cause: Callable[[], None], event: str) -> None:
        cause()
        assert self.check() == [("ERROR", event)]

    def test_error_is_repeated_after_an_hour_and_logged_at_once_the_next_time(
        self, time_machine: TimeMachineFixture
    ) -> None:
        store_mail(MailState.WAITING, due_for=9 * MINUTE)
        assert [len(self.check()) for _ in range(3)] == [1, 0, 0]
        time_machine.move_to(timezone.now() + queues.REPEAT, tick=False)
        WorkerHeartbeat.objects.update(at=timezone.now())
        assert [len(self.check()) for _ in range(2)] == [1, 0]
        OutboxEmail.objects.update(state=MailState.SENT)
        assert not self.check()
        OutboxEmail.objects.update(state=MailState.WAITING)
        assert len(self.check()) == 1

    def test_what_goes_on_is_not_logged(self) -> None:
        store_mail(MailState.WAITING, due_for=7 * MINUTE)
        store_mail(MailState.WAITING, due_for=-60 * MINUTE)
        store_mail(MailState.FAILED, due_for=60 * MINUTE)
        store_mail(MailState.SENT, due_for=60 * MINUTE)
        create_job(JobState.RUNNING, due_for=-MINUTE)
        create_job(JobState.WAITING, due_for=HOUR)  # for the running one of its kind
        create_job(JobState.FAILED, due_for=HOUR)
        finish_retention(119 * MINUTE)
        create_campaign(prepared=5 * HOUR, sent=7 * MINUTE)  # a long one
        create_campaign(prepared=5 * HOUR, sent=2 * HOUR, attempts=1)  # one waits to be tried again
        assert not self.check()

    @pytest.mark.parametrize("part", heartbeats.PARTS)
    def test_part_of_the_worker_that_never_ran_is_an_error(
        self, part: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        WorkerHeartbeat.objects.filter(part=part).delete()
        monkeypatch.setattr(heartbeats, "_started_at", timezone.now() - 4 * MINUTE)
        assert self.check() == [("ERROR", "worker_heartbeat_overdue")]

    def test_missing_statement_timeout_and_another_clock_are_errors(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "is_statement_timeout_set", lambda connection: False)
        monkeypatch.setattr(claims, "measure_clock_offset", lambda: -360)
        assert sorted(self.check()) == [("ERROR", "clock_differs"), ("ERROR", "statement_timeout_missing")]


def test_heartbeat_is_written_every_30_seconds(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    heartbeat = heartbeats.Heartbeat(heartbeats.JOBS)
    with django_assert_num_queries(1):
        for _round in range(3):
            heartbeat.renew_if_due()


@pytest.mark.parametrize(("part", "work"), [(heartbeats.MAILS, sender.run), (heartbeats.JOBS, runner.run)])
def test_worker_has_a_heartbeat(part: str, work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    WorkerHeartbeat.objects.all().delete()
    stop = threading.Event()
    write = heartbeats.Heartbeat.renew_if_due

    def renew(heartbeat: heartbeats.Heartbeat) -> None:
        write(heartbeat)
        stop.set()

    monkeypatch.setattr(heartbeats.Heartbeat, "renew_if_due", renew)
    monkeypatch.setattr(connections["default"], "close", lambda: None)
    work(stop)
    written = WorkerHeartbeat.objects.filter(part__in=heartbeats.PARTS)
    assert [heartbeat.part for heartbeat in written] == [part]


@pytest.mark.parametrize("error", [OperationalError, RuntimeError])
def test_monitor_outlives_any_error(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    stop = threading.Event()
    checks: list[object] = []

    def fail(logged_at: object) -> None:
        checks.append(logged_at)
        if len(checks) == 2:
            stop.set()
        raise error

    monkeypatch.setattr(queues, "log_problems", fail)
    monkeypatch.setattr(queues, "CHECK_SECONDS", 0)
    monkeypatch.setattr(connections["default"], "close", lambda: None)
    queues.run(stop)
    assert len(checks) == 2


class TestMetrics:
    @pytest.fixture
    def token(self, settings: Settings) -> str:
        settings.METRICS_TOKEN = TOKEN
        return f"Bearer {TOKEN}"

    def test_path_is_unknown_without_a_token(self, client: Client) -> None:
        for header in ("Bearer ", f"Bearer {TOKEN}"):
            assert client.get("/metrics", headers={"Authorization": header}).status_code == 404

    @pytest.mark.parametrize("header", ["", "Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}"])
    def test_wrong_token_is_refused(
        self, client: Client, token: str, header: str, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(0):
            response = client.get("/metrics", headers={"Authorization": header})
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
        assert b"sailing_" not in response.content

    def test_rows_are_counted(self, client: Client, token: str) -> None:
        store_mail(MailState.WAITING, due_for=11 * MINUTE)
        store_mail(MailState.WAITING, due_for=-MINUTE)
        store_mail(MailState.FAILED, due_for=23 * 60 * MINUTE)
        store_mail(MailState.FAILED, due_for=25 * 60 * MINUTE)
        create_job(JobState.RUNNING, due_for=2 * MINUTE)
        create_job(JobState.FAILED, attempts=queue.MAX_ATTEMPTS)
        User.objects.create_user("jana@example.com", "fair winds 2025")
        Subscription.objects.create(email="a@example.com", user_type="sailor")
        silence_worker(4 * MINUTE)
        response = client.get("/metrics", headers={"Authorization": token})
        assert response["Content-Type"] == CONTENT_TYPE_LATEST
        assert response["Cache-Control"] == "no-store"
        families = list(text_string_to_metric_families(response.content.decode()))
        assert {family.type for family in families} == {"gauge"}
        samples = [sample for family in families for sample in family.samples]
        numbers = {(sample.name, "".join(sample.labels.values())): sample.value for sample in samples}
        assert numbers.pop(("sailing_database_bytes", "")) > 100_000
        assert {key: number for key, number in numbers.items() if number} == {
            ("sailing_release_info", __version__): 1,
            ("sailing_mails_waiting", ""): 2,
            ("sailing_mails_due_seconds", ""): 660,
            ("sailing_mails_failed", ""): 1,
            ("sailing_jobs", "running"): 1,
            ("sailing_jobs", "failed"): 1,
            ("sailing_jobs_due_seconds", ""): 120,
            ("sailing_jobs_failed", ""): 1,
            ("sailing_members", ""): 1,
            ("sailing_subscriptions", "pending"): 1,
            ("sailing_worker_heartbeat_seconds", ""): 240,
        }
        assert {name for (name, _label), number in numbers.items() if not number} == {
            "sailing_campaign_deliveries",
            "sailing_campaigns_due_seconds",
            "sailing_invitations_held",
            "sailing_jobs",
            "sailing_retention_seconds",
            "sailing_sending_stopped",
            "sailing_subscriptions",
            "sailing_subscriptions_dropped",
        }
        assert numbers["sailing_jobs", "done"] == numbers["sailing_subscriptions", "confirmed"] == 0
