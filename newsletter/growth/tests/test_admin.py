"""The growth page of Django admin."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from time_machine import TimeMachineFixture

from newsletter.growth.models import DailyTotal, Measure
from sailing.admin.tests.helpers import group_client, staff_client
from tests.mailbox import english_left, text

pytestmark = pytest.mark.django_db

PAGE = "/admin/growth/dailytotal/"
TODAY = date(2027, 5, 31)


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(datetime(2027, 5, 31, 12, tzinfo=UTC), tick=False)


def add(measure: Measure, number: int, *, days_ago: int = 0, **values: Any) -> None:
    DailyTotal.objects.create(
        day=TODAY - timedelta(days=days_ago),
        measure=measure,
        count=number,
        **{"user_type": "sailor", "language": "en", "origin": "", "campaign": ""} | values,
    )


def show(client: Client | None = None, query: str = "") -> Any:
    return (client or staff_client("view_dailytotal")).get(f"{PAGE}{query}")


def test_figures_are_those_of_the_period() -> None:
    add(Measure.READERS, 100, days_ago=40)
    add(Measure.READERS, 110, days_ago=10)
    add(Measure.READERS, 120)
    add(Measure.READERS, 7, language="cs")
    add(Measure.WAITING, 5)
    add(Measure.SIGNED_UP, 20, days_ago=3)
    add(Measure.SIGNED_UP, 99, days_ago=30)  # one day too old
    add(Measure.COMPLETED, 15, days_ago=3)
    add(Measure.CONFIRMED, 400, days_ago=3)  # most were imported
    add(Measure.UNSUBSCRIBED, 2)
    growth = show().context["growth"]
    assert (growth.total.first, growth.total.last, growth.total.change) == (100, 127, 27)
    assert growth.total.waiting == 5
    assert growth.total.counts == {
        "signed_up": 20,
        "completed": 15,
        "confirmed": 400,
        "unsubscribed": 2,
        "undeliverable": 0,
    }
    assert growth.rate == 75
    assert [part.label for part in growth.parts if part.last] == ["Sailors, English", "Sailors, Čeština"]


def test_address_of_a_row_that_is_gone_leads_to_the_page() -> None:
    response = staff_client("view_dailytotal").get(f"{PAGE}999/change/")
    assert (response.status_code, response["Location"]) == (302, PAGE)


def test_day_without_a_count_shows_the_readers_of_the_day_before() -> None:
    add(Measure.READERS, 100, days_ago=40)
    add(Measure.READERS, 110, days_ago=10)
    bars = show().context["growth"].readers.days
    assert [bar.total for bar in bars] == [100] * 19 + [110] * 11


@pytest.mark.parametrize(("days", "bars", "bar_days"), [(31, 31, 1), (32, 16, 2), (65, 22, 3)])
def test_bars_of_a_long_period_stand_for_several_days(days: int, bars: int, bar_days: int) -> None:
    for days_ago in range(days):
        add(Measure.CONFIRMED, 1, days_ago=days_ago)
    growth = show(query=f"?since={TODAY - timedelta(days=days - 1)}&until={TODAY}").context["growth"]
    assert (len(growth.movements.days), growth.bar_days) == (bars, bar_days)
    assert growth.movements.days[-1].total == bar_days
    assert sum(bar.total for bar in growth.movements.days) == days


def test_origins_have_the_rate_of_their_sign_ups_in_the_language_of_the_admin() -> None:
    client = staff_client("view_dailytotal", "view_campaign_figures")
    client.cookies["django_language"] = "cs"
    assert text(show(client)).count("V tomto období není nic spočítáno.") == 3
    add(Measure.SIGNED_UP, 10, origin="mast", campaign="spring")
    add(Measure.COMPLETED, 4, origin="mast", campaign="spring", days_ago=1)
    add(Measure.SIGNED_UP, 3)
    add(Measure.READERS, 300)
    page = show(client)
    origins = [(each["origin"], each["campaign"], each["rate"]) for each in page.context["growth"].origins]
    assert origins == [("mast", "spring", 40), ("", "", 0)]
    assert english_left(text(page), "newsletter") == []


def test_only_the_largest_origins_are_shown() -> None:
    for number in range(1, 61):
        add(Measure.SIGNED_UP, number, origin=f"place {number}")
    page = show()
    assert [each["signed_up"] for each in page.context["origins"]] == list(range(60, 10, -1))
    assert "The 50 with the most sign-ups." in text(page)


def test_change_begins_with_the_first_count() -> None:
    add(Measure.READERS, 5000, days_ago=4)
    add(Measure.READERS, 5010)
    page = show()
    growth = page.context["growth"]
    assert (growth.total.first, growth.total.change) == (5000, 10)
    assert [bar.total for bar in growth.readers.days] == [0] * 25 + [5000] * 4 + [5010]
    assert "Readers are counted since May 27, 2027." in text(page)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("?since=2027-05-31&until=2027-05-01", "The first day is after the last one."),
        ("?since=2001-01-01&until=2027-05-01", "Please choose at most ten years."),
        ("?since=soon&until=2027-05-01", "Enter a valid date."),
        ("?since=2027-05-01", "This field is required."),
    ],
)
def test_bad_period_is_refused_with_a_reason(query: str, message: str) -> None:
    page = show(query=query)
    assert page.status_code == 422
    assert message in text(page)


@pytest.mark.parametrize(("group", "status"), [("Managers", 200), ("Viewers", 200), ("Editors", 403)])
def test_page_and_file_need_the_permission(group: str, status: int) -> None:
    client = group_client(group)
    assert (client.get(PAGE).status_code, client.get(f"{PAGE}export/").status_code) == (status, status)


def test_file_has_the_totals_of_the_period() -> None:
    add(Measure.SIGNED_UP, 10, origin="mast", campaign="spring")
    add(Measure.SIGNED_UP, 9, days_ago=30)
    response = staff_client("view_dailytotal").get(f"{PAGE}export/")
    assert (
        response.headers["Content-Disposition"] == 'attachment; filename="growth-2027-05-02-2027-05-31.csv"'
    )
    lines = b"".join(response).decode("utf-8-sig").splitlines()
    assert lines == [
        '"day","measure","user_type","language","origin","campaign","count"',
        '"2027-05-31","signed-up","sailor","en","mast","spring","10"',
    ]
