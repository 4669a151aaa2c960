"""The pages of segments, the live number, and segments in the list of subscribers and the editor."""

import re
from typing import Any
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns import audience
from newsletter.campaigns.admin import segments
from newsletter.campaigns.models import CampaignState, InterestMatch, Segment
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import UserType
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from sailing.admin.tests.test_exports import export, read_file

pytestmark = pytest.mark.django_db

LIST = "/admin/campaigns/segment/"
COUNT = f"{LIST}count/"
SUBSCRIBERS = "/admin/newsletter/subscription/"
EDITOR = "/admin/campaigns/campaign/add/"


def get_path(segment: Segment, name: str = "change") -> str:
    return f"{LIST}{segment.pk}/{name}/"


def read_total(html: str) -> str:
    found = re.search(r"<strong>(.*?)</strong>\s+recipient", html)
    assert found
    return found[1]


def load_count(client: Client, page: Any) -> str:
    """Return the number of a page as its script loads it, or its link without scripts."""
    (url,) = re.findall(r'<noscript><a href="(.*?)"', page.content.decode())
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def list_emails(client: Client, query: str) -> set[str]:
    response = client.get(f"{SUBSCRIBERS}?{query}")
    assert response.status_code == 200
    return {subscription.email for subscription in response.context["cl"].result_list}


def test_segment_is_made_changed_and_deleted() -> None:
    client = group_client("Editors")
    SubscriptionFactory(confirmed=True, language="cs")
    SubscriptionFactory(confirmed=True)
    saved = client.post(f"{LIST}add/", {"name": "Czech", "language": "cs"}, follow=True)
    segment = Segment.objects.get()
    assert saved.redirect_chain == [(get_path(segment), 302)]
    assert read_total(load_count(client, saved)) == "1"
    client.post(get_path(segment), {"name": "All", "language": ""})
    segment.refresh_from_db()
    assert (segment.name, segment.language) == ("All", "")
    client.post(get_path(segment, "delete"), {"post": "yes"})
    assert not Segment.objects.exists()
    assert LogEntry.objects.count() == 3


def test_viewers_read_segments_only() -> None:
    segment = Segment.objects.create(name="Czech companies", language="cs", user_type=UserType.COMPANY)
    client = group_client("Viewers")
    assert "Companies · Čeština" in client.get(LIST).content.decode()
    SubscriptionFactory(confirmed=True)
    response = client.get(get_path(segment))
    page = response.content.decode()
    assert "<li>Companies</li><li>Čeština</li>" in page
    assert "_save" not in page
    assert 'data-method="get"' in page
    assert read_total(load_count(client, response)) == "0"
    assert staff_client("view_campaign", email="other@example.com").get(LIST).status_code == 403
    for path in (f"{LIST}add/", get_path(segment), get_path(segment, "delete"), COUNT):
        assert client.post(path, {"name": "x", "post": "yes"}).status_code == 403
    assert Segment.objects.get().name == "Czech companies"


def test_all_criteria_are_stored_and_described(admin_client: Client) -> None:
    campaign = CampaignFactory(name="June", state=CampaignState.SENT, started_at=timezone.now())
    batch = apps.get_model("imports", "ImportBatch").objects.create(file_name="boat show.csv")
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
        "missed_campaign": str(campaign.pk),
    }
    assert admin_client.post(f"{LIST}add/", values).status_code == 302
    segment = Segment.objects.get()
    assert set(segment.interests.all()) == set(interests)
    page = admin_client.get(LIST).content.decode()
    for part in (
        "Sailors · Čeština · Imported · subscribed since Jan\xa01,\xa02026",
        "subscribed before Feb\xa01,\xa02026",
        "UTM source: facebook · UTM medium: cpc · UTM campaign: spring · referring site: www.facebook.com",
        "import of boat show.csv · interested in all of: Regattas, Cruising",
        "people invited: at least 3 · only those who got “June” · without those who got “June”",
    ):
        assert part in page
    assert "boat show.csv (" in admin_client.get(get_path(segment)).content.decode()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "Taken"}, "already exists"),
        ({"referrer": "https://www.facebook.com/"}, "No link to the site has this value."),
        ({"subscribed_since": "2026-02-01", "subscribed_before": "2026-02-01"}, "Choose a day after"),
        ({"min_invitations": "0"}, "greater than or equal to 1"),
        ({"received_campaign": "999"}, "Select a valid choice."),
    ],
)
def test_bad_value_is_refused_with_a_message(values: dict[str, str], message: str) -> None:
    Segment.objects.create(name="Taken")
    form = segments.SegmentForm({"name": "New", **values})
    assert message in str(form.errors)


