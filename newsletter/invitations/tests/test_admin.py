"""Early access and milestones in Django admin."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.invitations.models import Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Subscription
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.jobs.models import Job
from tests.jobs import run_pending_jobs
from tests.mailbox import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ORDER = "/admin/invitations/inviter/"
MILESTONES = "/admin/invitations/milestone/"


@pytest.fixture
def numbers() -> dict[str, int]:
    """Create readers in the order of early access, and return how many people each has brought."""
    found = {"most": 3, "early": 1, "late": 1}
    for days, (name, number) in zip((1, 99, 2), found.items(), strict=True):
        reader = create_reader(f"{name}@example.com", confirmed_at=timezone.now() - timedelta(days=days))
        for each in range(number):
            come(reader, f"guest{each}-of-{name}@sailing.example")
    come(create_reader("fresh@example.com"), "fresh-guest@sailing.example", ago=timedelta())
    return found


def read(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return text(response)  # type: ignore[arg-type]


def list_emails(client: Client, query: str = "") -> list[str]:
    return [row.email for row in client.get(f"{ORDER}{query}").context["cl"].result_list]


def test_list_is_in_the_order_of_early_access(admin_client: Client, numbers: dict[str, int]) -> None:
    assert list_emails(admin_client) == [f"{name}@example.com" for name in numbers]
    page = read(admin_client, ORDER)
    assert 'data-label="Came through the link" class="field-people is-number">3<' in page
    assert "guest" not in page
    Subscription.objects.filter(email="most@example.com").update(is_active=False)
    assert "most@example.com" not in list_emails(admin_client)


def test_search_ignores_case(admin_client: Client, numbers: dict[str, int]) -> None:
    assert list_emails(admin_client, "?q=MOST@") == ["most@example.com"]


def test_export_has_the_numbers_of_everybody(admin_client: Client, numbers: dict[str, int]) -> None:
    admin_client.post(f"{ORDER}export/")
    run_pending_jobs()
    job = Job.objects.get(kind="export")
    response = admin_client.get(f"{ORDER}export/{job.pk}/file/")
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    assert {row["email"].partition("@")[0]: int(row["counted"]) for row in rows} == numbers


def test_milestone_is_added_in_both_languages(admin_client: Client) -> None:
    values = {"threshold": "3", "name_en": "Early access", "name_cs": "Přístup v první vlně"}
    assert admin_client.post(f"{MILESTONES}add/", values).status_code == 302
    assert '/change/">3</a>' in read(admin_client, MILESTONES)
    page = read(admin_client, f"{MILESTONES}{Milestone.objects.get().pk}/change/")
    assert "<h1>3 people</h1>" in page
    assert "for example: 3 · early access in the first wave" in page
    assert admin_client.post(f"{MILESTONES}add/", {**values, "threshold": "0"}).status_code == 200
    assert Milestone.objects.count() == 1


@pytest.mark.parametrize(
    ("group", "may_export", "may_name"),
    [("Managers", True, True), ("Editors", False, True), ("Viewers", False, False)],
)
def test_groups(group: str, may_export: bool, may_name: bool) -> None:
    client = group_client(group)
    assert [client.get(path).status_code for path in (ORDER, MILESTONES)] == [200, 200]
    assert (client.get(f"{ORDER}export/").status_code == 200) is may_export
    assert (client.get(f"{MILESTONES}add/").status_code == 200) is may_name
    other = staff_client("view_subscription", email="other@example.com")
    assert [other.get(path).status_code for path in (ORDER, MILESTONES)] == [403, 403]
