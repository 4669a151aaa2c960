"""The chart of sign-ups above the list."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from newsletter.admin import charts
from newsletter.models import UserType
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def sign_up(user_type: UserType, *, days_ago: int, times: int = 1) -> None:
    day = timezone.now() - timedelta(days=days_ago)
    SubscriptionFactory.create_batch(times, user_type=user_type, created_at=day)


def test_each_day_counts_each_user_type_in_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    sign_up(UserType.SAILOR, days_ago=0, times=3)
    sign_up(UserType.COMPANY, days_ago=0, times=2)
    sign_up(UserType.COMPANY, days_ago=29)
    sign_up(UserType.SAILOR, days_ago=30)  # one day too old
    with django_assert_num_queries(1):
        drawn = charts.sign_ups()
    assert [str(day.day) for day in (drawn.days[0], drawn.days[-1])] == ["2025-06-01", "2025-06-30"]
    assert len(drawn.days) == 30
    assert {day.index: [part.count for part in day.segments] for day in drawn.days if day.total} == {
        0: [0, 1],
        29: [3, 2],
    }
    assert drawn.totals == ((UserType.SAILOR, 3), (UserType.COMPANY, 3))


def test_the_first_moment_of_the_first_day_counts_and_the_one_before_does_not() -> None:
    midnight = timezone.now().replace(hour=0) - timedelta(days=29)
    SubscriptionFactory(created_at=midnight)
    SubscriptionFactory(created_at=midnight - timedelta(microseconds=1))
    assert charts.sign_ups().days[0].total == 1


def test_who_came_by_an_import_does_not_count() -> None:
    SubscriptionFactory(is_imported=True)
    assert charts.sign_ups().is_empty


def test_the_segments_of_a_day_stand_on_each_other_in_scale() -> None:
    sign_up(UserType.SAILOR, days_ago=0, times=3)
    sign_up(UserType.COMPANY, days_ago=0, times=2)
    drawn = charts.sign_ups()
    assert drawn.top == 6
    sailors, companies = drawn.days[-1].segments
    assert (sailors.y, sailors.height) == ("50.00", "50.00")
    assert (companies.y, companies.height) == ("16.67", "33.33")


def test_the_page_draws_it_and_tells_it_as_a_table(admin_client: Client) -> None:
    sign_up(UserType.SAILOR, days_ago=0, times=3)
    page = admin_client.get(LIST).content.decode()
    assert "<title>June 30, 2025: Sailor 3, Company 0</title>" in page
    assert re.search(r'<th scope="row">June 30, 2025</th>\s*<td>3</td><td>0</td>', page)
    assert 'class="chart-1" x="1.5" y="25.00" width="7" height="75.00"' in page


def test_its_numbers_are_numbers_in_czech_too(admin_client: Client) -> None:
    """Czech writes 12,5, and in SVG that is two numbers."""
    sign_up(UserType.SAILOR, days_ago=0, times=3)
    sign_up(UserType.COMPANY, days_ago=0, times=2)
    page = admin_client.get(f"{LIST}?lang=cs", follow=True).content.decode()
    sizes = re.findall(r' (?:x|y|width|height|viewBox)="([^"]*)"', page[page.index("<svg") :])
    assert "16.67" in sizes
    assert not [size for size in sizes if "," in size]


def test_without_sign_ups_it_says_so(admin_client: Client) -> None:
    sign_up(UserType.SAILOR, days_ago=40)
    page = admin_client.get(LIST).content.decode()
    assert "Nobody came in these days." in page
    assert '<svg viewBox="0 0 30 100"' not in page
