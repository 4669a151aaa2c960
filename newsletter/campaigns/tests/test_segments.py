"""Who is in a segment, and what a campaign does with it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ProtectedError
from django.utils import timezone

from newsletter.campaigns import jobs, services
from newsletter.campaigns.audience import (
    AudienceCount,
    count_audience,
    count_segment,
    filter_by_segment,
    select_recipients,
)
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    InterestMatch,
    Segment,
    SourceFilter,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, send_now
from newsletter.models import Interest, Source, Subscription, UserType
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.django_db

BOTH = ("en", "cs")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def add(name: str, **values: Any) -> Subscription:
    """Store a confirmed subscriber, by default one whom no criterion of these tests fits."""
    values = {"confirmed": True, "created_at": NEW_YEAR, **values}
    subscription: Subscription = SubscriptionFactory(email=f"{name}@example.com", **values)
    return subscription


def list_names(segment: Segment) -> set[str]:
    found = filter_by_segment(Subscription.objects.all(), segment).values_list("email", flat=True)
    assert len(found) == len(set(found))
    return {email.partition("@")[0] for email in found}


def make_segment(*interests: Interest, **values: Any) -> Segment:
    segment = Segment.objects.create(name=f"Segment {Segment.objects.count()}", **values)
    segment.interests.set(interests)
    return segment


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        ({}, "plain company czech landing imported facebook forum batch"),
        ({"user_type": UserType.COMPANY}, "company"),
        ({"language": "cs"}, "czech"),
        ({"source": SourceFilter.LANDING_SAILORS}, "landing"),
        ({"source": SourceFilter.IMPORTED}, "imported batch"),
        ({"source": SourceFilter.OTHER}, "plain company czech facebook forum"),
        ({"subscribed_since": date(2026, 5, 1)}, "company czech"),
        ({"subscribed_before": date(2026, 5, 1)}, "plain landing imported facebook forum batch"),
        ({"subscribed_since": date(2026, 5, 1), "subscribed_before": date(2026, 5, 2)}, "company"),
        ({"utm_source": "facebook"}, "facebook"),
        ({"utm_medium": "cpc"}, "facebook"),
        ({"utm_campaign": "spring"}, "facebook forum"),
        ({"referrer": "forum.example"}, "forum"),
        ({"utm_campaign": "spring", "referrer": "forum.example"}, "forum"),
        ({"utm_source": "face"}, ""),
    ],
)
def test_each_criterion_narrows_the_segment(criteria: dict[str, Any], expected: str) -> None:
    add("plain")
    add("company", user_type=UserType.COMPANY, created_at=datetime(2026, 5, 1, tzinfo=UTC))
    add("czech", language="cs", created_at=datetime(2026, 5, 2, tzinfo=UTC))
    add("landing", source=Source.LANDING_SAILORS)
    add("imported", is_imported=True)
    add("facebook", utm_source="facebook", utm_medium="cpc", utm_campaign="spring")
    add("forum", utm_campaign="spring", referrer="forum.example")
    batch = apps.get_model("imports", "ImportBatch").objects.create(file_name="boat show.csv")
    add("batch", is_imported=True, import_batch=batch)
    assert list_names(make_segment(**criteria)) == set(expected.split())
    assert list_names(make_segment(import_batch=batch)) == {"batch"}


@pytest.mark.parametrize(
    ("wanted", "match", "expected"),
    [
        ("", "", "none racer cruiser both"),
        ("racing", InterestMatch.ANY, "racer both"),
        ("racing", InterestMatch.ALL, "racer both"),
        ("racing cruising", InterestMatch.ANY, "racer cruiser both"),
        ("racing cruising", InterestMatch.ALL, "both"),
        ("racing cruising boats", InterestMatch.ALL, ""),
        # All that it named are gone.
        ("", InterestMatch.ANY, ""),
        ("", InterestMatch.ALL, ""),
    ],
)
def test_interests_are_any_or_all(wanted: str, match: str, expected: str) -> None:
    known = {name: InterestFactory(name_en=name) for name in ("racing", "cruising", "boats")}
    add("none")
    add("racer").interests.set([known["racing"]])
    add("cruiser").interests.set([known["cruising"]])
    add("both").interests.set([known["racing"], known["cruising"]])
    chosen = [known[name] for name in wanted.split()]
    assert list_names(make_segment(*chosen, interest_match=match)) == set(expected.split())
    # As the form counts them, which stores nothing.
    counts = count_segment(Segment(interest_match=match), chosen)
    assert sum(each.count for each in counts) == len(expected.split())


@pytest.mark.parametrize("match", InterestMatch)
def test_interest_counts_for_a_later_subscription_of_the_address(match: InterestMatch) -> None:
    racing, cruising = InterestFactory.create_batch(2)
    add("both").interests.set([racing, cruising])
    add("both", user_type=UserType.COMPANY)
    add("other", user_type=UserType.COMPANY)
    segment = make_segment(racing, cruising, interest_match=match, user_type=UserType.COMPANY)
    assert list_names(segment) == {"both"}
    assert count_segment(segment) == [AudienceCount("company", "en", 1)]
    everybody = make_segment(racing, cruising, interest_match=match)
    assert count_segment(everybody) == [AudienceCount("sailor", "en", 1)]


@pytest.mark.parametrize(
    ("state", "has_got"),
    [
        (DeliveryState.SENT, True),
        (DeliveryState.SENDING, True),
        (DeliveryState.UNKNOWN, True),
        (DeliveryState.WAITING, False),
        (DeliveryState.SKIPPED, False),
        (DeliveryState.FAILED, False),
    ],
)
def test_who_got_a_campaign_and_who_did_not(state: DeliveryState, has_got: bool) -> None:
    campaign = CampaignFactory(state=CampaignState.SENT)
    DeliveryFactory(campaign=campaign, subscription=add("reader"), state=state)
    DeliveryFactory(subscription=add("reader of another"), state=DeliveryState.SENT)
    others = {"reader of another"}
    got, missed = make_segment(received_campaign=campaign), make_segment(missed_campaign=campaign)
    assert list_names(got) == ({"reader"} if has_got else set())
    assert list_names(missed) == others | (set() if has_got else {"reader"})


@pytest.mark.parametrize(("least", "expected"), [(1, "few many"), (3, "many"), (4, "")])
def test_who_has_invited_enough(least: int, expected: str) -> None:
    inviters = apps.get_model("invitations", "Inviter").objects
    for name, number in (("none", 0), ("few", 1), ("many", 3)):
        inviters.create(subscription=add(name), mailbox=name, joined_at=NEW_YEAR, counted=number)
    add("other")
    assert list_names(make_segment(min_invitations=least)) == set(expected.split())
    # An address in both audiences has one link.
    add("many", user_type=UserType.COMPANY)
    companies = make_segment(min_invitations=least, user_type=UserType.COMPANY)
    assert list_names(companies) == ({"many"} if least < 4 else set())


def test_copy_of_the_other_audience_counts_as_got() -> None:
    campaign = CampaignFactory(state=CampaignState.SENT)
    DeliveryFactory(campaign=campaign, subscription=add("both"), state=DeliveryState.SENT)
    add("both", user_type=UserType.COMPANY)
    companies = {"user_type": UserType.COMPANY}
    assert list_names(make_segment(received_campaign=campaign, **companies)) == {"both"}
    assert list_names(make_segment(missed_campaign=campaign, **companies)) == set()


def test_list_has_subscribers_of_every_state_and_a_campaign_confirmed_ones_only() -> None:
    add("good", language="cs")
    add("pending", language="cs", confirmed=False)
    add("gone", language="cs", unsubscribed=True)
    add("paused", language="cs", paused=True)
    add("english")
    segment = make_segment(language="cs")
    assert list_names(segment) == {"good", "pending", "gone", "paused"}
    assert count_segment(segment) == [AudienceCount("sailor", "cs", 1)]
    assert count_audience(Campaign(segment=segment), BOTH) == count_segment(segment)


def test_address_in_both_audiences_counts_once() -> None:
    add("both", language="cs")
    add("both", user_type=UserType.COMPANY, language="cs")
    assert count_segment(make_segment(language="cs")) == [AudienceCount("sailor", "cs", 1)]
    companies = make_segment(user_type=UserType.COMPANY)
    assert count_segment(companies) == [AudienceCount("company", "cs", 1)]
    assert count_audience(Campaign(segment=companies), BOTH) == count_segment(companies)


def test_fields_of_the_campaign_narrow_its_segment() -> None:
    first = CampaignFactory(state=CampaignState.CANCELLED)
    DeliveryFactory(campaign=first, subscription=add("got it", utm_source="mast"), state=DeliveryState.SENT)
    add("english", utm_source="mast")
    add("czech", utm_source="mast", language="cs")
    add("other", language="cs")
    segment = make_segment(utm_source="mast")

    def select(**values: Any) -> set[str]:
        found = select_recipients(Campaign(segment=segment, **values), BOTH).values_list("email", flat=True)
        return {email.partition("@")[0] for email in found}

    assert select() == {"got it", "english", "czech"}
    assert select(language="cs") == {"czech"}
    assert select(excluded_campaign=first) == {"english", "czech"}


def test_segment_of_a_campaign_is_not_deleted() -> None:
    segment = make_segment()
    CampaignFactory(segment=segment)
    with pytest.raises(ProtectedError):
        segment.delete()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step_rows", [1, 3, 100])
def test_campaign_fixes_the_recipients_of_its_segment(
    admin: Any, monkeypatch: pytest.MonkeyPatch, step_rows: int
) -> None:
    monkeypatch.setattr(jobs, "STEP_ROWS", step_rows)
    racing, cruising = InterestFactory.create_batch(2)
    for number in range(4):
        add(f"racer {number}").interests.set([racing, cruising])
        add(f"cruiser {number}").interests.set([cruising])
        add(f"racer {number}", user_type=UserType.COMPANY).interests.set([racing, cruising])
    campaign = CampaignFactory(segment=make_segment(racing, cruising, interest_match=InterestMatch.ALL))
    send_now(campaign, admin)
    run_pending_jobs()
    recipients = Delivery.objects.values_list("subscription__email", "subscription__user_type")
    assert sorted(recipients) == [(f"racer {number}@example.com", "sailor") for number in range(4)]
    # Later changes reach nobody.
    Segment.objects.update(interest_match="")
    run_pending_jobs()
    assert Delivery.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_segment_whose_interests_are_gone_when_a_campaign_begins_has_no_recipients(admin: Any) -> None:
    add("reader").interests.set([interest := InterestFactory()])
    campaign = CampaignFactory(segment=make_segment(interest, interest_match=InterestMatch.ALL))
    send_now(campaign, admin)
    interest.delete()
    run_pending_jobs()
    campaign.refresh_from_db()
    assert (campaign.recipient_count, Delivery.objects.count()) == (0, 0)


class TestLock:
    @pytest.mark.parametrize(
        ("state", "prepared", "sender", "other"),
        [
            (CampaignState.DRAFT, False, True, True),
            (CampaignState.SCHEDULED, False, True, False),
            (CampaignState.SENDING, False, False, False),
            (CampaignState.PAUSED, False, False, False),
            (CampaignState.SENDING, True, True, True),
            (CampaignState.SENT, True, True, True),
            (CampaignState.CANCELLED, False, True, True),
        ],
    )
    def test_who_may_change_the_segment_of_a_campaign(
        self, state: CampaignState, prepared: bool, sender: bool, other: bool
    ) -> None:
        segment = make_segment()
        CampaignFactory(state=state, segment=segment, prepared_at=timezone.now() if prepared else None)
        CampaignFactory(state=CampaignState.SENDING)
        for may_send, may_change in ((True, sender), (False, other)):
            assert (services.explain_segment_lock(segment, may_send=may_send) == "") is may_change


def test_day_begins_in_the_zone_of_the_site() -> None:
    add("last", created_at=datetime(2026, 4, 30, 23, 59, tzinfo=UTC))
    add("first", created_at=datetime(2026, 5, 1, tzinfo=UTC) + timedelta(seconds=1))
    segment = make_segment(subscribed_before=date(2026, 5, 1))
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        with timezone.override(zone):
            assert list_names(segment) == {"last"}
