"""The states of campaigns, their recipients, test mails, what happens after a mail, and what is watched."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from time_machine import TimeMachineFixture

from newsletter.campaigns import drafts, feedback, services, watches
from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, Segment, StopReason
from newsletter.campaigns.tests.factories import (
    CampaignFactory,
    DeliveryFactory,
    prepare_deliveries,
    schedule,
    send_now,
)
from newsletter.campaigns.tests.test_admin import get_state, history
from newsletter.models import ConsentEvent, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from tests.concurrency import run_overlapping
from tests.mailbox import mails

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
RECIPIENTS = 7


@pytest.fixture
def campaign(admin_user: Any, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Return a draft with recipients who are added in small batches."""
    monkeypatch.setattr(services, "BATCH_SIZE", 3)
    SubscriptionFactory.create_batch(RECIPIENTS, confirmed=True)
    SubscriptionFactory()
    return CampaignFactory(created_by=admin_user)


class TestStart:
    def test_what_must_not_be_sent_stays_a_draft(self) -> None:
        for values, is_read, refusal in (
            ({}, False, "Nobody"),
            ({"languages": ()}, True, "errors"),
            ({"delay_days": 0, "user_type": "sailor"}, True, "sent already"),  # a step of the series
        ):
            SubscriptionFactory(confirmed=is_read)
            campaign = CampaignFactory(**values)
            for start in (send_now, lambda campaign: schedule(campaign, timezone.now() + HOUR)):
                with pytest.raises(services.CampaignRefused, match=refusal):
                    start(campaign)
            assert get_state(campaign) == CampaignState.DRAFT

    def test_campaign_is_scheduled_for_another_time_and_sent_once(self, campaign: Campaign) -> None:
        soon = timezone.now() + HOUR
        schedule(campaign, soon + HOUR)
        schedule(campaign, soon)
        with pytest.raises(services.CampaignRefused, match="past"):
            schedule(campaign, soon - 2 * HOUR)
        assert (campaign.state, campaign.scheduled_at) == (CampaignState.SCHEDULED, soon)
        send_now(campaign)
        with pytest.raises(services.CampaignRefused, match="being sent"):
            send_now(campaign)
        assert [link.url for link in campaign.links.all()] == ["https://sailing.example/regatta"]

    def test_changed_segment_is_refused(self, campaign: Campaign, time_machine: TimeMachineFixture) -> None:
        campaign.segment = Segment.objects.create(name="English", language="en")
        campaign.save()
        version = services.get_version(campaign)
        time_machine.shift(MINUTE)
        campaign.segment.save()
        with pytest.raises(services.CampaignRefused, match="look at it again"):
            services.send_now(campaign=campaign, expected_version=version)
        version = services.get_version(Campaign.objects.get())
        SubscriptionFactory(confirmed=True)
        services.send_now(campaign=campaign, expected_version=version)

    @pytest.mark.parametrize(
        ("late", "state", "reason", "events"),
        [
            (-MINUTE, CampaignState.SCHEDULED, "", []),
            (HOUR, CampaignState.SENDING, "", ["Sending started as scheduled."]),
            (HOUR + MINUTE, CampaignState.DRAFT, StopReason.OVERDUE, [services.OVERDUE]),
            (timedelta(), CampaignState.DRAFT, StopReason.NOT_SENDABLE, [services.NOT_SENDABLE]),
        ],
    )
    def test_scheduled_campaign_begins_at_its_time_or_becomes_a_draft(
        self, campaign: Campaign, time_machine: Any, late: Any, state: Any, reason: str, events: Any
    ) -> None:
        schedule(campaign, timezone.now() + HOUR)
        if reason == StopReason.NOT_SENDABLE:
            campaign.texts.filter(language="cs").update(subject="")
        time_machine.shift(HOUR + late)
        prepare_deliveries()
        assert (get_state(campaign), campaign.stop_reason, history()) == (state, reason, events)
        assert Delivery.objects.exists() is (state == CampaignState.SENDING)
        assert (campaign.scheduled_at is None) is (state == CampaignState.DRAFT)


SENDING, PAUSED, CANCELLED = CampaignState.SENDING, CampaignState.PAUSED, CampaignState.CANCELLED
ALLOWED: dict[Callable[..., None], dict[CampaignState, CampaignState]] = {
    services.pause: {SENDING: PAUSED},
    services.resume: {PAUSED: SENDING},
    services.unschedule: {CampaignState.SCHEDULED: CampaignState.DRAFT},
    services.cancel: dict.fromkeys((CampaignState.SCHEDULED, SENDING, PAUSED), CANCELLED),
}


