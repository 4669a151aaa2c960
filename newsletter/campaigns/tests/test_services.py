"""The states of campaigns, and what happens after a mail."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import drafts, feedback, services
from newsletter.campaigns.feedback import Report
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, Segment
from newsletter.campaigns.rendering import render
from newsletter.campaigns.services import CampaignRefused
from newsletter.campaigns.tests.conftest import create_user
from newsletter.campaigns.tests.factories import (
    CampaignFactory,
    DeliveryFactory,
    prepare_deliveries,
    schedule,
    send_now,
)
from newsletter.models import ConsentEvent, State, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from tests.concurrency import run_overlapping
from tests.mailbox import mails

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def campaign() -> Campaign:
    """Return a draft with one recipient."""
    SubscriptionFactory(email="jana@example.com", confirmed=True)
    return CampaignFactory()


def in_state(campaign: Campaign, state: CampaignState) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.parametrize(
    ("languages", "is_read", "refusal"), [(("en", "cs"), False, "Nobody"), ((), True, "errors")]
)
def test_campaign_that_must_not_be_sent_stays_a_draft(
    languages: tuple[str, ...], is_read: bool, refusal: str
) -> None:
    SubscriptionFactory(confirmed=is_read)
    campaign = CampaignFactory(languages=languages)
    for start in (send_now, lambda campaign: schedule(campaign, timezone.now() + HOUR)):
        with pytest.raises(CampaignRefused, match=refusal):
            start(campaign)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_campaign_is_scheduled_for_another_time_and_sent_once(campaign: Campaign) -> None:
    soon = timezone.now() + HOUR
    schedule(campaign, soon + HOUR)
    schedule(campaign, soon)
    with pytest.raises(CampaignRefused, match="past"):
        schedule(campaign, soon - 2 * HOUR)
    assert (campaign.state, campaign.scheduled_at) == (CampaignState.SCHEDULED, soon)
    send_now(campaign)
    with pytest.raises(CampaignRefused, match="being sent"):
        send_now(campaign)
    assert campaign.state == CampaignState.SENDING
    assert [link.url for link in campaign.links.all()] == ["https://sailing.example/regatta"]


ALLOWED: dict[Callable[..., None], dict[CampaignState, CampaignState]] = {
    services.pause: {CampaignState.SENDING: CampaignState.PAUSED},
    services.resume: {CampaignState.PAUSED: CampaignState.SENDING},
    services.unschedule: {CampaignState.SCHEDULED: CampaignState.DRAFT},
    services.cancel: {
        CampaignState.SCHEDULED: CampaignState.CANCELLED,
        CampaignState.SENDING: CampaignState.CANCELLED,
        CampaignState.PAUSED: CampaignState.CANCELLED,
    },
}


@pytest.mark.parametrize("state", CampaignState)
@pytest.mark.parametrize("action", ALLOWED)
def test_actions_are_allowed_in_their_states_only(action: Callable[..., None], state: CampaignState) -> None:
    campaign = in_state(CampaignFactory(), state)
    if after := ALLOWED[action].get(state):
        action(campaign=campaign)
        assert campaign.state == after
    else:
        with pytest.raises(CampaignRefused):
            action(campaign=campaign)
        campaign.refresh_from_db()
        assert campaign.state == state


def test_campaign_is_sent_to_who_is_there_at_the_start_however_many_were_shown(campaign: Campaign) -> None:
    version = services.get_version(campaign)
    SubscriptionFactory(confirmed=True)
    services.send_now(campaign=campaign, expected_version=version)
    prepare_deliveries()
    campaign.refresh_from_db()
    assert campaign.recipient_count == 2


def test_change_of_the_segment_since_the_admin_looked_is_refused() -> None:
    segment = Segment.objects.create(name="Czech", language="cs")
    campaign = CampaignFactory(segment=segment)
    version = services.get_version(campaign)
    segment.save()
    with pytest.raises(CampaignRefused, match="look at it again"):
        services.send_now(campaign=campaign, expected_version=version)


def test_test_mail_goes_to_staff_through_the_outbox(campaign: Campaign, admin: Any) -> None:
    admin.first_name = "A & B"
    admin.save()
    campaign.texts.update(body="Ahoy {first_name|sailor}, [all](https://sailing.example/regatta)")
    drafts.send_test(campaign=campaign, addresses=[admin.email], languages=["en", "cs"])
    first, second = mails()
    assert {first.subject, second.subject} == {"[Test] The regatta begins", "[Test] Regata začíná"}
    for mail in (first, second):
        assert mail.recipient == admin.email
        assert mail.priority == MailPriority.NORMAL
        assert "\x02" not in mail.text + mail.html
        assert "Ahoy A & B, " in mail.text
        assert "Ahoy A &amp; B, " in mail.html
        assert f"/newsletter/issues/{campaign.key}/" in mail.html
        assert "https://sailing.example/regatta" in mail.html


def test_test_mail_has_the_headers_of_a_delivery_but_unsubscribes_nobody(
    campaign: Campaign, settings: Any, client: Client
) -> None:
    settings.CAMPAIGN_TEST_ADDRESSES = ["look@gmail.example"]
    drafts.send_test(campaign=campaign, addresses=["look@gmail.example"], languages=["en"])
    [mail] = mails()
    rendered = render(campaign, campaign.texts.get(language="en"), links={})
    url = mail.headers["List-Unsubscribe"][1:-1]
    assert mail.headers == {**rendered.list_headers, "List-Unsubscribe": f"<{url}>"}
    assert client.post(url, {"List-Unsubscribe": "One-Click"}).status_code == 404


@pytest.mark.parametrize("values", [{"is_staff": False}, {"is_staff": True, "is_active": False}])
def test_test_mail_to_others_is_refused(campaign: Campaign, admin: Any, values: dict[str, bool]) -> None:
    other = create_user("other@sailing.example", **values)
    with pytest.raises(CampaignRefused, match="staff"):
        drafts.send_test(campaign=campaign, addresses=[admin.email, other.email], languages=["en"])
    assert not mails()


@pytest.mark.parametrize(
    ("arrived", "states"),
    [
        (None, [State.CONFIRMED, State.CONFIRMED, State.BOUNCED, State.BOUNCED]),
        (1, [State.CONFIRMED] * 4),
    ],
)
def test_third_soft_bounce_in_a_row_ends_mails_to_the_address(
    arrived: int | None, states: list[State]
) -> None:
    subscription = SubscriptionFactory(confirmed=True)
    found = []
    for number in range(4):
        at = timezone.now() + number * HOUR
        delivery = DeliveryFactory(subscription=subscription, state=DeliveryState.SENT, ended_at=at)
        for _time in range(2 * (number != arrived)):
            feedback.record(subscription.email, delivery, Report.SOFT_BOUNCE, None)
        subscription.refresh_from_db()
        found.append(subscription.state)
    assert found == states


def test_repeated_complaint_suppresses_nobody_again() -> None:
    delivery = DeliveryFactory(state=DeliveryState.SENT)
    email = delivery.subscription.email
    for expected in (True, False):
        feedback.record(email, delivery, Report.COMPLAINT, None)
        assert bool(mailboxes.find_suppressed([email])) is expected
        mailboxes.lift(email)


def test_events_about_erased_subscribers_are_recorded_on_the_delivery() -> None:
    delivery = DeliveryFactory(state=DeliveryState.SENT, subscription=None, language="en")
    for report in (Report.HARD_BOUNCE, Report.COMPLAINT):
        feedback.record("jana@example.com", delivery, report, None)
    delivery.refresh_from_db()
    assert delivery.bounced_at
    assert delivery.complained_at


def test_campaign_ends_when_no_delivery_is_left() -> None:
    campaign = in_state(CampaignFactory(), CampaignState.SENDING)
    delivery = DeliveryFactory(campaign=campaign)
    assert not services.finish_if_sent(campaign.pk)
    Delivery.objects.filter(pk=delivery.pk).update(state=DeliveryState.SENT)
    assert not services.finish_if_sent(campaign.pk), "its recipients are not fixed yet"
    prepare_deliveries()
    assert services.finish_if_sent(campaign.pk)
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.SENT
    assert campaign.finished_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_bounces_of_two_mails_to_an_address_do_not_deadlock() -> None:
    """Each ends both subscriptions of the address."""
    first, second = (
        DeliveryFactory(
            state=DeliveryState.SENT,
            subscription=SubscriptionFactory(email="jana@example.com", user_type=user_type, confirmed=True),
        )
        for user_type in UserType
    )
    run_overlapping(
        lambda: feedback.record("jana@example.com", second, Report.HARD_BOUNCE, None),
        lambda: feedback.record("jana@example.com", first, Report.HARD_BOUNCE, None),
    )
    assert {subscription.state for subscription in Subscription.objects.all()} == {State.BOUNCED}
    assert ConsentEvent.objects.count() == 2
    assert Delivery.objects.filter(bounced_at__isnull=False).count() == 2
