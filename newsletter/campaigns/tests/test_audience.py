"""Who is in a segment, who gets a campaign in which language, and the pages of segments."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import models
from newsletter.campaigns.admin.segments import SegmentForm
from newsletter.campaigns.audience import count_audience, count_segment, filter_by_segment, select_audience
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.imports.models import ImportBatch
from newsletter.invitations.models import Invitation
from newsletter.models import Source, Subscription, UserType
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from sailing.admin.tests.helpers import export, group_client

pytestmark = pytest.mark.django_db

BOTH = ("en", "cs")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
MAY_1, MAY_2 = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 2, tzinfo=UTC)
COMPANY = {"user_type": UserType.COMPANY}


def add(name: str, **values: Any) -> Subscription:
    """Store a confirmed subscriber, by default one whom no criterion of these tests fits."""
    values = {"confirmed": True, "created_at": NEW_YEAR, **values}
    return SubscriptionFactory(email=f"{name}@example.com", **values)


def name_all(found: Any) -> set[str]:
    emails = found.values_list("email", flat=True)
    assert len(emails) == len(set(emails))
    return {email.partition("@")[0] for email in emails}


def list_names(segment: models.Segment) -> set[str]:
    return name_all(filter_by_segment(Subscription.objects.all(), segment))


def make_segment(*, interests: Any = (), **values: Any) -> models.Segment:
    segment = models.Segment.objects.create(name=f"Segment {models.Segment.objects.count()}", **values)
    segment.interests.set(interests)
    return segment


def test_only_confirmed_active_reachable_subscribers_get_it() -> None:
    now = timezone.now()
    add("good")
    add("unconfirmed", confirmed=False)
    add("opted-out", unsubscribed=True)
    add("bounced", bounced=True)
    add("inactive", is_active=False)
    add("asked-again", asked_again_at=now)
    add("paused", paused_until=now + timedelta(minutes=1))
    add("back", paused_until=now - timedelta(minutes=1))
    assert name_all(select_audience(models.Campaign(), BOTH)) == {"good", "back"}
    assert count_audience(models.Campaign(), BOTH) == [("sailor", "en", 2)]


def test_audience_is_counted_by_type_and_language() -> None:
    for name in ("one", "two"):
        add(name)
    for values in ({}, COMPANY):
        add(f"czech{len(values)}", language="cs", **values)
    for written, counts in (
        (BOTH, [("sailor", "en", 2), ("sailor", "cs", 1), ("company", "cs", 1)]),
        (("en",), [("sailor", "en", 3), ("company", "en", 1)]),  # who has no text gets the other
    ):
        assert count_audience(models.Campaign(), written) == counts
        assert count_audience(models.Campaign(**COMPANY), written) == counts[-1:]


@pytest.mark.parametrize(
    ("sailor", "values", "counts"),
    [
        ({}, {}, [("sailor", "en", 1)]),
        ({}, COMPANY, [("company", "en", 1)]),
        # Who does not get the copy for sailors gets that for companies.
        ({"unsubscribed": True}, {}, [("company", "en", 1)]),
        ({"language": "cs"}, {"language": "en"}, [("company", "en", 1)]),
        ({"source": Source.LANDING_SAILORS}, {"source": models.SourceFilter.OTHER}, [("company", "en", 1)]),
    ],
)
def test_address_in_both_audiences_gets_one_copy(sailor: Any, values: Any, counts: Any) -> None:
    add("both", **sailor)
    add("both", **COMPANY)
    segment = make_segment(**values)
    assert count_audience(models.Campaign(segment=segment), BOTH) == count_segment(segment) == counts


def test_mailbox_that_may_have_got_the_excluded_campaign_or_one_of_its_chain_is_left_out() -> None:
    first = CampaignFactory(state=models.CampaignState.CANCELLED)
    for state in models.DeliveryState:
        DeliveryFactory(campaign=first, subscription=add(state), state=state)
    add("sent", **COMPANY)  # the copy for companies is in the same mailbox
    add("new", language="cs")
    second = CampaignFactory(state=models.CampaignState.CANCELLED, excluded_campaign=first)
    DeliveryFactory(campaign=second, subscription=add("second"), state=models.DeliveryState.SENT)
    campaign = models.Campaign(excluded_campaign=second)
    assert name_all(select_audience(campaign, BOTH)) == {"new", "waiting", "skipped", "failed"}
    campaign.segment = make_segment(language="cs")
    assert name_all(select_audience(campaign, BOTH)) == {"new"}
    models.Campaign.objects.filter(pk=first.pk).update(excluded_campaign=second)  # no endless loop
    assert name_all(select_audience(campaign, BOTH)) == {"new"}


def invite(reader: Subscription, number: int) -> None:
    for each in range(number):
        invited = SubscriptionFactory(is_confirmed=True, confirmed_at=NEW_YEAR)
        values = {"subscription": invited, "code": reader.pk, "mailbox": f"{reader.pk} {each}"}
        Invitation.objects.create(inviter=reader, **values)


def test_each_criterion_narrows_the_segment() -> None:
    racing, cruising, _boats = InterestFactory.create_batch(3)
    batch = ImportBatch.objects.create(file_name="boat show.csv")
    add("plain")
    add("company", created_at=MAY_1, **COMPANY)
    add("czech", language="cs", created_at=MAY_2)
    add("landing", source=Source.LANDING_SAILORS)
    add("imported", is_imported=True)
    add("facebook", utm_source="facebook", utm_medium="cpc", utm_campaign="spring")
    add("forum", utm_campaign="spring", referrer="forum.example")
    add("batch", is_imported=True, import_batch=batch)
    add("racer").interests.set([racing])
    add("cruiser").interests.set([cruising])
    add("keen").interests.set([racing, cruising])
    everyone = "plain company czech landing imported facebook forum batch racer cruiser keen"
    all_of_them = {"interest_match": models.InterestMatch.ALL}
    criteria: list[tuple[dict[str, Any], str]] = [
        ({}, everyone),
        (COMPANY, "company"),
        ({"language": "cs"}, "czech"),
        ({"source": models.SourceFilter.LANDING_SAILORS}, "landing"),
        ({"source": models.SourceFilter.IMPORTED}, "imported batch"),
        ({"source": models.SourceFilter.OTHER}, "plain company czech facebook forum racer cruiser keen"),
        ({"subscribed_since": date(2026, 5, 1), "subscribed_before": date(2026, 5, 2)}, "company"),
        ({"utm_source": "facebook"}, "facebook"),
        ({"utm_campaign": "spring", "referrer": "forum.example"}, "forum"),
        ({"utm_source": "face"}, ""),
        ({"import_batch": batch}, "batch"),
        ({"interests": [racing], **all_of_them}, "racer keen"),
        ({"interests": [racing, cruising]}, "racer cruiser keen"),
        ({"interests": [racing, cruising], **all_of_them}, "keen"),
        (all_of_them, everyone),
    ]
    for values, expected in criteria:
        found = list_names(make_segment(**values))
        assert found == set(expected.split()), values
        # As the form counts them, which stores nothing.
        interests = values.pop("interests", [])
        counts = count_segment(models.Segment(**values), interests)
        assert sum(count for *_group, count in counts) == len(found)


def test_segment_of_who_has_invited_enough_or_got_a_campaign() -> None:
    for name, number in (("none", 0), ("few", 1), ("many", 3)):
        invite(add(name), number)
    for least, expected in ((1, {"few", "many"}), (3, {"many"}), (4, set())):
        assert list_names(make_segment(min_invitations=least)) == expected
    campaign = CampaignFactory(state=models.CampaignState.SENT)
    for state in models.DeliveryState:
        DeliveryFactory(campaign=campaign, subscription=add(state), state=state)
    DeliveryFactory(subscription=add("reader of another"), state=models.DeliveryState.SENT)
    assert list_names(make_segment(received_campaign=campaign)) == {"sent", "sending", "unknown"}


def test_what_holds_for_an_address_holds_for_both_of_its_subscriptions() -> None:
    reader = add("both")
    reader.interests.set(InterestFactory.create_batch(2))
    add("both", **COMPANY)
    add("other", **COMPANY)
    campaign = CampaignFactory(state=models.CampaignState.SENT)
    DeliveryFactory(campaign=campaign, subscription=reader, state=models.DeliveryState.SENT)
    invite(reader, 3)
    criteria: list[dict[str, Any]] = [
        *({"interests": reader.interests.all(), "interest_match": match} for match in models.InterestMatch),
        {"received_campaign": campaign},
        {"min_invitations": 3},
    ]
    for values in criteria:
        assert list_names(make_segment(**values, **COMPANY)) == {"both"}
        assert count_segment(make_segment(**values)) == [("sailor", "en", 1)]


LIST = "/admin/campaigns/segment/"
SUBSCRIBERS = "/admin/newsletter/subscription/"
CAMPAIGNS = "/admin/campaigns/campaign/"


def get_path(segment: models.Segment, name: str = "change") -> str:
    return f"{LIST}{segment.pk}/{name}/"


def read_total(response: Any) -> str:
    found = re.search(r"<strong>(.*?)</strong> <span>recipient", response.content.decode())
    assert found
    return found[1]


@pytest.mark.parametrize(("group", "status"), [("Editors", 403), ("Managers", 302)])
def test_segment_of_a_scheduled_campaign_is_changed_by_who_may_send_it(group: str, status: int) -> None:
    segment = models.Segment.objects.create(name="Czech", language="cs")
    CampaignFactory(segment=segment, state=models.CampaignState.SCHEDULED, scheduled_at=timezone.now())
    response = group_client(group).post(get_path(segment), {"name": "Czech", "language": ""})
    assert response.status_code == status
    segment.refresh_from_db()
    assert bool(segment.language) is (status == 403)


def test_all_criteria_are_stored_and_described(admin_client: Client) -> None:
    campaign = CampaignFactory(name="June", state=models.CampaignState.SENT, started_at=timezone.now())
    batch = ImportBatch.objects.create(file_name="boat show.csv")
    interests = [InterestFactory(name_en="Regattas"), InterestFactory(name_en="Cruising")]
    values: dict[str, Any] = {"name": "All", "user_type": "sailor", "language": "cs", "source": "imported"}
    values |= {"subscribed_since": "2026-01-01", "subscribed_before": "2026-02-01", "min_invitations": "3"}
    values |= {"utm_source": " Facebook ", "utm_medium": "CPC", "utm_campaign": "spring"}
    values |= {"referrer": "WWW.facebook.com", "import_batch": batch.pk, "received_campaign": campaign.pk}
    values |= {"interests": [each.pk for each in interests], "interest_match": "all"}
    assert admin_client.post(f"{LIST}add/", values).headers["Location"] == LIST
    segment = models.Segment.objects.get()
    page = admin_client.get(LIST).content.decode().replace("\xa0", " ")
    for part in (
        "Audience: Sailors · Language: Čeština · Subscribed since: Jan 1, 2026",
        "Subscribed before: Feb 1, 2026 · Source: Imported",
        "UTM source: facebook · UTM medium: cpc · UTM campaign: spring · Referring site: www.facebook.com",
        "Import: boat show.csv · Got the campaign: June · Invited at least: 3",
        "Interests: Regattas, Cruising (all of them)",
    ):
        assert "".join(f"<div>{each}</div>" for each in part.split(" · ")) in page
    (url,) = re.findall(r'class="reader-count".*?data-url="(.*?)"', page)  # a script loads the number
    assert read_total(admin_client.get(url)) == "0"
    page = admin_client.get(get_path(segment)).content.decode()
    assert "boat show.csv (" in page
    assert page.count(">Campaigns</a>") == 2  # in the menu and in the breadcrumbs
    path = f"/admin/newsletter/interest/{interests[0].pk}/delete/"
    assert admin_client.post(path, {"post": "yes"}).status_code == 403  # it would have more readers
    assert admin_client.post(get_path(segment, "delete"), {"post": "yes"}).status_code == 302


def test_bad_value_is_refused_with_a_message() -> None:
    models.Segment.objects.create(name="Taken")
    for values, message in (
        ({"name": "Taken"}, "already exists"),
        # Without the value, the segment would have everybody.
        ({"referrer": "https://www.facebook.com/"}, "No link to the site has this value."),
        ({"received_campaign": "999"}, "Select a valid choice."),
    ):
        assert message in str(SegmentForm({"name": "New", "interest_match": "any", **values}).errors)


def test_number_follows_the_form_and_segment_is_used_everywhere(admin_client: Client) -> None:
    czech = SubscriptionFactory(email="cs@example.com", confirmed=True, language="cs")
    czech.interests.add(racing := InterestFactory())
    SubscriptionFactory(confirmed=True)
    SubscriptionFactory()
    for values, total in (
        ({}, "2"),
        ({"interests": [racing.pk], "interest_match": "all"}, "1"),
        ({"language": "cs", "name": "", "interests": ["x"], "subscribed_since": "?"}, "1"),
    ):
        assert read_total(admin_client.post(f"{LIST}count/", values)) == total
    segment = models.Segment.objects.create(name="Czech", language="cs")
    assert read_total(admin_client.post(get_path(segment, "count"), {"language": ""})) == "2"
    assert read_total(admin_client.get(get_path(segment, "count"))) == "1"
    assert admin_client.get(get_path(segment)).context["criteria"] == ["Language: Čeština"]
    query = f"?segment={segment.pk}"
    assert admin_client.get(f"{SUBSCRIBERS}?segment=").context["cl"].result_count == 3
    assert admin_client.get(SUBSCRIBERS + query).context["cl"].result_list.get() == czech
    assert [row["email"] for row in export(admin_client, query)] == [czech.email]
    assert read_total(admin_client.post(f"{CAMPAIGNS}audience/", {"segment": segment.pk})) == "1"
    admin_client.post(f"{CAMPAIGNS}add/", {"name": "June", "segment": segment.pk})
    assert "in the segment “Czech”" in admin_client.get(CAMPAIGNS).content.decode()
    admin_client.post(f"{CAMPAIGNS}{segment.campaigns.get().pk}/duplicate/")
    assert segment.campaigns.count() == 2
