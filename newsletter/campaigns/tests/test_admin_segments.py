"""The pages of segments, their numbers, and segments in the list of subscribers and the editor."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.campaigns.admin.segments import SegmentForm
from newsletter.campaigns.models import CampaignState, Segment
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.imports.models import ImportBatch
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.admin.tests.test_exports import export, read_file

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/segment/"
SUBSCRIBERS = "/admin/newsletter/subscription/"
CAMPAIGNS = "/admin/campaigns/campaign/"


def get_path(segment: Segment, name: str = "change") -> str:
    return f"{LIST}{segment.pk}/{name}/"


def read_total(response: Any) -> str:
    found = re.search(r"<strong>(.*?)</strong> <span>recipient", response.content.decode())
    assert found
    return found[1]


@pytest.mark.parametrize(("group", "status"), [("Editors", 403), ("Managers", 302)])
def test_segment_of_a_scheduled_campaign_is_changed_by_who_may_send_it(group: str, status: int) -> None:
    segment = Segment.objects.create(name="Czech", language="cs")
    CampaignFactory(segment=segment, state=CampaignState.SCHEDULED, scheduled_at=timezone.now())
    response = group_client(group).post(get_path(segment), {"name": "Czech", "language": ""})
    assert response.status_code == status
    segment.refresh_from_db()
    assert bool(segment.language) is (status == 403)


def test_all_criteria_are_stored_and_described(admin_client: Client) -> None:
    campaign = CampaignFactory(name="June", state=CampaignState.SENT, started_at=timezone.now())
    batch = ImportBatch.objects.create(file_name="boat show.csv")
    interests = [InterestFactory(name_en="Regattas"), InterestFactory(name_en="Cruising")]
    values = {
        "name": "Everything",
        "user_type": "sailor",
        "language": "cs",
        "source": "imported",
        "subscribed_since": "2026-01-01",
        "subscribed_before": "2026-02-01",
        "utm_source": " Facebook ",
        "utm_medium": "CPC",
        "utm_campaign": "spring",
        "referrer": "WWW.facebook.com",
        "import_batch": str(batch.pk),
        "interests": [str(each.pk) for each in interests],
        "interest_match": "all",
        "min_invitations": "3",
        "received_campaign": str(campaign.pk),
    }
    assert admin_client.post(f"{LIST}add/", values).headers["Location"] == LIST
    segment = Segment.objects.get()
    page = admin_client.get(LIST).content.decode()
    for part in (
        "Audience: Sailors · Language: Čeština · Subscribed since: Jan\xa01,\xa02026",
        "Subscribed before: Feb\xa01,\xa02026 · Source: Imported",
        "UTM source: facebook · UTM medium: cpc · UTM campaign: spring · Referring site: www.facebook.com",
        "Import: boat show.csv · Got the campaign: June · Invited at least: 3",
        "Interests: Regattas, Cruising (all of them)",
    ):
        assert part in page
    (url,) = re.findall(r'class="reader-count".*?data-url="(.*?)"', page)  # a script loads the number
    assert read_total(admin_client.get(url)) == "0"
    assert "boat show.csv (" in admin_client.get(get_path(segment)).content.decode()
    viewed = staff_client("view_segment").get(get_path(segment)).content.decode()
    assert "<li>Audience: Sailors</li><li>Language: Čeština</li>" in viewed
    path = f"/admin/newsletter/interest/{interests[0].pk}/delete/"
    assert admin_client.post(path, {"post": "yes"}).status_code == 403  # it would have more readers
    assert admin_client.post(get_path(segment, "delete"), {"post": "yes"}).status_code == 302


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "Taken"}, "already exists"),
        # Without the value, the segment would have everybody.
        ({"referrer": "https://www.facebook.com/"}, "No link to the site has this value."),
        ({"received_campaign": "999"}, "Select a valid choice."),
    ],
)
def test_bad_value_is_refused_with_a_message(values: dict[str, str], message: str) -> None:
    Segment.objects.create(name="Taken")
    form = SegmentForm({"name": "New", "interest_match": "any", **values})
    assert message in str(form.errors)


def test_number_follows_the_form_without_storing_anything(admin_client: Client) -> None:
    SubscriptionFactory(confirmed=True, language="cs").interests.add(racing := InterestFactory())
    SubscriptionFactory(confirmed=True)
    SubscriptionFactory()
    for values, total in (
        ({}, "2"),
        ({"interests": [racing.pk], "interest_match": "all"}, "1"),
        ({"language": "cs", "name": "", "interests": ["x"], "subscribed_since": "?"}, "1"),
    ):
        assert read_total(admin_client.post(f"{LIST}count/", values)) == total
    segment = Segment.objects.create(name="Czech", language="cs")
    assert read_total(admin_client.post(get_path(segment, "count"), {"language": ""})) == "2"
    assert read_total(admin_client.get(get_path(segment, "count"))) == "1"
    assert admin_client.get(f"{LIST}{9**30}/count/").status_code == 404


def test_list_and_export_of_subscribers_have_the_segment(admin_client: Client) -> None:
    for language in ("en", "cs"):
        SubscriptionFactory(email=f"{language}@example.com", language=language)
    query = f"?segment={Segment.objects.create(name='Czech', language='cs').pk}"
    assert admin_client.get(f"{SUBSCRIBERS}?segment=").context["cl"].result_count == 2
    assert [row.email for row in admin_client.get(SUBSCRIBERS + query).context["cl"].result_list] == [
        "cs@example.com"
    ]
    assert [row["email"] for row in read_file(export(admin_client, query=query))] == ["cs@example.com"]
    for unknown in ("0", "-1", "9" * 30):
        for path in (SUBSCRIBERS, f"{SUBSCRIBERS}export/"):
            assert admin_client.get(f"{path}?segment={unknown}").status_code == 404


def test_campaign_goes_to_the_segment_that_the_editor_chose(admin_client: Client) -> None:
    SubscriptionFactory(confirmed=True, utm_source="mast")
    SubscriptionFactory(confirmed=True)
    segment = Segment.objects.create(name="From masts", utm_source="mast")
    assert read_total(admin_client.post(f"{CAMPAIGNS}audience/", {"segment": segment.pk})) == "1"
    admin_client.post(f"{CAMPAIGNS}add/", {"name": "June", "segment": segment.pk})
    assert "in the segment “From masts”" in admin_client.get(CAMPAIGNS).content.decode()
    admin_client.post(f"{CAMPAIGNS}{segment.campaigns.get().pk}/duplicate/")
    assert segment.campaigns.count() == 2
