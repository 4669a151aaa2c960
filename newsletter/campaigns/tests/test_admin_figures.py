"""The figures of a campaign and their export."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.templatetags.admin_list import results
from django.test import Client
from django.utils import translation
from django.utils.html import strip_tags
from time_machine import TimeMachineFixture

from newsletter.campaigns.admin.figures import MAX_HOURS, MIN_HOURS, Figure, draw_hours
from newsletter.campaigns.models import (
    Campaign,
    CampaignLink,
    CampaignState,
    DeliveryState,
    LinkClicks,
    SkipReason,
)
from newsletter.campaigns.tests.admin_pages import LIST, get_path
from newsletter.campaigns.tests.factories import DeliveryFactory
from newsletter.models import UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

START = datetime(2027, 5, 1, 10, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(START + 30 * HOUR, tick=False)


@pytest.fixture
def campaign() -> Campaign:
    return Campaign.objects.create(
        name="Spring newsletter",
        state=CampaignState.SENT,
        started_at=START,
        prepared_at=START,
        finished_at=START,
    )


@pytest.fixture
def client() -> Client:
    return staff_client("view_campaign_figures")


def deliver(campaign: Campaign, state: DeliveryState, number: int = 1, **values: Any) -> None:
    DeliveryFactory.create_batch(number, campaign=campaign, state=state, **{"ended_at": START, **values})


def click(campaign: Campaign, url: str, *counts: int) -> None:
    """Store a link with the numbers of its clicks in the hours since the start."""
    link = CampaignLink.objects.create(campaign=campaign, url=url)
    for index, count in enumerate(counts):
        LinkClicks.objects.create(link=link, hour=START.replace(minute=0) + index * HOUR, count=count)


def read_text(client: Client, path: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(strip_tags(client.get(path).content.decode().replace("<", " <")).split())


def read_rows(client: Client, query: str = "") -> dict[str, str]:
    """Return the text of each row of the list, by the name of its campaign."""
    page = client.get(f"{LIST}{query}")
    cells = [[" ".join(strip_tags(cell).split()) for cell in row] for row in results(page.context["cl"])]
    return {name: " ".join([name, *others]) for name, *others in cells}


def read_figures(client: Client, campaign: Campaign) -> dict[str, tuple[int, str]]:
    context = client.get(get_path(campaign, "figures")).context
    return {figure.key: (figure.count, figure.share) for figure in context["figures"]}


def export(client: Client, campaign: Campaign) -> list[list[str]]:
    response: Any = client.post(get_path(campaign, "figures/export"))
    assert response.status_code == 200
    content = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(content)))


def test_those_who_wait_have_a_column_while_the_step_is_on(client: Client) -> None:
    step = Campaign.objects.create(
        name="Hello", user_type="sailor", delay_days=3, state=CampaignState.SENDING, started_at=START
    )
    deliver(step, DeliveryState.SENT, 2, language="cs")
    deliver(step, DeliveryState.WAITING, 3, language="cs", ended_at=None)
    deliver(step, DeliveryState.UNKNOWN, language="en")
    text = read_text(client, get_path(step, "figures"))
    assert "Waiting 3 50.0%" in text
    assert "Not sent" not in text
    for part in client.get(get_path(step, "figures")).context["parts"]:
        named = ("sent", "skipped", "failed", "unknown", "not_sent")
        assert sum(part[name] for name in named) == part["recipients"]
    assert "Failed Unknown Waiting Bounced" in text


def test_figures_are_shares_of_recipients_and_sent_mails(campaign: Campaign, client: Client) -> None:
    deliver(campaign, DeliveryState.SENT, 4)
    deliver(campaign, DeliveryState.SENT, bounced_at=START)
    deliver(campaign, DeliveryState.SENT, complained_at=START, unsubscribed_at=START)
    deliver(campaign, DeliveryState.SENT, unsubscribed_at=START)
    deliver(campaign, DeliveryState.SKIPPED, skip_reason=SkipReason.ERASED)
    deliver(campaign, DeliveryState.FAILED, bounced_at=START)
    deliver(campaign, DeliveryState.UNKNOWN)
    assert read_figures(client, campaign) == {
        "recipients": (10, ""),
        "sent": (7, "70.0%"),
        "skipped": (1, "10.0%"),
        "failed": (1, "10.0%"),
        "unknown": (1, "10.0%"),
        "bounced": (1, "14.3%"),
        "complained": (1, "14.3%"),
        "unsubscribed": (2, "28.6%"),
    }
    text = read_text(client, get_path(campaign, "figures"))
    assert "Failed 1 10.0% 1 because the address does not work" in text
    assert "1 erased in the meantime" in text
    assert ["failed because bounced", "", "1", "10.00"] in export(client, campaign)


def test_cancelled_campaign_says_how_many_were_not_sent(campaign: Campaign, client: Client) -> None:
    Campaign.objects.update(state=CampaignState.CANCELLED)
    deliver(campaign, DeliveryState.SENT)
    deliver(campaign, DeliveryState.WAITING, 3, ended_at=None)
    figures = read_figures(client, campaign)
    assert figures["not sent"] == (3, "75.0%")
    assert "unknown" not in figures


def test_campaign_without_recipients_has_no_shares(campaign: Campaign, client: Client) -> None:
    assert set(read_figures(client, campaign).values()) == {(0, "")}


@pytest.mark.parametrize(
    ("count", "whole", "english", "czech"),
    [
        (0, 10, "0.0%", "0,0 %"),
        (10, 10, "100.0%", "100,0 %"),
        (8, 945, "0.8%", "0,8 %"),
        (1, 16, "6.3%", "6,3 %"),
        (1, 1_000_000, "<0.1%", "<0,1 %"),
        (999_999, 1_000_000, ">99.9%", ">99,9 %"),
    ],
)
def test_share_is_written_as_in_the_language(count: int, whole: int, english: str, czech: str) -> None:
    figure = Figure("sent", "Sent", count, whole)
    assert figure.share == english
    with translation.override("cs"):
        assert figure.share == czech


class TestChart:
    def test_hours_begin_with_the_start_and_end_with_the_last_click(self, campaign: Campaign) -> None:
        deliver(campaign, DeliveryState.SENT, 3)
        deliver(campaign, DeliveryState.SENT, ended_at=START + HOUR)
        deliver(campaign, DeliveryState.FAILED, ended_at=START + HOUR)
        click(campaign, "https://example.org/one", 2, 5, *([0] * 17), 1)
        click(campaign, "https://example.org/two", 0, 1)
        click(Campaign.objects.create(name="Other"), "https://example.org/other", 9)
        hours = draw_hours(campaign)
        for name, counts in {"sent": [3, 1, 0], "clicks": [2, 6, 0]}.items():
            days = hours[name].days
            assert len(days) == 20
            assert [day.segments[0].count for day in days[:3]] == counts
            assert days[0].day == START.replace(minute=0)
        assert hours["later_clicks"] == 0

    def test_clicks_after_the_chart_are_summed_up(
        self, campaign: Campaign, time_machine: TimeMachineFixture
    ) -> None:
        assert len(draw_hours(campaign)["clicks"].days) == MIN_HOURS
        time_machine.move_to(START + 1000 * HOUR, tick=False)
        click(campaign, "https://example.org/", *([1] * (MAX_HOURS + 5)))
        hours = draw_hours(campaign)
        assert len(hours["clicks"].days) == MAX_HOURS
        assert hours["later_clicks"] == 5


def test_file_has_figures_and_links_without_formulas(campaign: Campaign, client: Client) -> None:
    deliver(campaign, DeliveryState.SENT, 3)
    deliver(campaign, DeliveryState.SKIPPED, skip_reason=SkipReason.PAUSED)
    click(campaign, "https://example.org/never")
    click(campaign, "https://example.org/some", 1)
    click(campaign, "=cmd|calc", 2, 1)
    click(Campaign.objects.create(name="Other"), "https://example.org/other", 9)
    assert client.get(get_path(campaign, "figures/export")).status_code == 302
    rows = export(client, campaign)
    assert rows[0] == ["figure", "detail", "number", "percent"]
    for row in (
        ["recipients", "", "4", ""],
        ["sent", "", "3", "75.00"],
        ["skipped because", "paused", "1", "25.00"],
    ):
        assert row in rows
    assert rows[-3:] == [
        ["clicks", "'=cmd|calc", "3", "75.00"],
        ["clicks", "https://example.org/some", "1", "25.00"],
        ["clicks", "https://example.org/never", "0", "0.00"],
    ]
    assert [entry.change_message for entry in LogEntry.objects.all()] == ["Figures exported."]


def test_audiences_and_languages_have_their_numbers(campaign: Campaign, client: Client) -> None:
    deliver(campaign, DeliveryState.SENT, 2)
    deliver(campaign, DeliveryState.SENT, subscription=None, language="en")
    deliver(campaign, DeliveryState.SKIPPED, skip_reason=SkipReason.ERASED)
    company = SubscriptionFactory(user_type=UserType.COMPANY, language="cs", confirmed=True)
    deliver(campaign, DeliveryState.FAILED, subscription=company, bounced_at=START)
    other = SubscriptionFactory(user_type=UserType.COMPANY, language="cs", confirmed=True)
    deliver(campaign, DeliveryState.SENT, subscription=other, bounced_at=START)
    parts = client.get(get_path(campaign, "figures")).context["parts"]
    names = ("audience", "language", "recipients", "sent", "skipped", "failed", "bounced", "unsubscribed")
    assert {tuple(str(part[name]) for name in names) for part in parts} == {
        ("Sailors", "English", "3", "2", "1", "0", "0", "0"),
        ("", "English", "1", "1", "0", "0", "0", "0"),
        ("Companies", "Čeština", "2", "1", "0", "1", "1", "0"),
    }
    assert "Total 6 4 1 1 1 0" in read_text(client, get_path(campaign, "figures"))


def test_every_page_and_the_file_round_alike(campaign: Campaign) -> None:
    client = staff_client("view_campaign", "view_campaign_figures")
    Campaign.objects.update(recipient_count=16)
    deliver(campaign, DeliveryState.SENT, unsubscribed_at=START)
    click(campaign, "https://sailing.example/", 1)
    assert "Clicks per 100 6.3 Unsubscribed 6.3%" in read_text(client, "/admin/")
    assert "6.3 clicks per 100 6.3% unsubscribed" in read_rows(client)[campaign.name]
    figures = read_text(client, get_path(campaign, "figures"))
    assert "Clicks 1 6.3 per 100 emails Unsubscribed through it 1 6.3%" in figures
    for title in ("Emails sent", "Clicks"):
        assert f"{title} per hour {title} 1 " in figures
    assert ["unsubscribed", "", "1", "6.25"] in export(client, campaign)
    assert get_path(campaign, "figures") in client.get(get_path(campaign, "progress")).content.decode()
    client.cookies["django_language"] = "cs"
    for path in ("/admin/", LIST, get_path(campaign, "figures")):
        assert "6,3" in read_text(client, path)


def test_list_begins_with_the_newest_date_that_it_shows(client: Client) -> None:
    rows: dict[str, dict[str, Any]] = {
        "sending": {"state": CampaignState.SENDING, "started_at": START + 10 * HOUR},
        "sent": {"state": CampaignState.SENT, "started_at": START, "finished_at": START + 20 * HOUR},
        "paused now": {"state": CampaignState.PAUSED, "started_at": START},
        "scheduled": {"state": CampaignState.SCHEDULED, "scheduled_at": START + 40 * HOUR},
    }
    for name, values in rows.items():
        Campaign.objects.create(name=name, **values)
    assert list(read_rows(client)) == ["scheduled", "paused now", "sent", "sending"]


def test_list_has_rates_for_those_who_may_view_figures(campaign: Campaign, client: Client) -> None:
    Campaign.objects.update(recipient_count=5)
    deliver(campaign, DeliveryState.SENT, 3)
    deliver(campaign, DeliveryState.SENT, unsubscribed_at=START)
    deliver(campaign, DeliveryState.SKIPPED, skip_reason=SkipReason.ERASED)
    click(campaign, "https://sailing.example/", 2, 1)
    Campaign.objects.create(name="Unsent")
    other = Campaign.objects.create(name="Nobody clicks", recipient_count=1, started_at=START)
    deliver(other, DeliveryState.SENT)
    running = Campaign.objects.create(name="Under way", state=CampaignState.SENDING, recipient_count=1600)
    deliver(running, DeliveryState.WAITING, 4, ended_at=None)
    deliver(running, DeliveryState.SENDING, ended_at=None)
    deliver(running, DeliveryState.FAILED)
    columns = client.get(LIST).context["cl"].list_display
    rows = read_rows(client, f"?o=-{columns.index('click_rate')}")
    assert "5 recipients 75.0 clicks per 100 25.0% unsubscribed" in rows["Spring newsletter"]
    assert "1 recipient 0.0 clicks per 100 0.0% unsubscribed" in rows["Nobody clicks"]
    assert rows["Unsent"].endswith("– – –")
    assert "1,594 of 1,600 sent" in rows["Under way"]
    assert list(rows).index("Spring newsletter") < list(rows).index("Nobody clicks")
    page = staff_client("view_campaign", email="other@example.com").get(LIST).content.decode()
    assert "Spring newsletter" in page
    assert "per 100" not in page
    assert "25.0%" not in page