def test_interests_are_a_criterion_once_there_are_some(admin_client: Client) -> None:
    assert "interest_match" not in admin_client.get(f"{LIST}add/").content.decode()
    InterestFactory(name_en="Regattas")
    InterestFactory(name_en="Cruising", is_offered=False)
    page = admin_client.get(f"{LIST}add/").content.decode()
    assert "Regattas" in page
    assert [name in page for name in ("Regattas (retired)", "Cruising (retired)")] == [False, True]


class TestCriterionThatIsNoLongerOffered:
    """A segment that has it keeps it: without it, it would have everybody."""

    @pytest.fixture(autouse=True)
    def _reader(self) -> None:
        SubscriptionFactory(confirmed=True)

    @staticmethod
    def rename(client: Client, segment: Segment) -> Segment:
        """Rename a segment as a browser does: with the fields that its page has."""
        page = client.get(get_path(segment))
        shown = [
            page.context["form"]["name"],
            *(field for _title, each in page.context["sections"] for field in each),
        ]
        values = {field.html_name: value for field in shown if (value := field.value()) is not None}
        live = client.post(re.findall(r'data-url="(.*?)"', page.content.decode())[0], values)
        assert read_total(live.content.decode()) == "0"
        assert client.post(get_path(segment), {**values, "name": "Renamed"}).status_code == 302
        return Segment.objects.get(name="Renamed")

    def test_invitations_stay_once_they_are_off(self, admin_client: Client, settings: Settings) -> None:
        assert "min_invitations" in admin_client.get(f"{LIST}add/").content.decode()
        settings.INVITATIONS = False
        assert "min_invitations" not in admin_client.get(f"{LIST}add/").content.decode()
        segment = Segment.objects.create(name="Inviters", min_invitations=3)
        assert self.rename(admin_client, segment).min_invitations == 3

    @pytest.mark.parametrize("match", InterestMatch)
    def test_segment_whose_interests_are_gone_stays_empty(
        self, admin_client: Client, match: InterestMatch
    ) -> None:
        segment = Segment.objects.create(name="Racers", interest_match=match)
        page = admin_client.get(get_path(segment)).content.decode()
        assert "The interests of this segment are gone." in page
        assert self.rename(admin_client, segment).interest_match == match
        # Without the fields, as from a page that was opened before.
        admin_client.post(get_path(segment), {"name": "Racers"})
        segment.refresh_from_db()
        assert (segment.name, segment.interest_match) == ("Racers", match)

    def test_interests_that_exist_can_be_removed_from_a_segment(self, admin_client: Client) -> None:
        segment = Segment.objects.create(name="Racers", interest_match=InterestMatch.ANY)
        segment.interests.add(InterestFactory())
        admin_client.post(get_path(segment), {"name": "Everybody", "interest_match": "any"})
        segment.refresh_from_db()
        assert (segment.interests.count(), segment.interest_match) == (0, "")


