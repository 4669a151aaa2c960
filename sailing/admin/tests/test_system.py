"""The page "System" of Django admin."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from time_machine import TimeMachineFixture

from newsletter.tests.factories import SubscriptionFactory
from sailing import __version__
from sailing.admin.tests.helpers import staff_client
from sailing.jobs.models import WORKER_PARTS, WorkerHeartbeat
from sailing.mail.models import MailState
from tests.mailbox import create_mail, english_left

pytestmark = pytest.mark.django_db

PAGE = "/admin/system/"


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2025-06-30T12:00:00+00:00", tick=False)
    for part in WORKER_PARTS:
        WorkerHeartbeat.objects.create(part=part, at=timezone.now())


def get_page(client: Client, path: str = PAGE) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode().replace("\xa0", " "))


def read_rows(page: str) -> dict[str, list[str]]:
    """Return the texts of each problem, passed check and number, by its label."""
    rows = re.findall(r'<(?:th scope="row"|li|dt)><a href="[^"]+">([^<]+)</a>(.*?)</(?:tr|li|div)>', page)
    return {label: re.findall(r">([^<>]*[^<> ])<", rest) for label, rest in rows}


def test_problems_are_shown_with_their_time_and_passed_checks_folded(admin_client: Client) -> None:
    now = timezone.now()
    create_mail(next_attempt_at=now - timedelta(minutes=9))
    create_mail(attempts=1, due_at=now - timedelta(hours=5), next_attempt_at=now + timedelta(minutes=30))
    page = get_page(admin_client)
    rows = read_rows(page)
    problem, minutes, badge = rows["Longest wait of an email"]
    assert problem.startswith("Emails wait.")
    assert (minutes, badge) == ("9 minutes", "Problem")
    folded = read_rows(page.partition("<details>")[2].partition("</details>")[0])
    assert {"Worker", "Longest wait of a campaign"} <= folded.keys()
    assert f"{len(folded)} checks passed" in page
    assert "Longest wait of an email" not in folded


def test_states_are_counted(admin_client: Client) -> None:
    create_mail()
    for _ in range(1001):
        create_mail(MailState.FAILED)
    SubscriptionFactory()
    page = get_page(admin_client)
    rows = read_rows(page)
    assert rows["Emails outside campaigns"] == ["waiting 1, sent 0, failed 1,001"]
    assert rows["Members"] == ["1"]
    assert re.fullmatch(r"\d+(\.\d)? [KM]B", rows["Database"][0])
    assert f"Sailing {__version__}" in page


@pytest.mark.parametrize(
    ("codename", "label"), [("view_outboxemail", "Emails outside campaigns"), ("view_job", "Background jobs")]
)
def test_each_row_needs_the_permission_to_view_its_model(codename: str, label: str) -> None:
    rows = read_rows(get_page(staff_client(codename)))
    of_models = {"Members", "Subscribers", "Emails outside campaigns", "Background jobs"}
    assert of_models & rows.keys() == {label}


def test_admin_without_permissions_is_refused_and_sees_no_link() -> None:
    client = staff_client("view_subscription")
    assert client.get(PAGE).status_code == 403
    assert PAGE not in get_page(client, "/admin/")


def test_page_is_translated_to_czech(admin_client: Client) -> None:
    create_mail(next_attempt_at=timezone.now() - timedelta(hours=1))
    page = get_page(admin_client, f"{PAGE}?lang=cs")
    assert "<h1>Systém</h1>" in page
    assert not english_left(page, "accounts") + english_left(page, "newsletter")


def test_number_of_queries_does_not_depend_on_the_rows(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    get_page(admin_client)  # the first visit also stores which database this is
    for _ in range(30):
        create_mail(MailState.FAILED)
        SubscriptionFactory()
    with django_assert_max_num_queries(35):
        get_page(admin_client)
