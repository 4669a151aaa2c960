"""The page on which a campaign is followed, paused and cancelled, and its numbers everywhere in admin."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.templatetags.admin_list import results
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from newsletter.campaigns import services
from newsletter.campaigns.admin import sending
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, Delivery, DeliveryState
from newsletter.campaigns.tests.admin_pages import (
    LIST,
    get_messages,
    get_path,
    history,
    post,
    read,
    running_campaign,
    sender,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

User: Any = get_user_model()


def deliver(campaign: Campaign, state: DeliveryState, number: int = 1, **values: Any) -> None:
    DeliveryFactory.create_batch(number, campaign=campaign, state=state, ended_at=timezone.now(), **values)
    Campaign.objects.filter(pk=campaign.pk).update(recipient_count=campaign.deliveries.count())


def read_text(client: Client, campaign: Campaign, name: str = "results") -> str:
    """Return the text of a page without its markup."""
    return " ".join(strip_tags(read(client, campaign, name).replace("<", " <")).split())


def read_rows(client: Client, query: str = "") -> dict[str, str]:
    """Return the text of each row of the list, by the name of its campaign."""
    page = client.get(f"{LIST}{query}")
    cells = [[" ".join(strip_tags(cell).split()) for cell in row] for row in results(page.context["cl"])]
    return {name: " ".join([name, *others]) for name, *others in cells}


class TestResultsPage:
    def test_page_follows_the_campaign_until_it_ends(self) -> None:
        campaign, client = running_campaign(), staff_client("view_campaign")
        deliver(campaign, DeliveryState.SENT, 3)
        deliver(campaign, DeliveryState.WAITING)
        deliver(campaign, DeliveryState.SKIPPED, skip_reason="bounced")
        for name in ("results", "results/status"):
            page = read(client, campaign, name)
            assert 'data-running="sending"' in page
            assert 'max="5" value="4"' in page
            assert "4 of 5 processed" in page
            assert "bounced in the meantime (1)" in page
        Campaign.objects.update(state=CampaignState.SENT, finished_at=timezone.now())
        page = read(client, campaign)
        assert "data-running" not in page

    def test_cancelled_campaign_is_followed_until_the_last_mail_is_through(self) -> None:
        campaign, client = running_campaign(), sender()
        deliver(campaign, DeliveryState.SENDING)
        deliver(campaign, DeliveryState.WAITING)
        page = post(client, campaign, "cancel").content.decode()
        assert 'data-running="cancelled"' in page
        Delivery.objects.filter(state=DeliveryState.SENDING).update(state=DeliveryState.SENT)
        assert "data-running" not in read(client, campaign)
        assert "Not sent 1 50.0%" in read_text(client, campaign)

    def test_numbers_are_shares_of_recipients_and_sent_mails(self) -> None:
        campaign, now = running_campaign(CampaignState.SENT), timezone.now()
        deliver(campaign, DeliveryState.SENT, 5)
        deliver(campaign, DeliveryState.SENT, bounced_at=now)
        deliver(campaign, DeliveryState.SENT, complained_at=now)
        deliver(campaign, DeliveryState.SENT, unsubscribed_at=now)
        deliver(campaign, DeliveryState.FAILED, bounced_at=now)
        deliver(campaign, DeliveryState.UNKNOWN)
        for url, clicks in (("https://sailing.example/few", 1), ("https://sailing.example/many", 2)):
            CampaignLink.objects.create(campaign=campaign, url=url, clicks=clicks)
        client = staff_client("view_campaign")
        text = read_text(client, campaign)
        assert (
            "Recipients 10 Sent 8 80.0% Clicks 3 37.5 per 100 emails Unsubscribed 1 12.5% Skipped 0 0.0% "
            "Failed 1 10.0% Bounced 1 12.5% Complained 1 12.5% Unknown 1 10.0% "
            "Not delivered: the address does not work (1)"
        ) in text
        assert "sailing.example/many 2 https://sailing.example/few 1 Clicks are not readers" in text
        client.cookies["django_language"] = "cs"
        assert "37,5" in read_text(client, campaign)

    def test_step_has_numbers_and_no_buttons(self) -> None:
        step = running_campaign()
        Campaign.objects.update(delay_days=3, user_type="sailor")
        deliver(step, DeliveryState.WAITING, 3)
        text = read_text(sender(), step)
        assert "The step is on" in text
        assert "Waiting 3 100.0%" in text
        assert "Cancel the campaign" not in text

    def test_page_says_when_no_email_leaves(self) -> None:
        campaign, client = running_campaign(), sender()
        DeliveryFactory(campaign=campaign)
        for minutes, is_told in ((7, False), (9, True)):
            before = timezone.now() - timedelta(minutes=minutes)
            Campaign.objects.update(prepared_at=before, changed_at=before)
            assert ("but no email leaves" in read(client, campaign)) is is_told

    def test_failed_and_unknown_deliveries_are_listed_for_who_may_see_addresses(self) -> None:
        campaign = running_campaign()
        eva = SubscriptionFactory(email="eva@example.com", confirmed=True)
        deliver(campaign, DeliveryState.FAILED, subscription=eva, last_error="550 <eva@example.com> unknown")
        deliver(campaign, DeliveryState.UNKNOWN, subscription=None, language="en")
        deliver(campaign, DeliveryState.SENT)
        text = read_text(staff_client("view_campaign", "view_subscription"), campaign)
        assert "Unknown: the connection broke" in text
        for row in ("erased Unknown –", "eva@example.com Failed 550 &lt;eva@example.com&gt; unknown"):
            assert row in text
        assert "eva@example.com" not in read(staff_client("view_campaign", email="x@example.com"), campaign)

    def test_time_until_a_campaign_goes_out_is_grammatical_czech(self) -> None:
        at = timezone.now() + timedelta(minutes=60, seconds=50)
        campaign = CampaignFactory(state=CampaignState.SCHEDULED, scheduled_at=at)
        client = staff_client("view_campaign")
        client.cookies["django_language"] = "cs"
        assert "Do odeslání zbývá: 1\xa0hodina." in read(client, campaign)

    def test_draft_has_a_history_only(self) -> None:
        text = read_text(sender(), CampaignFactory())
        for word in ("Results", "processed", "Clicks", "Cancel the campaign"):
            assert word not in text


class TestActions:
    @pytest.mark.parametrize(
        ("before", "name", "after"),
        [
            (CampaignState.SENDING, "pause", {"state": CampaignState.PAUSED}),
            (CampaignState.PAUSED, "resume", {"state": CampaignState.SENDING}),
            (CampaignState.SENDING, "cancel", {"state": CampaignState.CANCELLED}),
            (CampaignState.SCHEDULED, "unschedule", {"state": CampaignState.DRAFT}),
            (CampaignState.SENDING, "withdraw", {"is_public": False}),
            (CampaignState.SENT, "publish", {"is_public": True}),
        ],
    )
    def test_action_is_done_once_by_post(self, before: str, name: str, after: dict[str, Any]) -> None:
        campaign, client = running_campaign(before), sender()
        _service, log_entry, done = sending.ACTIONS[name]
        scheduled_at = timezone.now() + timedelta(hours=1)
        Campaign.objects.update(scheduled_at=scheduled_at, is_public=name == "withdraw")
        deliver(campaign, DeliveryState.WAITING)
        assert get_path(campaign, name) in read(client, campaign)
        client.get(get_path(campaign, name))
        assert history() == []
        assert get_messages(post(client, campaign, name)) == [str(done)]
        [message] = post(client, campaign, name).context["messages"]
        assert message.level_tag == "error"
        assert Campaign.objects.filter(**after).exists()
        assert history() == [log_entry]


def test_history_names_the_admin_except_for_what_happened_without_one() -> None:
    campaign, client = running_campaign(), sender()
    admin = User.objects.get(email="staff@example.com")
    for event in services.AUTOMATIC_EVENTS:
        LogEntry.objects.log_actions(admin.pk, [campaign], CHANGE, event)
    post(client, campaign, "pause")
    automatic = [(event, ()) for event in reversed(services.AUTOMATIC_EVENTS)]
    for name in ("results", "history"):
        entries = client.get(get_path(campaign, name)).context["entries"]
        assert [(entry.text, entry.details) for entry in entries] == [
            ("Paused.", ("staff@example.com",)),
            *automatic,
        ]


def test_rows_have_the_numbers_and_lead_to_them_once_sending_has_begun() -> None:
    sent, draft = running_campaign(CampaignState.SENT), CampaignFactory(name="Draft")
    deliver(sent, DeliveryState.SENT, 3)
    deliver(sent, DeliveryState.SENT, unsubscribed_at=timezone.now())
    deliver(sent, DeliveryState.SKIPPED)
    CampaignLink.objects.create(campaign=sent, url="https://sailing.example/", clicks=3)
    running = CampaignFactory(name="Under way", state=CampaignState.SENDING)
    deliver(running, DeliveryState.WAITING, 4)
    deliver(running, DeliveryState.FAILED)
    Campaign.objects.filter(pk=running.pk).update(recipient_count=1600)
    CampaignFactory(name="Step", delay_days=0)
    client = staff_client("view_campaign")
    rows = read_rows(client, "?o=-5")
    assert "5 75.0 25.0%" in rows["Spring regatta"]
    assert "1,595 of 1,600" in rows["Under way"]
    assert rows["Draft"].endswith("– – –")
    assert "Step" not in rows
    page = client.get(LIST).content.decode()
    assert f'href="{get_path(sent, "results")}"' in page
    assert f'href="{get_path(draft)}"' in page
    assert "Clicks per 100" in client.get("/admin/").content.decode()


@pytest.mark.parametrize(
    ("campaign_state", "state", "values", "details", "tone"),
    [
        (CampaignState.SENT, DeliveryState.SENT, {"unsubscribed_at": 0}, ("sent", "unsubscribed"), "good"),
        (CampaignState.SENT, DeliveryState.UNKNOWN, {}, ("may have arrived",), "waiting"),
        (
            CampaignState.SENT,
            DeliveryState.SKIPPED,
            {"skip_reason": "paused"},
            ("paused in the meantime",),
            "off",
        ),
        (CampaignState.CANCELLED, DeliveryState.WAITING, {}, ("not sent, because it was canceled",), "off"),
    ],
)
def test_subscriber_has_a_history_of_campaigns(
    campaign_state: str, state: DeliveryState, values: dict[str, Any], details: tuple[str, ...], tone: str
) -> None:
    now = timezone.now()
    campaign = CampaignFactory(state=campaign_state, finished_at=now)
    values = {name: now if name.endswith("_at") else value for name, value in values.items()}
    delivery = DeliveryFactory(campaign=campaign, state=state, **values)
    path = f"/admin/newsletter/subscription/{delivery.subscription.pk}/change/"
    client = staff_client("view_subscription", "view_campaign")
    [entry] = client.get(path).context["entries"]
    assert (entry.text, entry.details, entry.tone) == ("Campaign “Spring regatta”", details, tone)
    other = staff_client("view_subscription", email="other@example.com")
    assert "Spring regatta" not in other.get(path).content.decode()
