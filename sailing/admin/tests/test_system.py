"""The page "System" of Django admin."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from newsletter.tests.factories import SubscriptionFactory
from sailing import __version__
from sailing.admin.tests.helpers import staff_client
from sailing.jobs.models import WORKER_PARTS, WorkerHeartbeat
from sailing.mail.models import MailState
from tests.mailbox import create_mail, english_left

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

PAGE = "/admin/system/"


@pytest.fixture(autouse=True)
def _waiting_mail(frozen_clock: None) -> None:
    now = timezone.now()
    for part in WORKER_PARTS:
        WorkerHeartbeat.objects.create(part=part, at=now)
    create_mail(next_attempt_at=now - timedelta(minutes=9))


def get_page(client: Client, query: str = "") -> str:
    page = client.get(PAGE + query).content.decode()
    return re.sub(r"\s+", " ", page.replace("\xa0", " "))


def read_rows(page: str) -> dict[str, list[str]]:
    """Return the texts of each problem, passed check and number, by its label."""
    rows = re.findall(r'<(?:th scope="row"|li|dt)><a href="[^"]+">([^<]+)</a>(.*?)</(?:tr|li|div)>', page)
    return {label: re.findall(r">([^<>]*[^<> ])<", rest) for label, rest in rows}


def test_problems_and_numbers_are_shown_and_passed_checks_folded(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(1001):
        create_mail(MailState.FAILED)
    SubscriptionFactory.create_batch(9)
    with django_assert_max_num_queries(36):
        page = get_page(admin_client)
    rows = read_rows(page)
    problem, minutes, badge = rows["Longest wait of an email"]
    assert problem.startswith("Emails wait.")
    assert (minutes, badge) == ("9 minutes", "Problem")
    folded = read_rows(page.partition("<details>")[2].partition("</details>")[0])
    assert {"Worker", "Longest wait of a campaign"} <= folded.keys()
    assert f"{len(folded)} checks passed" in page
    assert "Longest wait of an email" not in folded
    assert rows["Emails outside campaigns"] == ["waiting 1, sent 0, failed 1,001"]
    assert re.fullmatch(r"\d+(\.\d)? [KM]B", rows["Database"][0])
    assert f"Sailing {__version__}" in page


@pytest.mark.parametrize(
    ("codename", "label"), [("view_outboxemail", "Emails outside campaigns"), ("view_job", "Background jobs")]
)
def test_each_row_needs_the_permission_to_view_its_model(codename: str, label: str) -> None:
    rows = read_rows(get_page(staff_client(codename)))
    of_models = {"Members", "Subscribers", "Emails outside campaigns", "Background jobs"}
    assert of_models & rows.keys() == {label}


def test_page_is_translated_to_czech(admin_client: Client) -> None:
    page = get_page(admin_client, "?lang=cs")
    assert "<h1>Systém</h1>" in page
    assert not english_left(page, "accounts") + english_left(page, "newsletter")