@pytest.mark.parametrize("state", CampaignState)
@pytest.mark.parametrize("action", ALLOWED)
def test_action_is_allowed_in_its_states_only(action: Callable[..., None], state: CampaignState) -> None:
    campaign = CampaignFactory(state=state)
    if state in ALLOWED[action]:
        action(campaign=campaign)
    else:
        with pytest.raises(services.CampaignRefused):
            action(campaign=campaign)
    assert get_state(campaign) == ALLOWED[action].get(state, state)


class TestRecipients:
    def test_are_added_in_batches_to_all_campaigns_at_once(self, campaign: Campaign) -> None:
        campaigns: list[Campaign] = [campaign, CampaignFactory()]
        for each in campaigns:
            send_now(each)
        prepare_deliveries(1)
        assert [each.deliveries.count() for each in campaigns] == [3, 3]
        Subscription.objects.get(deliveries=campaign.deliveries.latest("pk")).delete()  # erased
        prepare_deliveries()
        recipients = Subscription.objects.filter(is_confirmed=True).order_by("pk").values_list("pk")
        for each in campaigns:
            added = each.deliveries.exclude(subscription=None).order_by("pk")
            assert list(added.values_list("subscription")) == list(recipients)
            each.refresh_from_db()
            assert each.prepared_at
            assert each.recipient_count == RECIPIENTS

    @pytest.mark.parametrize("keys", [(1, 2), (2, 1)])
    @pytest.mark.parametrize("late", UserType.values)
    def test_address_gets_one_delivery(self, late: str, keys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "BATCH_SIZE", 1)
        for user_type, key in zip(UserType.values, keys, strict=True):
            values = {"pk": UUID(int=key), "user_type": user_type, "confirmed": user_type != late}
            SubscriptionFactory(email="both@example.com", **values)
        send_now(CampaignFactory())
        prepare_deliveries(1)
        Subscription.objects.update(is_confirmed=True, confirmed_at=timezone.now())
        prepare_deliveries()
        (user_type,) = Delivery.objects.values_list("subscription__user_type", flat=True)
        assert user_type != late

    @pytest.mark.parametrize(
        ("action", "batches", "added"),
        [(services.pause, 0, RECIPIENTS), (services.cancel, 0, 0), (services.cancel, 1, 3)],
    )
    def test_of_a_stopped_campaign(self, campaign: Campaign, action: Any, batches: int, added: int) -> None:
        send_now(campaign)
        prepare_deliveries(batches)
        action(campaign=campaign)
        prepare_deliveries()
        campaign.refresh_from_db()
        assert Delivery.objects.count() == campaign.recipient_count == added


class TestTests:
    def test_go_to_staff_and_unsubscribe_nobody(self, admin_user: Any, settings: Any, client: Client) -> None:
        settings.CAMPAIGN_TEST_ADDRESSES = ["look@gmail.example"]
        admin_user.first_name = "A & B"
        admin_user.save()
        campaign = CampaignFactory()
        campaign.texts.update(body="Ahoy {first_name|sailor}, [all](https://sailing.example/regatta)")
        addresses = [admin_user.email, *settings.CAMPAIGN_TEST_ADDRESSES]
        drafts.send_test(campaign=campaign, addresses=addresses, languages=["en", "cs"])
        sent = {(mail.recipient, mail.subject) for mail in mails()}
        assert sent == set(product(addresses, ("[Test] The regatta begins", "[Test] Regata začíná")))
        mail = next(mail for mail in mails() if mail.recipient == admin_user.email)
        assert "Ahoy A & B, " in mail.text
        assert "Ahoy A &amp; B, " in mail.html
        for link in (f"/newsletter/issues/{campaign.key}/", "https://sailing.example/regatta"):
            assert link in mail.html
        url = mail.headers["List-Unsubscribe"][1:-1]
        assert client.post(url, {"List-Unsubscribe": "One-Click"}).status_code == 404

    @pytest.mark.parametrize("values", [{"is_staff": False}, {"is_staff": True, "is_active": False}])
    def test_to_others_are_refused(self, admin_user: Any, values: dict[str, bool]) -> None:
        other = get_user_model().objects.create(email="other@sailing.example", **values)
        addresses = [admin_user.email, other.email]
        with pytest.raises(services.CampaignRefused, match="staff"):
            drafts.send_test(campaign=CampaignFactory(), addresses=addresses, languages=["en"])
        assert not mails()


