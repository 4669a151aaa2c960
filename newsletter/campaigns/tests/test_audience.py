"""Who is in an audience or a segment, and who gets a campaign in which language."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ProtectedError
from django.utils import timezone

from newsletter.campaigns import services
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
from newsletter.invitations.models import Invitation
from newsletter.models import Interest, Source, Subscription, UserType
from newsletter.tests.factories import InterestFactory, SubscriptionFactory

pytestmark = pytest.mark.django_db

BOTH = ("en", "cs")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def add(name: str, **values: Any) -> Subscription:
    """Store a confirmed subscriber, by default one whom no criterion of these tests fits."""
    values = {"confirmed": True, "created_at": NEW_YEAR, **values}
    subscription: Subscription = SubscriptionFactory(email=f"{name}@example.com", **values)
    return subscription


def select(campaign: Campaign, languages: Collection[str] = BOTH) -> set[str]:
    """Return the names of those who get a campaign."""
    found = select_recipients(campaign, languages).values_list("email", flat=True)
    return {email.partition("@")[0] for email in found}


def list_names(segment: Segment) -> set[str]:
    found = filter_by_segment(Subscription.objects.all(), segment).values_list("email", flat=True)
    assert len(found) == len(set(found))
    return {email.partition("@")[0] for email in found}


def make_segment(*interests: Interest, **values: Any) -> Segment:
    segment = Segment.objects.create(name=f"Segment {Segment.objects.count()}", **values)
    segment.interests.set(interests)
    return segment


# --- Recipients of a campaign ---------------------------------------------------------------------


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
    assert select(Campaign()) == {"good", "back"}
    assert count_audience(Campaign(), BOTH) == [AudienceCount("sailor", "en", 2)]


@pytest.mark.parametrize("written", ["en", "cs"])
def test_subscribers_of_a_missing_language_get_the_other_text(written: str) -> None:
    add("english")
    add("czech", language="cs")
    assert count_audience(Campaign(), [written]) == [AudienceCount("sailor", written, 2)]


def test_audience_is_counted_by_user_type_and_language() -> None:
    add("one")
    add("two")
    add("czech", language="cs")
    add("company", user_type=UserType.COMPANY, language="cs")
    assert count_audience(Campaign(), BOTH) == [
        AudienceCount("company", "cs", 1),
        AudienceCount("sailor", "cs", 1),
        AudienceCount("sailor", "en", 2),
    ]


def test_address_in_both_audiences_gets_the_copy_for_sailors() -> None:
    add("both", language="cs")
    add("both", user_type=UserType.COMPANY)
    assert count_audience(Campaign(), BOTH) == [AudienceCount("sailor", "cs", 1)]
    assert count_audience(Campaign(user_type=UserType.COMPANY), BOTH) == [AudienceCount("company", "en", 1)]


@pytest.mark.parametrize(
    ("sailor", "values"),
    [
        ({"unsubscribed": True}, {}),
        ({"language": "cs"}, {"language": "en"}),
        ({"source": Source.LANDING_SAILORS}, {"source": SourceFilter.OTHER}),
    ],
)
def test_subscription_that_does_not_get_it_leaves_the_copy_to_the_other(
    sailor: dict[str, Any], values: dict[str, Any]
) -> None:
    add("both", **sailor)
    add("both", user_type=UserType.COMPANY)
    assert count_audience(Campaign(**values), BOTH) == [AudienceCount("company", "en", 1)]


def test_blank_texts_count_as_missing() -> None:
    campaign = CampaignFactory()
    assert campaign.list_languages() == ["en", "cs"]
    campaign.texts.filter(language="en").update(subject=" ", body="")
    assert campaign.list_languages() == ["cs"]


def test_mailbox_that_may_have_got_the_excluded_campaign_is_left_out() -> None:
    first = CampaignFactory(state=CampaignState.CANCELLED)
    for state in DeliveryState:
        reader = add(state)
        DeliveryFactory(campaign=first, subscription=reader, state=state)
    add("sent", user_type=UserType.COMPANY)  # the copy for companies is in the same mailbox
    add("new")
    expected = {"new", "waiting", "skipped", "failed"}
    assert select(Campaign(excluded_campaign=first)) == expected


def test_who_got_any_campaign_of_a_chain_is_left_out() -> None:
    previous = None
    for name in ("first", "second", "third"):
        previous = CampaignFactory(state=CampaignState.CANCELLED, excluded_campaign=previous)
        reader = add(name)
        DeliveryFactory(campaign=previous, subscription=reader, state=DeliveryState.SENT)
    add("new")
    assert previous is not None
    assert select(Campaign(excluded_campaign=previous)) == {"new"}


def test_campaigns_that_leave_out_each_other_are_read_once() -> None:
    first = CampaignFactory(state=CampaignState.CANCELLED)
    second = CampaignFactory(state=CampaignState.CANCELLED, excluded_campaign=first)
    Campaign.objects.filter(pk=first.pk).update(excluded_campaign=second)
    add("new")
    assert select(Campaign(excluded_campaign=second)) == {"new"}


# --- Segments -------------------------------------------------------------------------------------

CRITERIA: list[tuple[dict[str, Any], str]] = [
    ({}, "plain company czech landing imported facebook forum batch"),
    ({"user_type": UserType.COMPANY}, "company"),
    ({"language": "cs"}, "czech"),
    ({"source": SourceFilter.LANDING_SAILORS}, "landing"),
    ({"source": SourceFilter.IMPORTED}, "imported batch"),
    ({"source": SourceFilter.OTHER}, "plain company czech facebook forum"),
    ({"subscribed_since": date(2026, 5, 1)}, "company czech"),
    ({"subscribed_since": date(2026, 5, 1), "subscribed_before": date(2026, 5, 2)}, "company"),
    ({"utm_source": "facebook"}, "facebook"),
    ({"utm_campaign": "spring", "referrer": "forum.example"}, "forum"),
    ({"utm_source": "face"}, ""),
]


def test_each_criterion_narrows_the_segment() -> None:
    add("plain")
    add("company", user_type=UserType.COMPANY, created_at=datetime(2026, 5, 1, tzinfo=UTC))
    add("czech", language="cs", created_at=datetime(2026, 5, 2, tzinfo=UTC))
    add("landing", source=Source.LANDING_SAILORS)
    add("imported", is_imported=True)
    add("facebook", utm_source="facebook", utm_medium="cpc", utm_campaign="spring")
    add("forum", utm_campaign="spring", referrer="forum.example")
    batch = apps.get_model("imports", "ImportBatch").objects.create(file_name="boat show.csv")
    add("batch", is_imported=True, import_batch=batch)
    for criteria, expected in [*CRITERIA, ({"import_batch": batch}, "batch")]:
        assert (criteria, list_names(make_segment(**criteria))) == (criteria, set(expected.split()))


INTERESTS = [
    ("", "", "none racer cruiser both"),
    ("racing", InterestMatch.ANY, "racer both"),
    ("racing", InterestMatch.ALL, "racer both"),
    ("racing cruising", InterestMatch.ANY, "racer cruiser both"),
    ("racing cruising", InterestMatch.ALL, "both"),
    ("racing cruising boats", InterestMatch.ALL, ""),
    # All that it named are gone.
    ("", InterestMatch.ANY, ""),
    ("", InterestMatch.ALL, ""),
]


def test_interests_are_any_or_all() -> None:
    known = {name: InterestFactory(name_en=name) for name in ("racing", "cruising", "boats")}
    add("none")
    add("racer").interests.set([known["racing"]])
    add("cruiser").interests.set([known["cruising"]])
    add("both").interests.set([known["racing"], known["cruising"]])
    for wanted, match, expected in INTERESTS:
        chosen = [known[name] for name in wanted.split()]
        found = list_names(make_segment(*chosen, interest_match=match))
        assert (wanted, match, found) == (wanted, match, set(expected.split()))
        # As the form counts them, which stores nothing.
        counts = count_segment(Segment(interest_match=match), chosen)
        assert sum(each.count for each in counts) == len(found)


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


def test_who_got_a_campaign_and_who_did_not() -> None:
    campaign = CampaignFactory(state=CampaignState.SENT)
    for state in DeliveryState:
        DeliveryFactory(campaign=campaign, subscription=add(state), state=state)
    DeliveryFactory(subscription=add("reader of another"), state=DeliveryState.SENT)
    got, missed = make_segment(received_campaign=campaign), make_segment(missed_campaign=campaign)
    assert list_names(got) == {"sent", "sending", "unknown"}
    assert list_names(missed) == {"waiting", "skipped", "failed", "reader of another"}


def test_who_has_invited_enough() -> None:
    for name, number in (("none", 0), ("few", 1), ("many", 3)):
        inviter = add(name)
        for each in range(number):
            invited = SubscriptionFactory(is_confirmed=True, confirmed_at=NEW_YEAR)
            Invitation.objects.create(
                subscription=invited, inviter=inviter, code=inviter.pk, mailbox=f"{name} {each}"
            )
    for least, expected in ((1, {"few", "many"}), (3, {"many"}), (4, set())):
        assert list_names(make_segment(min_invitations=least)) == expected
    add("many", user_type=UserType.COMPANY)
    assert list_names(make_segment(min_invitations=3, user_type=UserType.COMPANY)) == {"many"}


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
    assert select(Campaign(segment=segment)) == {"got it", "english", "czech"}
    assert select(Campaign(segment=segment, language="cs")) == {"czech"}
    assert select(Campaign(segment=segment, excluded_campaign=first)) == {"english", "czech"}


def test_segment_of_a_campaign_is_not_deleted() -> None:
    segment = make_segment()
    CampaignFactory(segment=segment)
    with pytest.raises(ProtectedError):
        segment.delete()


@pytest.mark.django_db(transaction=True)
def test_campaign_fixes_the_recipients_of_its_segment(admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "BATCH_SIZE", 3)
    racing, cruising = InterestFactory.create_batch(2)
    for number in range(4):
        add(f"racer {number}").interests.set([racing, cruising])
        add(f"cruiser {number}").interests.set([cruising])
        add(f"racer {number}", user_type=UserType.COMPANY).interests.set([racing, cruising])
    campaign = CampaignFactory(segment=make_segment(racing, cruising, interest_match=InterestMatch.ALL))
    send_now(campaign)
    while services.add_recipients():
        pass
    recipients = Delivery.objects.values_list("subscription__email", "subscription__user_type")
    assert sorted(recipients) == [(f"racer {number}@example.com", "sailor") for number in range(4)]
    # Later changes reach nobody.
    Segment.objects.update(interest_match="")
    services.add_recipients()
    assert Delivery.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_segment_whose_interests_are_gone_when_a_campaign_begins_has_no_recipients(admin: Any) -> None:
    add("reader").interests.set([interest := InterestFactory()])
    campaign = CampaignFactory(segment=make_segment(interest, interest_match=InterestMatch.ALL))
    send_now(campaign)
    interest.delete()
    services.add_recipients()
    campaign.refresh_from_db()
    assert (campaign.recipient_count, Delivery.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("state", "prepared", "sender", "other"),
    [
        (CampaignState.DRAFT, False, True, True),
        (CampaignState.SCHEDULED, False, True, False),
        (CampaignState.SENDING, False, False, False),
        (CampaignState.PAUSED, False, False, False),
        (CampaignState.SENDING, True, True, True),
        (CampaignState.CANCELLED, False, True, True),
    ],
)
def test_who_may_change_the_segment_of_a_campaign(
    state: CampaignState, prepared: bool, sender: bool, other: bool
) -> None:
    segment = make_segment()
    CampaignFactory(state=state, segment=segment, prepared_at=timezone.now() if prepared else None)
    CampaignFactory(state=CampaignState.SENDING)
    for may_send, may_change in ((True, sender), (False, other)):
        assert (services.explain_segment_lock(segment, may_send=may_send) == "") is may_change


def test_day_begins_in_the_zone_of_the_site() -> None:
    add("last", created_at=datetime(2026, 4, 30, 23, 59, tzinfo=UTC))
    add("first", created_at=datetime(2026, 5, 1, tzinfo=UTC) + timedelta(seconds=1))
    before = make_segment(subscribed_before=date(2026, 5, 1))
    since = make_segment(subscribed_since=date(2026, 5, 1))
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        with timezone.override(zone):
            assert (list_names(before), list_names(since)) == ({"last"}, {"first"})
