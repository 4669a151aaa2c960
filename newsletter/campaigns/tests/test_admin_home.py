"""The readers and the campaigns on the home page of Django admin."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 5, 1, 10, 20, tzinfo=UTC)
LATELY = NOW - timedelta(days=6)
LONG_AGO = NOW - timedelta(days=8)

SUBSCRIBERS = "Subscribers</a></h2>"
"""The heading; the sidebar links to the list too."""


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(NOW, tick=False)


def read_parts(client: Client) -> dict[str, dict[str, Any]]:
    return {template.split("/")[-2]: part for template, part in client.get("/admin/").context["parts"]}


def test_numbers_are_those_of_the_lists_that_they_open() -> None:
    for user_type, language, counts in (
        ("sailor", "en", (2, 0)),
        ("sailor", "cs", (0, 1)),
        ("company", "en", (1, 1)),
    ):
        values = {"user_type": user_type, "language": language}
        SubscriptionFactory.create_batch(counts[0], confirmed=True, **values)
        SubscriptionFactory.create_batch(counts[1], **values)
    SubscriptionFactory(confirmed=True, unsubscribed=True)
    SubscriptionFactory(confirmed=True, bounced=True)
    client = staff_client("view_subscription")
    page = client.get("/admin/").content.decode()
    links = re.findall(r'href="(/admin/newsletter/subscription/\?[^"]+)">(\d+)<', page)
    assert [number for _url, number in links] == ["2", "0", "0", "1", "1", "1", "3", "2"]
    for url, number in links:
        assert client.get(unescape(url)).context["cl"].result_count == int(number)


@pytest.mark.parametrize(
    ("permissions", "shown", "hidden"),
    [
        (("view_subscription",), (SUBSCRIBERS,), ("Import<", "Export<", "Campaigns")),
        (("view_subscription", "add_subscription"), ("Import<",), ("Export<", "New campaign")),
        (("view_subscription", "export_subscription"), ("Export<",), ("Import<",)),
        (
            ("view_campaign",),
            ("Spring regatta", "Autumn regatta", "Clicks per 100"),
            (SUBSCRIBERS, "New campaign"),
        ),
        (("view_campaign", "add_campaign"), ("New campaign",), (SUBSCRIBERS,)),
    ],
)
def test_parts_need_their_permissions(
    permissions: tuple[str, ...], shown: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    for name, at in (("Winter regatta", LONG_AGO), ("Spring regatta", LATELY), ("Old regatta", LONG_AGO)):
        CampaignFactory(name=name, state=CampaignState.SENT, started_at=at, finished_at=at, recipient_count=0)
    CampaignFactory(name="Autumn regatta", state=CampaignState.SCHEDULED, scheduled_at=NOW)
    page = staff_client(*permissions).get("/admin/").content.decode()
    assert [text for text in shown if text not in page] == []
    assert [text for text in (*hidden, "Winter regatta", "Old regatta") if text in page] == []


def test_notice_of_addresses_that_stopped_working_opens_the_list_of_exactly_these() -> None:
    lately = SubscriptionFactory.create_batch(2, bounced=True, bounced_at=LATELY)
    SubscriptionFactory(bounced=True, bounced_at=LONG_AGO)
    client = staff_client("view_subscription")
    ((notice, url),) = client.get("/admin/").context["attention"]
    assert notice == "2 addresses stopped working in the last 7 days."
    assert set(client.get(url).context["cl"].result_list) == set(lately)
    other = staff_client("view_campaign", email="other@example.com")
    assert other.get("/admin/").context["attention"] == []