class TestFeedback:
    @pytest.mark.parametrize(("arrived", "state"), [(None, State.BOUNCED), (1, State.CONFIRMED)])
    def test_third_soft_bounce_in_a_row_ends_the_mails(self, arrived: int | None, state: State) -> None:
        reader = SubscriptionFactory(confirmed=True)
        for number in range(3):
            assert Subscription.objects.get().state is State.CONFIRMED
            at = timezone.now() + number * HOUR
            delivery = DeliveryFactory(subscription=reader, state=DeliveryState.SENT, ended_at=at)
            for _time in range(2 * (number != arrived)):
                feedback.record(reader.email, delivery, Report.SOFT_BOUNCE, None)
        assert Subscription.objects.get().state is state

    def test_repeated_report_ends_nothing_that_began_since(self) -> None:
        delivery = DeliveryFactory(state=DeliveryState.SENT)
        for _time in range(2):
            Subscription.objects.update(is_active=True, unsubscribed_at=None)
            feedback.record(delivery.subscription.email, delivery, Report.COMPLAINT, None)
        assert ConsentEvent.objects.count() == 1

    def test_events_about_erased_subscribers_are_recorded_on_the_delivery(self) -> None:
        delivery = DeliveryFactory(state=DeliveryState.SENT, subscription=None, language="en")
        for report in (Report.HARD_BOUNCE, Report.COMPLAINT):
            feedback.record("jana@example.com", delivery, report, None)
        assert Delivery.objects.filter(bounced_at__isnull=False, complained_at__isnull=False).exists()

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.usefixtures("shared_database")
    def test_bounces_of_two_mails_to_an_address_do_not_deadlock(self) -> None:
        """Each ends both subscriptions of the address."""
        email = "jana@example.com"
        readers = [SubscriptionFactory(email=email, user_type=each, confirmed=True) for each in UserType]
        first, second = (DeliveryFactory(state=DeliveryState.SENT, subscription=each) for each in readers)
        run_overlapping(
            lambda: feedback.record(email, second, Report.HARD_BOUNCE, None),
            lambda: feedback.record(email, first, Report.HARD_BOUNCE, None),
        )
        assert {subscription.state for subscription in Subscription.objects.all()} == {State.BOUNCED}
        assert ConsentEvent.objects.count() == 2
        assert Delivery.objects.filter(bounced_at__isnull=False).count() == 2


def test_metrics_count_the_deliveries_of_campaigns_and_steps_within_a_day() -> None:
    now = timezone.now()
    sending = CampaignFactory(state=CampaignState.SENDING, started_at=now)
    canceled = CampaignFactory(state=CampaignState.CANCELLED, started_at=now, finished_at=now)
    step = CampaignFactory(delay_days=0, state=CampaignState.SENDING, started_at=now - 99 * HOUR)
    for campaign, ended_at in ((sending, now), (canceled, now - HOUR), (step, now - 25 * HOUR)):
        for state in DeliveryState:
            DeliveryFactory(campaign=campaign, state=state, ended_at=ended_at)
    assert watches.count_deliveries() == {"waiting": 2, "failed": 2, "unknown": 2}


@pytest.mark.parametrize(
    ("values", "delivery", "seconds"),
    [
        ({"state": CampaignState.SCHEDULED, "scheduled_at": 2}, None, 7200),  # nothing begins it
        ({"started_at": 2}, None, 7200),  # no recipients are added
        # Nothing could be tried, so its time was postponed.
        ({"started_at": 3, "prepared_at": 2}, {"next_attempt_at": 0}, 7200),
        ({"started_at": 3, "prepared_at": 2}, {"next_attempt_at": 2, "attempts": 1}, 0),
        ({"started_at": 3, "prepared_at": 2}, {"state": DeliveryState.SENT, "ended_at": 1}, 0),
        ({"started_at": 3, "prepared_at": 2, "changed_at": 0}, {"next_attempt_at": 2}, 0),  # just resumed
        ({"started_at": 3, "prepared_at": 2, "state": CampaignState.PAUSED}, {"next_attempt_at": 2}, 0),
        ({"started_at": 9, "delay_days": 0}, {"next_attempt_at": 1}, 3600),
    ],
)
def test_stall_is_measured(values: Any, delivery: Any, seconds: int) -> None:
    def count_back(given: dict[str, Any]) -> dict[str, Any]:
        times = {name: timezone.now() - value * HOUR for name, value in given.items() if name.endswith("_at")}
        return {**given, **times}

    campaign = CampaignFactory(state=CampaignState.SENDING)
    Campaign.objects.update(**count_back({"changed_at": 9, **values}))
    campaign.refresh_from_db()
    if delivery is not None:
        DeliveryFactory(campaign=campaign, **count_back(delivery))
    assert watches.measure_stall() == seconds
    assert watches.is_stalled(campaign) is (seconds > 0 and campaign.state == CampaignState.SENDING)
