"""Early access, held invitations and milestones in Django admin."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from newsletter.invitations import services
from newsletter.invitations.models import HoldReason, Invitation, Inviter, Milestone, Review
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import Subscription
from sailing.admin import exports
from sailing.admin.tests.helpers import group_client, run_action, staff_client
from sailing.jobs.models import Job
from tests.jobs import run_pending_jobs
from tests.mailbox import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

ORDER = "/admin/invitations/inviter/"
LIST = "/admin/invitations/invitation/"
MILESTONES = "/admin/invitations/milestone/"
PAGES = (ORDER, LIST, MILESTONES)


@pytest.fixture
def anna() -> Subscription:
    return create_reader("anna@example.com")


def hold(reader: Subscription, number: int) -> list[Invitation]:
    found = [come(reader, f"friend{each}@example.com") for each in range(number)]
    Invitation.objects.update(review=Review.HELD, hold_reason=HoldReason.NETWORK)
    return [invitation for invitation in found if invitation]


def read(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return text(response)  # type: ignore[arg-type]


def test_list_is_in_the_order_of_early_access(admin_client: Client, anna: Subscription) -> None:
    eva = create_reader("eva@example.com", confirmed_at=timezone.now() - timedelta(days=99))
    hold(create_reader("petr@example.com"), 1)
    for number, reader in enumerate((anna, eva, eva)):
        come(reader, f"guest{number}@example.com")
    services.update_counts(after=0)
    page = read(admin_client, ORDER)
    assert 0 < page.index("eva@example.com") < page.index("anna@example.com")
    assert "petr" not in page
    assert "guest" not in page


def export(client: Client) -> list[dict[str, str]]:
    """Return the rows of the exported file."""
    page = read(client, f"{ORDER}export/")
    assert "Email, First name, Audience, Language, Came by the link" in page
    client.post(f"{ORDER}export/")
    run_pending_jobs()
    job = Job.objects.get(kind="export")
    response = client.get(f"{ORDER}export/{job.pk}/file/")
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.fixture
def counts() -> dict[str, int]:
    """Create readers, and return how many people each has brought."""
    numbers = {"one": 1, "two": 2, "three": 3}
    for name, number in numbers.items():
        reader = create_reader(f"{name}@example.com")
        for each in range(number):
            come(reader, f"friend-of-{name}-{each}@example.com")
    services.update_counts(after=0)
    return numbers


def test_export_has_the_numbers_of_everybody(admin_client: Client, counts: dict[str, int]) -> None:
    rows = export(admin_client)
    assert {row["email"].partition("@")[0]: int(row["counted"]) for row in rows} == counts
    assert {row["user_type"] for row in rows} == {"sailor"}


def test_export_has_each_reader_once_though_the_counts_change(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, counts: dict[str, int]
) -> None:
    read_page = exports._read_page

    def read_and_count(*arguments: Any) -> Any:
        page = read_page(*arguments)
        for inviter in Inviter.objects.all():  # who was last is first
            Inviter.objects.filter(pk=inviter.pk).update(counted=10 - inviter.counted)
        return page

    monkeypatch.setattr(exports, "STEP_ROWS", 1)
    monkeypatch.setattr(exports, "_read_page", read_and_count)
    emails = [row["email"].partition("@")[0] for row in export(admin_client)]
    assert sorted(emails) == sorted(counts)


def test_invitations_show_their_review_and_no_address(admin_client: Client, anna: Subscription) -> None:
    hold(anna, 2)
    page = read(admin_client, LIST)
    assert "anna@" not in page
    assert "friend" not in page
    assert page.count("Many from one network") >= 2
    assert page.count('<span class="badge badge-waiting">Held</span>') == 2
    assert "Past 7 days" in page
    assert "No date" not in page  # each has one
    Invitation.objects.update(review=Review.NONE)
    assert '<span class="quiet">Not needed</span>' in read(admin_client, LIST)


def test_page_joins_none_of_the_rows_before_it(
    admin_client: Client, anna: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = hold(anna, 5)
    for number, invitation in enumerate(found):
        Invitation.objects.filter(pk=invitation.pk).update(settled_at=timezone.now() - timedelta(days=number))
    monkeypatch.setattr(admin.site.get_model_admin(Invitation), "list_per_page", 2)
    with CaptureQueriesContext(connection) as queries:
        response = admin_client.get(f"{LIST}?p=2")
    assert [row.pk for row in response.context["cl"].result_list] == [each.pk for each in found[2:4]]
    skipping = [query["sql"] for query in queries if "OFFSET" in query["sql"]]
    assert len(skipping) == 1
    assert "JOIN" not in skipping[0]


def test_search_finds_the_invitations_of_a_link(admin_client: Client, anna: Subscription) -> None:
    hold(anna, 2)
    come(create_reader("eva@example.com"), "other@example.com")
    inviter = Inviter.objects.get(subscription=anna)
    for query, count in ((inviter.pk, 2), ("anna", 0)):
        assert admin_client.get(f"{LIST}?q={query}").context["cl"].result_count == count
    Inviter.objects.update(counted=1)
    assert f'href="{LIST}?q={inviter.pk}"' in read(admin_client, ORDER)
    page = read(staff_client("view_inviter"), ORDER)
    assert f'{inviter.pk} <span class="unit">number of the link' in page
    assert f'href="{LIST}' not in page


def test_home_page_names_what_is_held(admin_client: Client, anna: Subscription) -> None:
    assert "held until" not in read(admin_client, "/admin/")
    hold(anna, 2)
    assert "2 invitations are held until you accept or refuse them." in read(admin_client, "/admin/")
    for review, count in (("held", 2), ("", 0)):
        assert admin_client.get(f"{LIST}?review__exact={review}").context["cl"].result_count == count


def test_several_are_accepted_and_held_again(admin_client: Client, anna: Subscription) -> None:
    invitations = hold(anna, 3)
    assert run_action(admin_client, LIST, "accept", *invitations[:2]) == ["2 invitations were accepted."]
    assert Invitation.objects.counted().count() == 2
    assert run_action(admin_client, LIST, "hold", *invitations[:2]) == ["2 invitations are held again."]
    assert not Invitation.objects.counted().exists()


def test_accepting_leaves_what_was_refused_or_not_held(admin_client: Client, anna: Subscription) -> None:
    held, refused = hold(anna, 2)
    other = come(anna, "other@example.com")
    assert run_action(admin_client, LIST, "refuse", refused) == ["1 invitation was refused."]
    assert run_action(admin_client, LIST, "accept", held, refused, other) == [
        "1 invitation was accepted.",
        "2 invitations were left alone: it was not held, or this has been decided already.",
    ]
    refused.refresh_from_db()
    assert refused.review == Review.REFUSED


def test_milestone_is_added_in_both_languages(admin_client: Client) -> None:
    values = {"threshold": "3", "name_en": "Early access", "name_cs": "Přístup v první vlně"}
    assert admin_client.post(f"{MILESTONES}add/", values).status_code == 302
    assert '3 <span class="unit">people' in read(admin_client, MILESTONES)
    page = read(admin_client, f"{MILESTONES}{Milestone.objects.get().pk}/change/")
    assert "<h1>3 people</h1>" in page
    assert "for example: 3 · early access in the first wave" in page
    assert admin_client.post(f"{MILESTONES}add/", {**values, "threshold": "0"}).status_code == 200
    assert Milestone.objects.count() == 1


@pytest.mark.parametrize(
    ("group", "may_review", "may_export", "may_name"),
    [("Managers", True, True, True), ("Editors", False, False, True), ("Viewers", False, False, False)],
)
def test_groups(group: str, may_review: bool, may_export: bool, may_name: bool, anna: Subscription) -> None:
    hold(anna, 1)
    client = group_client(group)
    pages = {path: read(client, path) for path in PAGES}
    assert ('value="accept"' in pages[LIST]) is may_review
    assert ("held until" in read(client, "/admin/")) is may_review
    assert (client.get(f"{ORDER}export/").status_code == 200) is may_export
    assert (client.get(f"{MILESTONES}add/").status_code == 200) is may_name


def test_pages_are_hidden_from_other_admins_and_while_turned_off(
    admin_client: Client, settings: Settings, anna: Subscription
) -> None:
    hold(anna, 1)
    other = staff_client("view_subscription")
    assert [other.get(path).status_code for path in PAGES] == [403, 403, 403]
    settings.INVITATIONS = False
    assert [admin_client.get(path).status_code for path in PAGES] == [403, 403, 403]
    page = read(admin_client, "/admin/")
    assert "held until" not in page
    assert ORDER not in page
