"""The bar charts of Django admin, with the two charts that the apps register."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from accounts.models import User
from accounts.tests.factories import MemberFactory
from newsletter.models import Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.charts import ChartData, charts, round_up_axis

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def subscribe(user_type: UserType, *, days_ago: int = 0, times: int = 1) -> None:
    day = timezone.now() - timedelta(days=days_ago)
    SubscriptionFactory.create_batch(times, user_type=user_type, created_at=day)


def sign_up(*, days_ago: int = 0, **values: bool) -> None:
    member = MemberFactory(**values)
    User.objects.filter(pk=member.pk).update(created_at=timezone.now() - timedelta(days=days_ago))


def counts_by_day(data: ChartData) -> dict[int, list[int]]:
    return {day.index: [segment.count for segment in day.segments] for day in data.days if day.total}


@pytest.mark.parametrize(("highest", "top"), [(0, 4), (5, 6), (10, 10), (11, 20), (2001, 4000)])
def test_axis_ends_at_a_round_number(highest: int, top: int) -> None:
    assert round_up_axis(highest) == top


def test_chart_counts_each_user_type_of_the_last_30_days_in_one_query(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    subscribe(UserType.SAILOR, times=3)
    subscribe(UserType.COMPANY, times=2)
    subscribe(UserType.COMPANY, days_ago=29)
    subscribe(UserType.SAILOR, days_ago=30)  # one day too old
    with django_assert_max_num_queries(1):
        data = charts[Subscription].draw()
    assert [str(day.day) for day in (data.days[0], data.days[-1])] == ["2025-06-01", "2025-06-30"]
    assert len(data.days) == 30
    assert counts_by_day(data) == {0: [0, 1], 29: [3, 2]}
    assert data.totals == ((UserType.SAILOR, 3), (UserType.COMPANY, 3))


def test_first_day_begins_at_midnight() -> None:
    midnight = timezone.now().replace(hour=0) - timedelta(days=29)
    SubscriptionFactory(created_at=midnight)
    SubscriptionFactory(created_at=midnight - timedelta(microseconds=1))
    assert charts[Subscription].draw().days[0].total == 1


def test_imported_subscribers_are_not_counted() -> None:
    SubscriptionFactory(is_imported=True)
    assert charts[Subscription].draw().is_empty


def test_new_members_are_counted_by_verification_and_without_admins() -> None:
    sign_up(is_email_verified=True)
    sign_up()
    sign_up(days_ago=29, is_email_verified=True)
    sign_up(is_staff=True)
    assert counts_by_day(charts[User].draw()) == {0: [1, 0], 29: [1, 1]}


def test_list_shows_the_chart_and_its_table(admin_client: Client) -> None:
    subscribe(UserType.SAILOR, times=3)
    subscribe(UserType.COMPANY, times=2)
    page = admin_client.get(LIST).content.decode()
    assert "<title>Jun\xa030,\xa02025: Sailor 3, Company 2</title>" in page
    assert re.search(r'<th scope="row">Jun\xa030,\xa02025</th>\s*<td>3</td><td>2</td>', page)
    assert 'class="chart-1" x=".15" y="3" width=".7" height="3"' in page
    assert 'class="chart-2" x=".15" y="1" width=".7" height="2"' in page


def test_numbers_in_svg_are_not_localized(admin_client: Client) -> None:
    subscriptions = SubscriptionFactory.build_batch(1001, user_type=UserType.SAILOR)
    Subscription.objects.bulk_create(subscriptions)
    page = admin_client.get(f"{LIST}?lang=cs", follow=True).content.decode()
    assert 'y="999" width=".7" height="1001"' in page


def test_chart_without_rows_says_so(admin_client: Client) -> None:
    subscribe(UserType.SAILOR, days_ago=40)
    page = admin_client.get(LIST).content.decode()
    assert "No sign-ups in the last 30 days." in page
    assert "<rect" not in page
