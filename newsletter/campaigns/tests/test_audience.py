"""Who gets a campaign, and in which language."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from newsletter.campaigns.audience import (
    AudienceCount,
    count_audience,
    count_without_text,
    select_recipients,
)
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    DeliveryState,
    MissingLanguage,
    SourceFilter,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import Source, UserType
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

BOTH = ("en", "cs")


def select(campaign: Campaign, languages: tuple[str, ...] = BOTH) -> set[str]:
    return set(select_recipients(campaign, languages).values_list("email", flat=True))


def confirmed(name: str, **values: Any) -> None:
    SubscriptionFactory(email=f"{name}@example.com", confirmed=True, **values)


def test_only_confirmed_active_reachable_subscribers_get_it() -> None:
    confirmed("good")
    SubscriptionFactory()
    confirmed("opted-out", unsubscribed=True)
    confirmed("bounced", bounced=True)
    confirmed("inactive", is_active=False)
    confirmed("asked-again", asked_again_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert select(Campaign()) == {"good@example.com"}


def test_paused_subscribers_are_left_out_until_the_pause_ends() -> None:
    now = timezone.now()
    confirmed("paused", paused_until=now + timedelta(minutes=1))
    confirmed("back", paused_until=now - timedelta(minutes=1))
    assert select(Campaign()) == {"back@example.com"}
    assert count_audience(Campaign(), BOTH) == [AudienceCount("sailor", "en", 1)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"user_type": UserType.COMPANY}, "company"),
        ({"language": "cs"}, "czech"),
        ({"source": SourceFilter.LANDING_SAILORS}, "landing"),
        ({"source": SourceFilter.IMPORTED}, "imported"),
        ({"subscribed_since": date(2026, 5, 1)}, "new"),
    ],
)
def test_audience_is_narrowed(values: dict[str, Any], expected: str) -> None:
    old = {"created_at": datetime(2026, 4, 30, 23, 59, tzinfo=UTC)}
    confirmed("company", user_type=UserType.COMPANY, **old)
    confirmed("czech", language="cs", **old)
    confirmed("landing", source=Source.LANDING_SAILORS, **old)
    confirmed("imported", is_imported=True, **old)
    confirmed("new", created_at=datetime(2026, 5, 1, tzinfo=UTC))
    assert select(Campaign(**values)) == {f"{expected}@example.com"}


def test_time_zone_of_the_admin_does_not_change_the_audience() -> None:
    confirmed("old", created_at=datetime(2026, 4, 30, 23, 59, tzinfo=UTC))
    confirmed("new", created_at=datetime(2026, 5, 1, tzinfo=UTC))
    campaign = Campaign(subscribed_since=date(2026, 5, 1))
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        with timezone.override(zone):
            assert select(campaign) == {"new@example.com"}


def test_source_elsewhere_leaves_out_imported_subscribers() -> None:
    confirmed("site")
    confirmed("imported", is_imported=True)
    confirmed("landing", source=Source.LANDING_COMPANIES)
    assert select(Campaign(source=SourceFilter.OTHER)) == {"site@example.com"}


def test_subscribers_of_a_missing_language_get_the_other() -> None:
    confirmed("english")
    confirmed("czech", language="cs")
    campaign = Campaign(missing_language=MissingLanguage.OTHER)
    assert count_audience(campaign, ["en"]) == [AudienceCount("sailor", "en", 2, others=1)]


def test_subscribers_of_a_missing_language_are_left_out() -> None:
    confirmed("english")
    confirmed("czech", language="cs")
    campaign = Campaign(missing_language=MissingLanguage.LEAVE_OUT)
    assert select(campaign, ("en",)) == {"english@example.com"}


@pytest.mark.parametrize(
    ("languages", "values", "get_the_other", "are_left_out"),
    [
        (["en"], {}, 2, 1),  # who is in both audiences gets the English copy then
        (["cs"], {}, 1, 1),
        (["en"], {"user_type": UserType.COMPANY}, 0, 0),
        (["en"], {"language": "en"}, 0, 0),
        (["en"], {"language": "cs"}, 2, 2),
        (BOTH, {}, 0, 0),
        ([], {}, 0, 0),
    ],
)
def test_readers_without_a_text_in_their_language_are_counted(
    languages: Collection[str], values: dict[str, Any], get_the_other: int, are_left_out: int
) -> None:
    confirmed("english")
    confirmed("czech", language="cs")
    confirmed("both", language="cs")
    confirmed("both", user_type=UserType.COMPANY)
    SubscriptionFactory(language="cs")  # not confirmed

    def count(missing_language: str) -> int:
        campaign = Campaign(missing_language=missing_language, **values)
        return count_without_text(campaign, languages, count_audience(campaign, languages))

    assert count(MissingLanguage.OTHER) == get_the_other
    assert count(MissingLanguage.LEAVE_OUT) == are_left_out


def test_audience_is_counted_by_user_type_and_language() -> None:
    confirmed("one")
    confirmed("two")
    confirmed("czech", language="cs")
    confirmed("company", user_type=UserType.COMPANY, language="cs")
    assert count_audience(Campaign(), BOTH) == [
        AudienceCount("company", "cs", 1),
        AudienceCount("sailor", "cs", 1),
        AudienceCount("sailor", "en", 2),
    ]


def test_address_in_both_audiences_gets_the_copy_for_sailors() -> None:
    confirmed("both", language="cs")
    confirmed("both", user_type=UserType.COMPANY)
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
    confirmed("both", **sailor)
    confirmed("both", user_type=UserType.COMPANY)
    assert count_audience(Campaign(**values), BOTH) == [AudienceCount("company", "en", 1)]


def test_blank_texts_count_as_missing() -> None:
    campaign = CampaignFactory()
    assert campaign.list_languages() == ["en", "cs"]
    campaign.texts.filter(language="en").update(subject=" ", body="")
    assert campaign.list_languages() == ["cs"]


@pytest.mark.parametrize(
    ("state", "is_left_out"),
    [
        (DeliveryState.SENT, True),
        (DeliveryState.SENDING, True),
        (DeliveryState.UNKNOWN, True),
        (DeliveryState.WAITING, False),
        (DeliveryState.SKIPPED, False),
        (DeliveryState.FAILED, False),
    ],
)
def test_who_may_have_got_the_excluded_campaign_is_left_out(state: DeliveryState, is_left_out: bool) -> None:
    first = CampaignFactory(state=CampaignState.CANCELLED)
    reader = SubscriptionFactory(email="reader@example.com", confirmed=True)
    DeliveryFactory(campaign=first, subscription=reader, state=state)
    confirmed("new")
    rest = {"new@example.com"} | (set() if is_left_out else {"reader@example.com"})
    assert select(Campaign(excluded_campaign=first)) == rest


def test_mailbox_that_got_the_copy_for_sailors_does_not_get_the_one_for_companies() -> None:
    first = CampaignFactory(state=CampaignState.SENT)
    reader = SubscriptionFactory(email="reader@example.com", confirmed=True)
    confirmed("reader", user_type=UserType.COMPANY)
    DeliveryFactory(campaign=first, subscription=reader, state=DeliveryState.SENT)
    assert select(Campaign(excluded_campaign=first)) == set()


def test_who_got_any_campaign_of_a_chain_is_left_out() -> None:
    previous = None
    for name in ("first", "second", "third"):
        previous = CampaignFactory(state=CampaignState.CANCELLED, excluded_campaign=previous)
        reader = SubscriptionFactory(email=f"{name}@example.com", confirmed=True)
        DeliveryFactory(campaign=previous, subscription=reader, state=DeliveryState.SENT)
    confirmed("new")
    assert previous is not None
    assert select(Campaign(excluded_campaign=previous)) == {"new@example.com"}


def test_campaigns_that_leave_out_each_other_are_read_once() -> None:
    first = CampaignFactory(state=CampaignState.CANCELLED)
    second = CampaignFactory(state=CampaignState.CANCELLED, excluded_campaign=first)
    Campaign.objects.filter(pk=first.pk).update(excluded_campaign=second)
    confirmed("new")
    assert select(Campaign(excluded_campaign=second)) == {"new@example.com"}
