"""Who is in a segment, and who gets a campaign in which language."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Case, Count, Exists, F, OuterRef, QuerySet, Subquery, Value, When
from django.utils import timezone

from newsletter.campaigns.models import (
    Campaign,
    Delivery,
    DeliveryState,
    InterestMatch,
    Segment,
    SourceFilter,
)
from newsletter.invitations.services import find_inviters
from newsletter.models import Interest, State, Subscription, UserType
from sailing.attribution import ATTRIBUTION_FIELDS

MAYBE_RECEIVED = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
"""The states of a delivery whose mail was sent, or may have been."""

INSERT = f"""
    INSERT INTO {Delivery._meta.db_table} (campaign_id, subscription_id, language, state, next_attempt_at,
        skip_reason, attempts, last_error)
    SELECT %s, recipient.id, recipient.text_language, '{DeliveryState.WAITING}', %s, '', 0, ''
    FROM ({{recipients}}) AS recipient WHERE 1 = 1 ORDER BY recipient.id
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants only
"""As SQL, because the ORM cannot insert what it selects. SQLite needs the condition to parse ON CONFLICT."""


def select_audience(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscriptions that a campaign is for; an address may have two.

    Each has the attribute `text_language`. Without any text, all languages count as written.
    """
    found: Any = Subscription.objects.in_state(State.CONFIRMED)
    if campaign.user_type:
        found = found.filter(user_type=campaign.user_type)
    if campaign.segment:
        found = filter_by_segment(found, campaign.segment)
    if campaign.excluded_campaign_id:
        found = found.filter(~_has_received(_list_excluded(campaign)))
    written = [language for language, _name in settings.LANGUAGES if language in languages or not languages]
    return add_text_language(found, written).order_by()


def add_text_language(found: QuerySet[Any], written: Sequence[str]) -> QuerySet[Any]:
    """Add the attribute `text_language`: which text each subscriber gets, of those that are written."""
    own_or_other = Case(When(language__in=written, then=F("language")), default=Value(written[0]))
    rows: QuerySet[Any] = found.annotate(text_language=own_or_other)
    return rows


def filter_by_segment(
    found: QuerySet[Any], segment: Segment, interests: Iterable[Interest] | None = None
) -> QuerySet[Any]:
    """Return the subscriptions, of any state, that are in a segment.

    `interests`: those of a segment that is not stored. Interests, invitations and what was received are of an
    address, so they hold for both of its subscriptions.
    """
    names = ("user_type", "language", "import_batch_id", *ATTRIBUTION_FIELDS)
    found = found.filter(**{name: value for name in names if (value := getattr(segment, name))})
    if segment.source == SourceFilter.IMPORTED:
        found = found.filter(is_imported=True)
    elif segment.source == SourceFilter.OTHER:
        found = found.filter(is_imported=False, source="")
    elif segment.source:
        found = found.filter(source=segment.source)
    if segment.subscribed_since:
        found = found.filter(created_at__gte=_get_start_of_day(segment.subscribed_since))
    if segment.subscribed_before:
        found = found.filter(created_at__lt=_get_start_of_day(segment.subscribed_before))
    if interests is None:
        interests = segment.interests.all() if segment.pk else ()
    if keys := [interest.pk for interest in interests]:
        for group in [keys] if segment.interest_match == InterestMatch.ANY else [[key] for key in keys]:
            choosers = Subscription.objects.filter(interests__in=group)
            found = found.filter(email__in=choosers.values("email"))
    if segment.min_invitations:
        found = found.filter(email__in=find_inviters(segment.min_invitations).values("email"))
    if segment.received_campaign_id:
        found = found.filter(_has_received([segment.received_campaign_id]))
    return found


def _get_start_of_day(day: date) -> datetime:
    """Return the start of a day in the time zone of the site, the only one that a sender knows."""
    return datetime.combine(day, time.min, timezone.get_default_timezone())


def _has_received(campaigns: Collection[int]) -> Exists:
    """Return whether the address got one of some campaigns, in either audience."""
    return Exists(
        Delivery.objects.filter(
            campaign__in=campaigns, state__in=MAYBE_RECEIVED, subscription__email=OuterRef("email")
        )
    )


def _list_excluded(campaign: Campaign) -> set[int]:
    """Return the campaign that is left out and, as long as there are any, those that it left out."""
    found: set[int] = set()
    excluded = campaign.excluded_campaign_id
    while excluded and excluded not in found:
        found.add(excluded)
        excluded = Campaign.objects.values_list("excluded_campaign_id", flat=True).get(pk=excluded)
    return found


def count_audience(campaign: Campaign, languages: Collection[str]) -> list[tuple[str, str, int]]:
    """Count the recipients of a campaign by user type and language of the text."""
    return _count(select_audience(campaign, languages))


def count_segment(
    segment: Segment, interests: Iterable[Interest] | None = None
) -> list[tuple[str, str, int]]:
    """Count who would get a campaign to a segment, with the arguments of `filter_by_segment`."""
    found = filter_by_segment(Subscription.objects.in_state(State.CONFIRMED), segment, interests)
    return _count(found.annotate(text_language=F("language")))


def _count(found: QuerySet[Any]) -> list[tuple[str, str, int]]:
    """Count recipients. An address that is in both audiences gets one copy, that for sailors."""
    as_sailor = found.filter(email=OuterRef("email"), user_type=UserType.SAILOR)
    # As an exclusion of all other rows, PostgreSQL can run it as one anti join.
    recipients = found.filter(~Exists(as_sailor.exclude(pk=OuterRef("pk"))))
    groups = recipients.values_list("user_type", "text_language")
    # Sailors and English first.
    return list(groups.annotate(count=Count("*")).order_by("-user_type", "-text_language"))


def exclude_receivers(found: QuerySet[Any], campaign: Campaign, *, by: str) -> QuerySet[Any]:
    """Leave out who has a delivery of a campaign: the subscription ("pk"), or its address ("email")."""
    got = Delivery.objects.filter(**{"campaign": campaign, f"subscription__{by}": OuterRef(by)})
    # As a value for each row: PostgreSQL would join NOT EXISTS with all deliveries, each time.
    rows: QuerySet[Any] = found.annotate(delivery=Subquery(got.values("pk")[:1])).filter(delivery=None)
    return rows


def add_deliveries(campaign: Campaign, recipients: QuerySet[Any]) -> int:
    """Add a waiting delivery for each of the subscriptions of `add_text_language`; return how many."""
    sql, parameters = recipients.values("id", "text_language").query.sql_with_params()
    values = [campaign.pk, connection.ops.adapt_datetimefield_value(timezone.now()), *parameters]
    with connection.cursor() as cursor:
        cursor.execute(INSERT.format(recipients=sql), values)
        return max(0, int(cursor.rowcount))
