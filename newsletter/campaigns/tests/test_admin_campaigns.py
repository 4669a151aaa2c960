"""Campaigns in Django admin: the home page, the list, sending, and the results."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.templatetags.admin_list import results
from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import Settings

from newsletter.campaigns import services
from newsletter.campaigns.admin import sending
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, DeliveryState, Segment
from newsletter.campaigns.tests.admin_pages import (
    LIST,
    get_messages,
    get_path,
    get_state,
    history,
    post,
    read,
    read_text,
    sender,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, start_campaign
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from tests.mailbox import english_left, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

SEND_NOW = {"send": "now"}
SEND_LATER = {"schedule": "at", "at_0": "2100-01-01", "at_1": "10:30"}
SUBSCRIBERS = "/admin/newsletter/subscription/"
DAY = timedelta(days=1)


def deliver(campaign: Campaign, state: DeliveryState, number: int = 1, **values: Any) -> None:
    DeliveryFactory.create_batch(number, campaign=campaign, state=state, ended_at=timezone.now(), **values)
    Campaign.objects.filter(pk=campaign.pk).update(recipient_count=campaign.deliveries.count())


def test_pages_of_each_state_are_in_czech() -> None:
    segment = Segment.objects.create(name="Charter", language="cs")
    client = group_client("Managers")
    client.cookies["django_language"] = "cs"
    paths = ["/admin/", LIST, f"{LIST}series/"]
    for state in CampaignState:
        for values in ({"segment": segment, "scheduled_at": timezone.now()}, {"delay_days": 2}):
            started_at = None if state in (CampaignState.DRAFT, CampaignState.SCHEDULED) else timezone.now()
            campaign = CampaignFactory(state=state, user_type="sailor", started_at=started_at, **values)
            deliver(campaign, DeliveryState.SKIPPED, skip_reason="paused")
            deliver(campaign, DeliveryState.FAILED, bounced_at=timezone.now())
            paths += [get_path(campaign, name) for name in ("send", "test", "results", "history")]
    for path in paths:
        response: Any = client.get(path)
        assert response.status_code in (200, 302), path
        assert english_left(text(response), "newsletter") == [], path


def test_numbers_at_home_are_those_of_the_lists_that_they_open() -> None:
    SubscriptionFactory.create_batch(2, confirmed=True)
    SubscriptionFactory(language="cs")
    for values in ({}, {"confirmed": True}):
        SubscriptionFactory(user_type="company", **values)
    SubscriptionFactory(confirmed=True, unsubscribed=True)
    client = staff_client("view_subscription")
    links = re.findall(r'href="(/admin/newsletter/subscription/\?[^"]+)">(\d+)<', read(client, "/admin/"))
    assert [number for _url, number in links] == ["2", "0", "0", "1", "1", "1", "3", "2"]
    for url, number in links:
        assert client.get(unescape(url)).context["cl"].result_count == int(number)
    lately = SubscriptionFactory.create_batch(2, bounced_at=timezone.now() - 6 * DAY)
    SubscriptionFactory(bounced_at=timezone.now() - 8 * DAY)
    ((notice, url),) = client.get("/admin/").context["attention"]
    assert notice == "2 addresses stopped working in the last 7 days."
    assert set(client.get(url).context["cl"].result_list) == set(lately)


def test_rows_have_the_numbers_and_lead_to_them_once_sending_has_begun() -> None:
    sent, draft = start_campaign(state=CampaignState.SENT), CampaignFactory(name="Draft")
    deliver(sent, DeliveryState.SENT, 3)
    deliver(sent, DeliveryState.SENT, unsubscribed_at=timezone.now())
    deliver(sent, DeliveryState.SKIPPED)
    CampaignLink.objects.create(campaign=sent, url="https://sailing.example/", clicks=3)
    running = CampaignFactory(name="Under way", state=CampaignState.SENDING)
    deliver(running, DeliveryState.WAITING, 4)
    deliver(running, DeliveryState.FAILED)
    Campaign.objects.filter(pk=running.pk).update(recipient_count=1600)
    page = staff_client("view_campaign").get(LIST)
    rows = [" ".join(" ".join(map(strip_tags, row)).split()) for row in results(page.context["cl"])]
    for name, numbers in (("Spring", "5 75.0 25.0%"), ("Under", "1,595 of 1,600"), ("Draft", "– – –")):
        [row] = [row for row in rows if row.startswith(name)]
        assert numbers in row
    for path in (get_path(sent, "results"), get_path(draft)):
        assert f'href="{path}"' in page.content.decode()


class TestSendPage:
    def test_errors_hide_the_buttons_and_lead_to_their_lines_in_the_editor(self) -> None:
        campaign = CampaignFactory()
        client = staff_client("view_campaign", "send_campaign", "change_campaign")
        path, button = get_path(campaign, "send"), "expected_version"
        page = read(client, path)
        assert "Nobody is in this audience" in page
        assert button not in page
        SubscriptionFactory(confirmed=True)
        assert button in read(client, path)
        campaign.texts.filter(language="cs").update(body="Ahoj\n\n<b>vy</b>")
        page = read(client, path)
        assert "1 error to fix before it can be sent" in page
        assert button not in page
        link = f'{get_path(campaign)}#id_body_cs:3"'
        assert link in page
        assert link not in read(staff_client("view_campaign", "send_campaign", email="x@example.com"), path)

    def test_campaign_is_sent_now_and_a_second_click_changes_nothing(self) -> None:
        SubscriptionFactory(confirmed=True)
        campaign, client = CampaignFactory(), sender()
        page = post(client, campaign, "send", **SEND_NOW)
        assert page.redirect_chain[-1][0] == get_path(campaign, "results")
        assert get_messages(page) == ["The campaign is on its way."]
        assert get_messages(post(client, campaign, "send", **SEND_NOW)) == []
        assert get_state(campaign) == CampaignState.SENDING
        assert history() == ["Sending started."]

    def test_time_is_that_of_the_zone_of_the_site(self, settings: Settings) -> None:
        settings.TIME_ZONE = "Europe/Prague"
        SubscriptionFactory(confirmed=True)
        campaign, client = CampaignFactory(), sender()
        assert "Time zone: Europe/Prague" in read(client, get_path(campaign, "send"))
        for time, error in (("", "Choose the date and the time."), ("02:30", "may not exist.")):
            page = post(client, campaign, "send", schedule="at", at_0="2100-03-28", at_1=time)
            assert error in page.content.decode()
        page = post(client, campaign, "send", **SEND_LATER)
        assert "10:30 (Europe/Prague)." in get_messages(page)[0]
        assert "<dt>Recipients as of today</dt><dd>1</dd>" in page.content.decode()
        assert history() == ["Scheduled."]
        assert get_state(campaign) == CampaignState.SCHEDULED
        assert campaign.scheduled_at == datetime(2100, 1, 1, 9, 30, tzinfo=UTC)
        assert 'value="10:30"' in read(client, get_path(campaign, "send"))  # the fields begin with it


class TestResults:
    def test_page_follows_the_campaign_until_the_last_mail_is_through(self) -> None:
        campaign, client = start_campaign(), sender()
        deliver(campaign, DeliveryState.SENT, 3)
        deliver(campaign, DeliveryState.SENDING)
        deliver(campaign, DeliveryState.SKIPPED, skip_reason="bounced")
        for name in ("results", "results/status"):
            page = read(client, get_path(campaign, name))
            for part in ('data-running="sending"', 'max="5" value="4"', "4 of 5 processed"):
                assert part in page
            assert "bounced in the meantime (1)" in page
        assert 'data-running="cancelled"' in post(client, campaign, "cancel").content.decode()
        campaign.deliveries.filter(state=DeliveryState.SENDING).update(state=DeliveryState.WAITING)
        assert "data-running" not in read(client, get_path(campaign, "results"))
        assert "Not sent 1 20.0%" in read_text(client, get_path(campaign, "results"))

    def test_numbers_are_shares_of_recipients_and_sent_mails(self) -> None:
        campaign, now = start_campaign(state=CampaignState.SENT), timezone.now()
        deliver(campaign, DeliveryState.SENT, 5)
        deliver(campaign, DeliveryState.SENT, bounced_at=now)
        deliver(campaign, DeliveryState.SENT, complained_at=now)
        deliver(campaign, DeliveryState.SENT, unsubscribed_at=now)
        eva = SubscriptionFactory(email="eva@example.com", confirmed=True)
        error = "550 <eva@example.com> unknown"
        deliver(campaign, DeliveryState.FAILED, subscription=eva, bounced_at=now, last_error=error)
        deliver(campaign, DeliveryState.UNKNOWN, subscription=None, language="en")
        for url, clicks in (("https://sailing.example/few", 1), ("https://sailing.example/many", 2)):
            CampaignLink.objects.create(campaign=campaign, url=url, clicks=clicks)
        path = get_path(campaign, "results")
        text = read_text(staff_client("view_campaign", "view_subscription"), path)
        for part in (
            "Recipients 10 Sent 8 80.0% Clicks 3 37.5 per 100 emails Unsubscribed 1 12.5% Skipped 0 0.0% "
            "Failed 1 10.0% Bounced 1 12.5% Complained 1 12.5% Unknown 1 10.0% "
            "Not delivered: the address does not work (1)",
            "sailing.example/many 2 https://sailing.example/few 1 Clicks are not people",
            "Unknown: the connection broke",
            "erased Unknown –",
            "eva@example.com Failed 550 &lt;eva@example.com&gt; unknown",
        ):
            assert part in text
        assert "eva@example.com" not in read(staff_client("view_campaign", email="x@example.com"), path)

    @pytest.mark.parametrize(
        ("before", "name", "after"),
        [
            (CampaignState.SENDING, "pause", {"state": CampaignState.PAUSED}),
            (CampaignState.SCHEDULED, "unschedule", {"state": CampaignState.DRAFT}),
            (CampaignState.SENDING, "withdraw", {"is_public": False}),
            (CampaignState.SENT, "publish", {"is_public": True}),
        ],
    )
    def test_action_is_done_once_by_post(self, before: str, name: str, after: dict[str, Any]) -> None:
        campaign, client = start_campaign(state=before, is_public=name == "withdraw"), sender()
        Campaign.objects.update(scheduled_at=timezone.now() + DAY)
        deliver(campaign, DeliveryState.WAITING)
        _service, log_entry, done = sending.ACTIONS[name]
        assert get_path(campaign, name) in read(client, get_path(campaign, "results"))
        client.get(get_path(campaign, name))
        assert history() == []
        assert get_messages(post(client, campaign, name)) == [str(done)]
        [message] = post(client, campaign, name).context["messages"]
        assert message.level_tag == "error"
        assert Campaign.objects.filter(**after).exists()
        assert history() == [log_entry]

    def test_history_names_the_admin_except_for_what_happened_without_one(self) -> None:
        campaign, client = start_campaign(), sender()
        admin = get_user_model()._default_manager.get(email="staff@example.com")
        LogEntry.objects.log_actions(admin.pk, [campaign], CHANGE, services.OVERDUE)
        post(client, campaign, "pause")
        for name in ("results", "history"):
            entries = client.get(get_path(campaign, name)).context["entries"]
            found = [(entry.text, entry.details) for entry in entries]
            assert found == [("Paused.", ("staff@example.com",)), (services.OVERDUE, ())]


@pytest.mark.parametrize(
    ("ended", "state", "values", "details", "tone"),
    [
        ("sent", DeliveryState.SENT, {"unsubscribed_at": timezone.now()}, ("sent", "unsubscribed"), "good"),
        ("sent", DeliveryState.UNKNOWN, {}, ("may have arrived",), "waiting"),
        ("sent", DeliveryState.SKIPPED, {"skip_reason": "paused"}, ("paused in the meantime",), "off"),
        ("cancelled", DeliveryState.WAITING, {}, ("not sent, because it was canceled",), "off"),
    ],
)
def test_subscriber_has_a_history(ended: str, state: str, values: Any, details: Any, tone: str) -> None:
    campaign = CampaignFactory(state=ended, finished_at=timezone.now())
    delivery = DeliveryFactory(campaign=campaign, state=state, **values)
    path = f"{SUBSCRIBERS}{delivery.subscription.pk}/change/"
    [entry] = staff_client("view_subscription", "view_campaign").get(path).context["entries"]
    assert (entry.text, entry.details, entry.tone) == ("Campaign “Spring regatta”", details, tone)
    other = staff_client("view_subscription", email="other@example.com")
    assert "Spring regatta" not in read(other, path)
