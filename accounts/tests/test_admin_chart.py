"""The chart of new members on the operator's page."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from accounts.admin import charts
from accounts.admin.charts import Mailbox
from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def member(name: str, *, days_ago: int = 0, is_verified: bool = False, is_staff: bool = False) -> None:
    user = User.objects.create(
        email=f"{name}@example.org", is_email_verified=is_verified, is_staff=is_staff, password="!"
    )
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - timedelta(days=days_ago))


def test_each_day_counts_who_has_verified_their_email_and_who_has_not(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    member("a", is_verified=True)
    member("b")
    member("c", days_ago=29, is_verified=True)
    member("d", days_ago=30)  # one day too old
    with django_assert_num_queries(1):
        drawn = charts.sign_ups()
    assert {day.index: [part.count for part in day.segments] for day in drawn.days if day.total} == {
        0: [1, 0],
        29: [1, 1],
    }
    assert drawn.totals == ((Mailbox.VERIFIED, 2), (Mailbox.UNVERIFIED, 1))


def test_an_admin_is_no_new_member() -> None:
    member("boss", is_staff=True)
    assert charts.sign_ups().is_empty
