"""The job that starts a campaign and fixes its recipients."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import jobs, services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, StopReason
from newsletter.campaigns.recipients import add_deliveries
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, schedule, send_now
from newsletter.models import Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs.models import Job, JobState
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
RECIPIENTS = 7


@pytest.fixture
def campaign() -> Campaign:
    SubscriptionFactory.create_batch(RECIPIENTS, confirmed=True)
    SubscriptionFactory()
    return CampaignFactory()


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", 3)


def test_every_recipient_gets_one_delivery(campaign: Campaign, admin: Any) -> None:
    send_now(campaign, admin)
    run_pending_jobs()
    recipients = set(Subscription.objects.filter(is_confirmed=True).values_list("pk", flat=True))
    assert sorted(Delivery.objects.values_list("subscription", flat=True)) == sorted(recipients)
    assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.WAITING}
    campaign.refresh_from_db()
    assert campaign.prepared_at
    job = Job.objects.get()
    assert (job.state, job.finished_rows, job.total_rows) == (JobState.DONE, RECIPIENTS, RECIPIENTS)


@pytest.mark.parametrize("keys", [(1, 2), (2, 1)])
@pytest.mark.parametrize("late", UserType.values)
def test_address_gets_one_delivery_when_its_other_audience_is_confirmed_meanwhile(
    late: str, keys: tuple[int, int], admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user_type, key in zip(UserType.values, keys, strict=True):
        SubscriptionFactory(
            pk=UUID(int=key), email="both@example.com", user_type=user_type, confirmed=user_type != late
        )
    monkeypatch.setattr(jobs, "STEP_ROWS", 1)

    def add_and_confirm(*values: Any) -> int:
        count = add_deliveries(*values)
        Subscription.objects.update(is_confirmed=True)
        return count

    monkeypatch.setattr(jobs, "add_deliveries", add_and_confirm)
    send_now(CampaignFactory(), admin)
    run_pending_jobs()
    (user_type,) = Delivery.objects.values_list("subscription__user_type", flat=True)
    assert user_type != late


def test_repeated_job_adds_no_delivery_for_the_other_audience(admin: Any) -> None:
    SubscriptionFactory(email="both@example.com", user_type=UserType.COMPANY, confirmed=True)
    send_now(CampaignFactory(), admin)
    run_pending_jobs()
    SubscriptionFactory(email="both@example.com", confirmed=True)
    Campaign.objects.update(prepared_at=None)
    services.enqueue_missing_jobs()
    run_pending_jobs()
    assert list(Delivery.objects.values_list("subscription__user_type", flat=True)) == [UserType.COMPANY]


def test_cancelled_campaign_gets_no_more_recipients(campaign: Campaign, admin: Any) -> None:
    send_now(campaign, admin)
    services.cancel(campaign=campaign)
    run_pending_jobs()
    assert not Delivery.objects.exists()
    assert Job.objects.get().state == JobState.DONE


def test_campaign_that_is_canceled_early_has_the_number_of_its_recipients(
    campaign: Campaign, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add_and_cancel(*values: Any) -> int:
        count = add_deliveries(*values)
        services.cancel(campaign=campaign)
        return count

    monkeypatch.setattr(jobs, "add_deliveries", add_and_cancel)
    send_now(campaign, admin)
    run_pending_jobs()
    campaign.refresh_from_db()
    assert 0 < Delivery.objects.count() < RECIPIENTS
    assert campaign.recipient_count == Delivery.objects.count()


def test_recipients_of_a_paused_campaign_are_fixed(campaign: Campaign, admin: Any) -> None:
    send_now(campaign, admin)
    services.pause(campaign=campaign)
    run_pending_jobs()
    assert Delivery.objects.count() == RECIPIENTS


def test_scheduled_campaign_starts_at_its_time(
    campaign: Campaign, admin: Any, time_machine: TimeMachineFixture
) -> None:
    schedule(campaign, admin, timezone.now() + HOUR)
    run_pending_jobs()
    assert not Delivery.objects.exists()
    time_machine.move_to(timezone.now() + HOUR)
    run_pending_jobs()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.SENDING
    assert Delivery.objects.count() == RECIPIENTS
    entry = LogEntry.objects.get()
    assert (entry.user, entry.change_message) == (admin, "Sending started as scheduled.")


def test_job_that_runs_early_waits_for_the_time(campaign: Campaign, admin: Any) -> None:
    at = timezone.now() + HOUR
    schedule(campaign, admin, at)
    Job.objects.update(next_attempt_at=timezone.now())
    run_pending_jobs()
    job = Job.objects.get()
    assert job.state == JobState.WAITING
    assert abs(job.next_attempt_at - at) < timedelta(minutes=1)
    assert not Delivery.objects.exists()


def test_scheduled_campaign_with_errors_becomes_a_draft(
    campaign: Campaign, admin: Any, time_machine: TimeMachineFixture
) -> None:
    schedule(campaign, admin, timezone.now() + HOUR)
    campaign.texts.filter(language="cs").update(subject="")
    time_machine.move_to(timezone.now() + HOUR)
    run_pending_jobs()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT
    job = Job.objects.get()
    assert job.state == JobState.FAILED
    assert "draft again" in job.error
    assert "Back to draft" in LogEntry.objects.get().change_message


@pytest.mark.parametrize(
    ("delay", "state"), [(HOUR, CampaignState.SENDING), (HOUR + timedelta(minutes=1), CampaignState.DRAFT)]
)
def test_campaign_overdue_by_more_than_an_hour_waits_for_an_admin(
    campaign: Campaign,
    admin: Any,
    time_machine: TimeMachineFixture,
    caplog: pytest.LogCaptureFixture,
    delay: timedelta,
    state: CampaignState,
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    schedule(campaign, admin, timezone.now() + HOUR)
    time_machine.shift(HOUR + delay)
    run_pending_jobs()
    campaign.refresh_from_db()
    assert (campaign.state, campaign.scheduled_at is None) == (state, state == CampaignState.DRAFT)
    assert (campaign.stop_reason == StopReason.OVERDUE) is (state == CampaignState.DRAFT)
    assert ("the site was down" in LogEntry.objects.get().change_message) is (state == CampaignState.DRAFT)
    assert ("campaign_unscheduled" in caplog.text) is (state == CampaignState.DRAFT)


@pytest.mark.parametrize("has_begun", [False, True])
def test_job_that_comes_too_late_pauses_the_campaign(
    campaign: Campaign, admin: Any, time_machine: TimeMachineFixture, has_begun: bool
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    send_now(campaign, admin)
    if has_begun:
        DeliveryFactory(campaign=campaign, subscription=Subscription.objects.filter(is_confirmed=True)[0])
    time_machine.shift(HOUR + timedelta(minutes=1))
    Job.objects.update(next_attempt_at=timezone.now())
    run_pending_jobs()
    campaign.refresh_from_db()
    assert (campaign.state, campaign.stop_reason) == (CampaignState.PAUSED, StopReason.ABANDONED)
    services.resume(campaign=campaign)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.stop_reason) == (CampaignState.SENDING, "")
