"""The audience of a campaign: which subscribers get it, and in which language."""

from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.conf import settings
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from newsletter.campaigns.models import Campaign, Delivery, DeliveryState, MissingLanguage, SourceFilter
from newsletter.models import State, Subscription, UserType

MAYBE_RECEIVED = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
"""The states of a delivery whose mail was sent, or may have been."""


@dataclass(frozen=True)
class AudienceCount:
    """The number of recipients of one user type. `language` is that of the text they get.

    `others`: how many of them read another language, in which there is no text.
    """

    user_type: str
    language: str
    count: int
    others: int = 0


def select_recipients(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscribers who get a campaign with texts in some languages, as they are now.

    An address that is subscribed in both audiences gets one copy, that for sailors.
    """
    found = select_audience(campaign, languages)
    if campaign.user_type:
        return found
    as_sailor = found.filter(email=OuterRef("email"), user_type=UserType.SAILOR)
    # As an exclusion of all other rows, PostgreSQL can run it as one anti join.
    return found.filter(~Exists(as_sailor.exclude(pk=OuterRef("pk"))))


def select_audience(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscriptions that a campaign is for; an address may have two.

    Each has the attribute `text_language`. Without any text, all languages count as written.
    """
    written = [language for language, _name in settings.LANGUAGES if language in languages or not languages]
    found = Subscription.objects.in_state(State.CONFIRMED)
    if campaign.missing_language == MissingLanguage.LEAVE_OUT:
        found = found.filter(language__in=written)
    if campaign.user_type:
        found = found.filter(user_type=campaign.user_type)
    if campaign.language:
        found = found.filter(language=campaign.language)
    if campaign.subscribed_since:
        # In the zone of the site, because the job that fixes the recipients does not know the admin's.
        begin = datetime.combine(campaign.subscribed_since, time.min, timezone.get_default_timezone())
        found = found.filter(created_at__gte=begin)
    if campaign.source == SourceFilter.IMPORTED:
        found = found.filter(is_imported=True)
    elif campaign.source == SourceFilter.OTHER:
        found = found.filter(is_imported=False, source="")
    elif campaign.source:
        found = found.filter(source=campaign.source)
    if campaign.excluded_campaign_id:
        # By address: the copy of another audience went to the same mailbox.
        got = Delivery.objects.filter(
            campaign__in=_list_excluded(campaign),
            state__in=MAYBE_RECEIVED,
            subscription__email=OuterRef("email"),
        )
        found = found.filter(~Exists(got))
    own_or_other = Case(When(language__in=written, then=F("language")), default=Value(written[0]))
    return found.annotate(text_language=own_or_other).order_by()


def _list_excluded(campaign: Campaign) -> set[int]:
    """Return the campaign that is left out, and those that it left out itself: it went to their rest."""
    found: set[int] = set()
    excluded = campaign.excluded_campaign_id
    while excluded and excluded not in found:
        found.add(excluded)
        excluded = Campaign.objects.values_list("excluded_campaign_id", flat=True).get(pk=excluded)
    return found


def count_audience(campaign: Campaign, languages: Collection[str]) -> list[AudienceCount]:
    """Count the recipients of a campaign, stored or not, by user type and language of the text."""
    rows = (
        select_recipients(campaign, languages)
        .values_list("user_type", "text_language")
        .annotate(count=Count("*"), others=Count("pk", filter=~Q(language=F("text_language"))))
        .order_by("user_type", "text_language")
    )
    return [AudienceCount(*row) for row in rows]


def count_without_text(
    campaign: Campaign, languages: Collection[str], counts: Sequence[AudienceCount]
) -> int:
    """Return how many readers of the audience have no text in their language, by `count_audience`.

    They get another text or are left out, as the campaign says.
    """
    if campaign.missing_language != MissingLanguage.LEAVE_OUT:
        return sum(each.others for each in counts)
    if len(languages) == len(settings.LANGUAGES):
        return 0
    everybody = copy(campaign)
    everybody.missing_language = MissingLanguage.OTHER
    return sum(each.count for each in count_audience(everybody, languages)) - sum(
        each.count for each in counts
    )
