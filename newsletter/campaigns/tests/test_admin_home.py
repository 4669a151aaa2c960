"""The readers and the campaigns on the home page of Django admin."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from newsletter.campaigns.models import CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import UserType
from newsletter.services import administration
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


def read_readers(client: Client) -> dict[tuple[str, str], tuple[int, ...]]:
    return {
        (str(row["audience"]), row["language"]): tuple(
            row[name] for name in ("confirmed", "joined", "left", "waiting")
        )
        for row in read_parts(client)["newsletter"]["readers"]
    }


def test_readers_are_counted_by_audience_and_language() -> None:
    old: dict[str, Any] = {"confirmed": True, "confirmed_at": LONG_AGO, "created_at": LONG_AGO}
    SubscriptionFactory(confirmed=True, confirmed_at=LATELY)
    SubscriptionFactory(language="cs")
    SubscriptionFactory.create_batch(2, **old)
    SubscriptionFactory(**old, user_type=UserType.COMPANY, unsubscribed=True, unsubscribed_at=LATELY)
    SubscriptionFactory(**old, user_type=UserType.COMPANY, bounced=True, bounced_at=LATELY)
    SubscriptionFactory(**old, user_type=UserType.COMPANY, bounced=True, bounced_at=LONG_AGO)
    SubscriptionFactory(user_type=UserType.COMPANY, unsubscribed=True, unsubscribed_at=LATELY)
    client = staff_client("view_subscription")
    assert read_readers(client) == {
        ("Sailors", "English"): (3, 1, 0, 0),
        ("Sailors", "Čeština"): (0, 0, 0, 1),
        ("Companies", "English"): (0, 0, 2, 0),
        ("Companies", "Čeština"): (0, 0, 0, 0),
    }
    totals = {"confirmed": 3, "joined": 1, "left": 2, "waiting": 1}
    assert read_parts(client)["newsletter"]["totals"] == totals


def test_whom_an_admin_unsubscribed_has_left() -> None:
    subscription = SubscriptionFactory(confirmed=True, confirmed_at=LONG_AGO, created_at=LONG_AGO)
    administration.unsubscribe(subscription=subscription)
    assert read_readers(staff_client("view_subscription"))["Sailors", "English"] == (0, 0, 1, 0)


def test_who_joined_and_left_lately_counts_as_both_and_an_imported_reader_has_joined() -> None:
    SubscriptionFactory(confirmed=True, unsubscribed=True)
    SubscriptionFactory(confirmed=True, confirmed_at=LONG_AGO, is_imported=True)  # agreed before the import
    assert read_readers(staff_client("view_subscription"))["Sailors", "English"] == (1, 2, 1, 0)


def test_numbers_link_to_the_subscribers_that_they_count() -> None:
    SubscriptionFactory(confirmed=True, email="anna@example.com")
    SubscriptionFactory(confirmed=True, email="petr@example.com", language="cs")
    client = staff_client("view_subscription")
    row = read_parts(client)["newsletter"]["readers"][0]
    page = client.get(f"{row['url']}&state=confirmed").content.decode()
    assert "anna@example.com" in page
    assert "petr@example.com" not in page


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


def test_addresses_that_stopped_working_need_attention() -> None:
    SubscriptionFactory.create_batch(2, bounced=True, bounced_at=LATELY)
    SubscriptionFactory(bounced=True, bounced_at=LONG_AGO)
    notice = "2 addresses stopped working in the last 7 days."
    attention = staff_client("view_subscription").get("/admin/").context["attention"]
    assert attention == [(notice, "/admin/newsletter/subscription/?state=bounced")]
    other = staff_client("view_campaign", email="other@example.com")
    assert other.get("/admin/").context["attention"] == []
