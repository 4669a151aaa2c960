"""The operator's page in Django admin: who came, which mails wait or failed, what went wrong lately."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from accounts.models import User
from newsletter.models import Subscription
from sailing.models import Failure
from tests.mailbox import english_left

pytestmark = pytest.mark.django_db

PAGE = "/admin/operations/"


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)


def mail(status: int, *, ago: timedelta = timedelta(), scheduled: timedelta | None = None) -> Email:
    email = Email.objects.create(from_email="a@example.com", to=["jana@example.com"], subject="Welcome")
    now = timezone.now()
    Email.objects.filter(pk=email.pk).update(
        status=status, last_updated=now - ago, scheduled_time=now + scheduled if scheduled else None
    )
    return email


def failure(**values: object) -> Failure:
    now = timezone.now()
    given = {"event": "resolver_failed", "kind": "ValueError", "place": "newsletter/services.py:12 subscribe"}
    return Failure.objects.create(**given | {"times": 1, "first_at": now, "last_at": now} | values)


def admin_who_may(*codenames: str) -> Client:
    user = User.objects.create_user("staff@example.com", "fair winds 2025", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(user)
    return client


def shown(client: Client, address: str = PAGE) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def tiles(page: str) -> dict[str, int]:
    found = re.findall(r"<strong>(\d+)</strong> ([^<]+)</a>", page)
    return {label: int(number) for number, label in found}


class TestMails:
    def test_each_state_is_counted_and_leads_to_its_list(self, admin_client: Client) -> None:
        for status, times in ((STATUS.queued, 1), (STATUS.requeued, 2), (STATUS.failed, 3), (STATUS.sent, 4)):
            for _ in range(times):
                mail(status)
        mail(STATUS.sent, ago=timedelta(days=1, seconds=1))
        page = shown(admin_client)
        assert tiles(page) == {
            "waiting": 1,
            "waiting to be tried again": 2,
            "failed": 3,
            "sent in the last 24 hours": 4,
        }
        for status in (STATUS.queued, STATUS.requeued, STATUS.failed, STATUS.sent):
            assert f'href="/admin/post_office/email/?status={status}"' in page

    def test_those_that_failed_are_named_by_what_went_wrong_and_by_nobodys_address(
        self, admin_client: Client
    ) -> None:
        failed = mail(STATUS.failed)
        failed.logs.create(
            status=STATUS.failed, exception_type="SMTPRecipientsRefused", message="<jana@example.com>"
        )
        page = shown(admin_client)
        assert f'<a href="/admin/post_office/email/{failed.pk}/change/">Welcome</a>' in page
        assert "SMTPRecipientsRefused" in page
        assert "jana" not in page

    def test_a_mail_that_nobody_sends_is_an_alarm(self, admin_client: Client) -> None:
        mail(STATUS.queued, ago=timedelta(minutes=11))
        assert "No sender is at work, or one cannot keep up. Due since: June 30, 2025, 11:49 a.m." in shown(
            admin_client
        )

    @pytest.mark.parametrize(
        ("ago", "scheduled"),
        [
            (timedelta(minutes=9), None),  # just put in
            (timedelta(hours=5), timedelta(minutes=30)),  # tried, and due later
            (timedelta(hours=5), timedelta(minutes=-9)),
        ],
    )
    def test_one_that_is_not_due_is_none(
        self, admin_client: Client, ago: timedelta, scheduled: timedelta | None
    ) -> None:
        mail(STATUS.requeued, ago=ago, scheduled=scheduled)
        assert "No sender is at work" not in shown(admin_client)


class TestCharts:
    def test_subscribers_and_members_of_each_day(self, admin_client: Client) -> None:
        Subscription.objects.create(email="a@example.com", user_type="company")
        User.objects.create_user("b@example.com", "fair winds 2025")
        page = shown(admin_client)
        assert "<title>June 30, 2025: Sailor 0, Company 1</title>" in page
        assert "<title>June 30, 2025: Email verified 0, Not verified yet 1</title>" in page


class TestErrors:
    def test_each_tells_what_failed_where_how_often_and_for_which_request(self, admin_client: Client) -> None:
        failure(times=14, request_id="0a1b-2c")
        page = shown(admin_client)
        for text in ("ValueError", "resolver_failed", "newsletter/services.py:12 subscribe", "0a1b-2c"):
            assert text in page
        assert "14 times" in page

    def test_the_latest_comes_first(self, admin_client: Client) -> None:
        failure(kind="OldError", last_at=timezone.now() - timedelta(hours=1))
        failure(kind="NewError", place="b.py:1 f")
        page = shown(admin_client)
        assert page.index("NewError") < page.index("OldError")

    def test_without_any_it_says_so(self, admin_client: Client) -> None:
        assert "Nothing has gone wrong in the last 30 days." in shown(admin_client)


class TestWhoSees:
    def test_each_part_is_for_those_who_may_see_what_it_counts(self) -> None:
        failure()
        parts = {"Mails</h2>", "Sign-ups for the newsletter", "New members", "Last errors"}
        allowed = {
            "view_email": "Mails</h2>",
            "view_subscription": "Sign-ups for the newsletter",
            "view_user": "New members",
            "view_failure": "Last errors",
        }
        client = admin_who_may(*allowed)
        user = User.objects.get(email="staff@example.com")
        assert {part for part in parts if part in shown(client)} == parts
        for codename, part in allowed.items():
            user.user_permissions.set(Permission.objects.filter(codename=codename))
            assert {other for other in parts if other in shown(client)} == {part}

    def test_an_admin_who_may_see_nothing_of_it_is_refused_and_not_led_there(self) -> None:
        client = admin_who_may()
        assert client.get(PAGE).status_code == 403
        assert PAGE not in shown(client, "/admin/")

    def test_the_first_page_leads_there(self, admin_client: Client) -> None:
        assert f'href="{PAGE}"' in shown(admin_client, "/admin/")

    def test_who_is_no_admin_is_asked_to_sign_in(self, client: Client) -> None:
        assert client.get(PAGE).headers["Location"].startswith("/admin/login/")


def test_it_is_czech_for_who_reads_czech(admin_client: Client) -> None:
    mail(STATUS.queued, ago=timedelta(hours=1))
    failure()
    page = shown(admin_client, f"{PAGE}?lang=cs")
    assert "<h1>Provoz</h1>" in page
    assert not english_left(page, "accounts") + english_left(page, "newsletter")


def test_it_costs_the_same_however_much_there_is(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(30):
        mail(STATUS.failed)
        failure(place=f"a.py:{number} f")
        Subscription.objects.create(email=f"{number}@example.com", user_type="sailor")
    with django_assert_max_num_queries(8):  # two of them find out who asks
        shown(admin_client)
