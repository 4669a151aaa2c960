"""The growth page in Django admin."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from newsletter.admin.growth import draw_bars, round_up_axis
from newsletter.models import ConsentEvent, ConsentKind, LeavingReason, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

PAGE = "/admin/newsletter/subscription/growth/"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
LEFT: dict[str, Any] = {"is_active": False, "unsubscribed_at": NOW}


def add(*kinds: ConsentKind, days_ago: int = 0, reason: str = "", **values: Any) -> Subscription:
    at = values.pop("at", NOW - timedelta(days=days_ago))
    subscription = SubscriptionFactory(created_at=at, **values)
    for kind in kinds:
        event = {"kind": kind, "reason": reason, "language": "en", "user_type": subscription.user_type}
        ConsentEvent.objects.create(subscription=subscription, at=at, **event)
    return subscription


def show(days: int | str = 30) -> Any:
    return staff_client("view_subscription").get(PAGE, {"days": days})


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
def test_events_go_up_and_down(kinds: Any, values: Any, numbers: Any) -> None:
    add(*kinds, **{"is_confirmed": True, **values})
    assert read_bars(show()) == ({NOW.date(): numbers} if numbers else {})


@pytest.mark.parametrize(("days", "period", "bars"), [("soon", 30, 30), (90, 90, 30), (365, 365, 31)])
def test_each_period_ends_today_and_loses_no_day(days: int | str, period: int, bars: int) -> None:
    ages = {0, 1, period // 2, period - 1}
    for days_ago in (*ages, period):  # the last is one day too old
        add(ConsentKind.CONFIRMED, days_ago=days_ago, is_confirmed=True, paused=not days_ago)
    page = show(days)
    shown = page.context["chart"]["days"]
    assert (len(shown), shown[0]["day"]) == (bars, NOW.date() - timedelta(days=period - 1))
    joined = [bar["segments"][0]["count"] for bar in shown]
    assert page.context["change"] == sum(joined) == len(ages)
    stocks = [shown[0]["stock"], shown[-1]["stock"]]
    assert [*stocks, page.context["paused"]] == [1 + joined[0], len(ages) + 1, 1]


def test_origins_and_reasons_are_those_of_the_period() -> None:
    spring: dict[str, Any] = {"utm_source": "mast", "utm_campaign": "spring"}
    add(**spring, referrer="forum.example", confirmed=True)
    add(**spring)
    add(referrer="forum.example", confirmed=True)
    add(is_imported=True)
    for days_ago in (0, 30):
        add(ConsentKind.EXPLAINED, reason=LeavingReason.TOO_MANY, days_ago=days_ago)
    context = show().context
    names = ("origin", "utm_campaign", "is_imported", "added", "subscribed", "rate")
    assert [[origin[name] for name in names] for origin in context["origins"]] == [
        ["mast", "spring", False, 2, 1, 50],
        ["", "", False, 1, 0, 0],
        ["forum.example", "", False, 1, 1, 100],
        ["", "", True, 1, 0, 0],
    ]
    assert [count for _reason, count in context["reasons"]] == [1, 0, 0, 0]


def test_day_is_that_of_the_site(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    add(ConsentKind.CONFIRMED, at=datetime(2025, 5, 29, 22, 30, tzinfo=UTC), is_confirmed=True)
    assert list(read_bars(show())) == [date(2025, 5, 30)]


def test_chart_stacks_gains_above_the_axis_and_losses_below_and_ends_at_round_numbers() -> None:
    days = {date(2025, 6, 30): [3, 2], date(2025, 7, 1): [3, -2]}
    chart = draw_bars(["Came", "Left"], days, stock=100)
    assert (chart["top"], chart["height"], chart["is_empty"]) == (6, 8, False)
    assert chart["axis"] == {6: 0, 4: 25, 2: 50, 0: 75, -2: 100}
    assert draw_bars(["Left"], {date(2025, 7, 1): [-3]}, stock=0)["axis"] == {0: 0, -1: 33, -2: 67, -3: 100}
    assert [bar["stock"] for bar in chart["days"]] == [99, 100]
    bars = [[(part["y"], part["height"]) for part in bar["segments"]] for bar in chart["days"]]
    assert bars == [[(3, 3), (1, 2)], [(3, 3), (6, 2)]]
    assert [round_up_axis(highest) for highest in (0, 5, 10, 13, 2001)] == [4, 8, 12, 20, 4000]


def test_bar_is_cut_off_only_if_it_towers_over_the_others() -> None:
    for highest, expected in ((121, [40, [0, 121, 0]]), (120, [120, [0, 0, 0]])):
        days = {date(2025, 7, day): [count] for day, count in enumerate((40, highest, 20), 1)}
        chart = draw_bars(["Joined"], days, stock=600)
        assert [chart["top"], [bar["cut"] for bar in chart["days"]]] == expected