class TestLiveCount:
    @pytest.fixture(autouse=True)
    def _subscribers(self) -> None:
        self.racing, self.cruising = InterestFactory.create_batch(2)
        SubscriptionFactory(confirmed=True, language="cs").interests.add(self.racing)
        SubscriptionFactory(confirmed=True, language="cs").interests.add(self.racing, self.cruising)
        SubscriptionFactory(confirmed=True)
        SubscriptionFactory()

    def count(self, client: Client, **values: Any) -> str:
        response = client.post(COUNT, values)
        assert response.status_code == 200
        return read_total(response.content.decode())

    def test_number_follows_the_form_without_storing_anything(self, admin_client: Client) -> None:
        both = [self.racing.pk, self.cruising.pk]
        assert self.count(admin_client) == "3"
        assert self.count(admin_client, language="cs") == "2"
        assert self.count(admin_client, interests=[self.cruising.pk]) == "1"
        assert self.count(admin_client, interests=both, interest_match="any") == "2"
        assert self.count(admin_client, interests=both, interest_match="all") == "1"
        with_errors = {"name": "", "interests": ["x"], "subscribed_since": "?"}
        assert self.count(admin_client, language="cs", **with_errors) == "2"
        assert not Segment.objects.exists()

    def test_no_page_waits_for_a_number(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        segment = Segment.objects.create(name="Everybody")
        monkeypatch.setattr(audience, "_count", Mock(side_effect=AssertionError))
        for path in (get_path(segment), f"{LIST}add/", LIST, EDITOR):
            assert admin_client.get(path).status_code == 200

    def test_counts_are_limited(self, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(segments, "COUNT_RATE", "2/m")
        assert [admin_client.post(COUNT, {}).status_code for _number in range(3)] == [200, 200, 429]

    def test_number_of_an_unknown_segment_is_that_of_the_form(self, admin_client: Client) -> None:
        for value in ("0", "typo", "9" * 30):
            url = f"{COUNT}?segment={value}"
            assert admin_client.get(url).status_code == 404
            assert read_total(admin_client.post(url, {"language": "cs"}).content.decode()) == "2"

    def test_permissions_are_checked(self) -> None:
        for permission, got, posted in (("view_segment", 200, 403), ("add_segment", 403, 200)):
            client = staff_client(permission, email=f"{permission}@example.com")
            assert (client.get(COUNT).status_code, client.post(COUNT).status_code) == (got, posted)


class TestLock:
    def test_segment_of_a_scheduled_campaign_is_changed_by_admins_who_may_send(self) -> None:
        segment = Segment.objects.create(name="Czech", language="cs")
        CampaignFactory(state=CampaignState.SCHEDULED, segment=segment)
        editor = group_client("Editors")
        page = editor.get(get_path(segment)).content.decode()
        assert "only admins who may send campaigns can change it" in page
        assert "_save" not in page
        assert editor.post(get_path(segment), {"name": "Everybody"}).status_code == 403
        segment.refresh_from_db()
        assert (segment.name, segment.language) == ("Czech", "cs")

    def test_segment_is_locked_before_its_campaigns_are_looked_at(self, admin_client: Client) -> None:
        """A campaign that gets the segment meanwhile cannot begin until the segment is saved."""
        segment = Segment.objects.create(name="Czech", language="cs")
        with CaptureQueriesContext(connection) as queries:
            admin_client.post(get_path(segment), {"name": "Everybody"})
        assert Segment.objects.get().name == "Everybody"
        lock = "FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""
        sqls = [query["sql"] for query in queries]
        locks = [
            number for number, sql in enumerate(sqls) if 'FROM "campaigns_segment"' in sql and lock in sql
        ]
        checks = [number for number, sql in enumerate(sqls) if 'FROM "campaigns_campaign"' in sql]
        assert min(locks) < min(checks)

    def test_interest_of_a_segment_is_not_deleted(self, admin_client: Client) -> None:
        segment = Segment.objects.create(name="Racers", interest_match=InterestMatch.ANY)
        segment.interests.add(interest := InterestFactory())
        path = f"/admin/newsletter/interest/{interest.pk}/delete/"
        assert admin_client.post(path, {"post": "yes"}).status_code == 403


class TestSubscribers:
    def test_list_and_export_have_the_segment(self, admin_client: Client) -> None:
        racing = InterestFactory(name_en="Regattas")
        for language in ("en", "cs"):
            SubscriptionFactory(email=f"{language}@example.com", language=language).interests.add(racing)
        segment = Segment.objects.create(name="Czech", language="cs")
        query = f"segment={segment.pk}"
        assert list_emails(admin_client, "segment=") == {"en@example.com", "cs@example.com"}
        assert list_emails(admin_client, query) == {"cs@example.com"}
        assert "Segment: Czech" in admin_client.get(f"{SUBSCRIBERS}?{query}").content.decode()
        (row,) = read_file(export(admin_client, query=f"?{query}"))
        assert (row["email"], row["interest_names"]) == ("cs@example.com", "Regattas")

    @pytest.mark.parametrize("value", ["0", "typo", "-1", "9" * 30])
    def test_unknown_segment_shows_and_exports_nobody(self, admin_client: Client, value: str) -> None:
        SubscriptionFactory()
        for path in (SUBSCRIBERS, f"{SUBSCRIBERS}export/"):
            assert admin_client.get(f"{path}?segment={value}").headers["Location"] == f"{path}?e=1"


def test_campaign_goes_to_the_segment_that_the_editor_chose(admin_client: Client) -> None:
    SubscriptionFactory(confirmed=True, utm_source="mast")
    SubscriptionFactory(confirmed=True)
    segment = Segment.objects.create(name="From masts", utm_source="mast")
    live = admin_client.post("/admin/campaigns/campaign/audience/", {"segment": segment.pk})
    assert read_total(live.content.decode()) == "1"
    response = admin_client.post(EDITOR, {"name": "June", "segment": segment.pk})
    page = admin_client.get(response.headers["Location"])
    assert page.context["form"]["segment"].value() == segment.pk
    page = admin_client.get("/admin/campaigns/campaign/")
    assert "in the segment “From masts”" in page.content.decode()
    admin_client.post(response.headers["Location"].replace("change", "duplicate"))
    assert segment.campaigns.count() == 2
