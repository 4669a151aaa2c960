"""The growth page in Django admin."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.admin.growth import draw_bars, round_up_axis
from newsletter.models import ConsentEvent, ConsentKind, LeavingReason, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from tests.mailbox import english_left, text

pytestmark = pytest.mark.django_db

PAGE = "/admin/newsletter/subscription/growth/"
NOW = datetime(2027, 5, 31, 12, tzinfo=UTC)
LEFT: dict[str, Any] = {"is_active": False, "unsubscribed_at": NOW}


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(NOW, tick=False)


def add(*kinds: ConsentKind, days_ago: int = 0, reason: str = "", **values: Any) -> Subscription:
    """Store a subscription and its events, all at one time."""
    at = values.pop("at", NOW - timedelta(days=days_ago))
    subscription = SubscriptionFactory(created_at=at, **values)
    for kind in kinds:
        event = {"kind": kind, "reason": reason, "language": "en", "user_type": subscription.user_type}
        ConsentEvent.objects.create(subscription=subscription, at=at, **event)
    return subscription


def show(client: Client | None = None, days: int | str = 30) -> Any:
    response = (client or staff_client("view_subscription")).get(PAGE, {"days": days})
    assert response.status_code == 200
    return response


def read_bars(page: Any) -> dict[date, list[int]]:
    """Return the numbers of the bars that have any: joined, unsubscribed, undeliverable."""
    bars = {bar["day"]: [part["count"] for part in bar["segments"]] for bar in page.context["chart"]["days"]}
    return {day: numbers for day, numbers in bars.items() if any(numbers)}


@pytest.mark.parametrize(
    ("kinds", "values", "numbers"),
    [
        ([ConsentKind.REQUESTED, ConsentKind.CONFIRMED], {}, [1, 0, 0]),
        ([ConsentKind.IMPORTED_CONSENT], {"is_imported": True}, [1, 0, 0]),
        ([ConsentKind.ENDED_BY_ADMIN, ConsentKind.RESTORED], {}, [1, -1, 0]),
        ([ConsentKind.BOUNCED, ConsentKind.REACHABLE], {}, [1, 0, -1]),
        ([ConsentKind.UNSUBSCRIBED, ConsentKind.EXPLAINED], LEFT, [0, -1, 0]),
        ([ConsentKind.COMPLAINED], LEFT, [0, -1, 0]),
        ([ConsentKind.IMPORTED_OPT_OUT], LEFT, [0, -1, 0]),
        ([ConsentKind.IMPORTED_OPT_OUT], {}, None),  # confirmed on the site, and stays
        ([ConsentKind.UNSUBSCRIBED], LEFT | {"is_confirmed": False}, None),  # never was a reader
        ([ConsentKind.BOUNCED], {"is_confirmed": False}, None),
    ],
)
def test_events_of_confirmed_subscribers_go_up_and_down(
    kinds: list[ConsentKind], values: dict[str, Any], numbers: list[int] | None
) -> None:
    add(*kinds, **{"is_confirmed": True, **values})
    assert read_bars(show()) == ({NOW.date(): numbers} if numbers else {})


@pytest.mark.parametrize(("days", "period", "bars"), [("soon", 30, 30), (90, 90, 30), (365, 365, 31)])
def test_each_period_ends_today_and_loses_no_day(days: int | str, period: int, bars: int) -> None:
    ages = {0, 1, period // 2, period - 1}
    for days_ago in (*ages, period):  # the last is one day too old
        add(ConsentKind.CONFIRMED, days_ago=days_ago, is_confirmed=True)
    page = show(days=days)
    shown = page.context["chart"]["days"]
    assert (len(shown), shown[0]["day"]) == (bars, NOW.date() - timedelta(days=period - 1))
    joined = [bar["segments"][0]["count"] for bar in shown]
    assert page.context["change"] == sum(joined) == len(ages)
    assert [shown[0]["stock"], shown[-1]["stock"]] == [1 + joined[0], len(ages) + 1]


def test_origins_and_reasons_are_those_of_the_period() -> None:
    add(utm_source="mast", utm_campaign="spring", referrer="forum.example", confirmed=True)
    add(utm_source="mast", utm_campaign="spring")
    add(referrer="forum.example", confirmed=True)
    add(is_imported=True)
    add(referrer="old.example", days_ago=30)
    add(ConsentKind.EXPLAINED, reason=LeavingReason.TOO_MANY)
    add(ConsentKind.EXPLAINED, reason=LeavingReason.TOO_MANY, days_ago=30)
    client = staff_client("view_subscription")
    client.cookies["django_language"] = "cs"
    page = show(client)
    names = ("origin", "utm_campaign", "is_imported", "added", "confirmed", "rate")
    assert [[origin[name] for name in names] for origin in page.context["origins"]] == [
        ["mast", "spring", False, 2, 1, 50],
        ["", "", False, 1, 0, 0],
        ["forum.example", "", False, 1, 1, 100],
        ["", "", True, 1, 0, 0],
    ]
    assert [count for _reason, count in page.context["reasons"]] == [1, 0, 0, 0]
    assert english_left(text(page), "newsletter") == []


def test_day_is_that_of_the_site(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    add(ConsentKind.CONFIRMED, at=datetime(2027, 5, 29, 22, 30, tzinfo=UTC), is_confirmed=True)
    assert list(read_bars(show())) == [date(2027, 5, 30)]


@pytest.mark.parametrize(("highest", "top"), [(0, 4), (5, 6), (10, 10), (11, 20), (2001, 4000)])
def test_axis_ends_at_a_round_number(highest: int, top: int) -> None:
    assert round_up_axis(highest) == top


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        (
            [[3, 2], [3, -2]],
            [
                'viewBox="0 0 2 10"',
                "<title>Jun\xa030,\xa02025: Readers 99, Came 3, Left 2</title>",
                'class="chart-1" x=".15" y="3" width=".7" height="3"',
                'class="chart-2" x=".15" y="1" width=".7" height="2"',
                'class="chart-2" x=".15" y="6" width=".7" height="2"',  # a loss, below the axis
                '<th scope="row">Jul\xa01,\xa02025</th>',
                "<td>3</td><td>-2</td>",
            ],
        ),
        ([[0, 0]], ["Nothing yet."]),
    ],
)
def test_chart_has_a_bar_and_a_row_for_each_day(numbers: list[list[int]], shown: list[str]) -> None:
    days = dict(zip((date(2025, 6, 30), date(2025, 7, 1)), numbers, strict=False))
    data = draw_bars(["Came", "Left"], days, stock=100)
    context = {"data": data, "id": "x", "empty": "Nothing yet.", "stock_label": "Readers"}
    page = render_to_string("admin/newsletter/chart.html", context)
    assert [part for part in shown if part not in page] == []
    assert ("<rect" in page) is ("Nothing yet." not in page)
