"""The audience of a campaign or a segment: which subscribers, and in which language they get a mail."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Case, Count, Exists, F, OuterRef, QuerySet, Value, When
from django.utils import timezone

from newsletter.campaigns.models import (
    AudienceFields,
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

NO_INTEREST = 0
"""A key that no interest has."""


INSERT = f"""
    INSERT INTO {Delivery._meta.db_table} (campaign_id, subscription_id, language, state, next_attempt_at,
        skip_reason, attempts, last_error)
    SELECT %s, recipient.id, recipient.text_language, '{DeliveryState.WAITING}', %s, '', 0, ''
    FROM ({{recipients}}) AS recipient WHERE 1 = 1 ORDER BY recipient.id
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants only
"""As SQL, because the ORM cannot insert what it selects. SQLite needs the condition to parse ON CONFLICT."""


@dataclass(frozen=True)
class AudienceCount:
    """The number of recipients of one user type. `language` is that of the text they get."""

    user_type: str
    language: str
    count: int


def select_recipients(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscribers who get a campaign with texts in some languages, as they are now.

    An address that is subscribed in both audiences gets one copy, that for sailors.
    """
    # In this order, because both subscriptions of an address have its mailbox.
    return _narrow_by_mailbox(_leave_out_copies(_select_rows(campaign, languages), campaign), campaign)


def _leave_out_copies(found: QuerySet[Any], audience: AudienceFields) -> QuerySet[Any]:
    """Leave out the subscriptions for companies whose address gets the copy for sailors."""
    if audience.user_type:
        return found
    as_sailor = found.filter(email=OuterRef("email"), user_type=UserType.SAILOR)
    # As an exclusion of all other rows, PostgreSQL can run it as one anti join.
    return found.filter(~Exists(as_sailor.exclude(pk=OuterRef("pk"))))


def select_audience(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscriptions that a campaign is for; an address may have two.

    Each has the attribute `text_language`. Without any text, all languages count as written.
    """
    return _narrow_by_mailbox(_select_rows(campaign, languages), campaign)


def _select_rows(campaign: Campaign, languages: Collection[str]) -> QuerySet[Any]:
    """Return the subscriptions that fit what differs between the two of an address."""
    written = [language for language, _name in settings.LANGUAGES if language in languages or not languages]
    found: Any = _filter_by_fields(Subscription.objects.in_state(State.CONFIRMED), campaign)
    if campaign.segment:
        found = _filter_by_row(found, campaign.segment)
    return add_text_language(found, written).order_by()


def add_text_language(found: QuerySet[Any], written: Sequence[str]) -> QuerySet[Any]:
    """Add the attribute `text_language`: which text each subscriber gets, of those that are written."""
    own_or_other = Case(When(language__in=written, then=F("language")), default=Value(written[0]))
    rows: QuerySet[Any] = found.annotate(text_language=own_or_other)
    return rows


def _narrow_by_mailbox(found: QuerySet[Any], campaign: Campaign) -> QuerySet[Any]:
    """Return the subscriptions that fit what a campaign asks of an address, in both audiences."""
    if campaign.segment:
        found = _filter_by_mailbox(found, campaign.segment)
    if campaign.excluded_campaign_id:
        found = found.filter(~_has_received(_list_excluded(campaign)))
    return found


def filter_by_segment(found: QuerySet[Any], segment: Segment) -> QuerySet[Any]:
    """Return the subscriptions, of any state, that are in a segment."""
    return _filter_by_mailbox(_filter_by_row(found, segment), segment)


def _filter_by_row(found: QuerySet[Any], segment: Segment) -> QuerySet[Any]:
    """Return the subscriptions that fit the criteria that differ between those of an address."""
    found = _filter_by_fields(found, segment)
    if segment.subscribed_before:
        found = found.filter(created_at__lt=_get_start_of_day(segment.subscribed_before))
    for name in ATTRIBUTION_FIELDS:
        if value := getattr(segment, name):
            found = found.filter(**{name: value})
    if segment.import_batch_id:
        found = found.filter(import_batch=segment.import_batch_id)
    return found


def _filter_by_mailbox(
    found: QuerySet[Any], segment: Segment, interests: Iterable[Interest] | None = None
) -> QuerySet[Any]:
    """Return the subscriptions that fit the criteria that hold for an address, in both audiences."""
    if segment.interest_match:
        chosen = segment.interests.all() if interests is None else interests
        keys = [interest.pk for interest in chosen] or [NO_INTEREST]
        for group in [keys] if segment.interest_match == InterestMatch.ANY else [[key] for key in keys]:
            choosers = Subscription.objects.filter(interests__in=group)
            found = found.filter(email__in=choosers.values("email"))
    if segment.min_invitations:
        inviters = find_inviters(segment.min_invitations)
        found = found.filter(email__in=inviters.values("email"))
    if segment.received_campaign_id:
        found = found.filter(_has_received([segment.received_campaign_id]))
    if segment.missed_campaign_id:
        found = found.filter(~_has_received([segment.missed_campaign_id]))
    return found


def _filter_by_fields(found: QuerySet[Any], audience: AudienceFields) -> QuerySet[Any]:
    """Return the subscriptions that fit what a campaign and a segment have in common."""
    if audience.user_type:
        found = found.filter(user_type=audience.user_type)
    if audience.language:
        found = found.filter(language=audience.language)
    if audience.subscribed_since:
        found = found.filter(created_at__gte=_get_start_of_day(audience.subscribed_since))
    if audience.source == SourceFilter.IMPORTED:
        found = found.filter(is_imported=True)
    elif audience.source == SourceFilter.OTHER:
        found = found.filter(is_imported=False, source="")
    elif audience.source:
        found = found.filter(source=audience.source)
    return found


def _get_start_of_day(day: date) -> datetime:
    """Return the start of a day in the time zone of the site, the only one that a sender knows."""
    return datetime.combine(day, time.min, timezone.get_default_timezone())


def _has_received(campaigns: Collection[int]) -> Exists:
    """Return whether the address got one of some campaigns: a copy of any audience is in the same mailbox."""
    return Exists(
        Delivery.objects.filter(
            campaign__in=campaigns, state__in=MAYBE_RECEIVED, subscription__email=OuterRef("email")
        )
    )


def _list_excluded(campaign: Campaign) -> set[int]:
    """Return the campaign that is left out, and those that it left out: it was for who did not get them."""
    found: set[int] = set()
    excluded = campaign.excluded_campaign_id
    while excluded and excluded not in found:
        found.add(excluded)
        excluded = Campaign.objects.values_list("excluded_campaign_id", flat=True).get(pk=excluded)
    return found


def count_audience(campaign: Campaign, languages: Collection[str]) -> list[AudienceCount]:
    """Count the recipients of a campaign, stored or not, by user type and language of the text."""
    return _count(select_recipients(campaign, languages))


def count_segment(segment: Segment, interests: Iterable[Interest] | None = None) -> list[AudienceCount]:
    """Count who would get a campaign to a segment, by user type and language.

    `interests`: those of a segment that is not stored.
    """
    rows = _filter_by_row(Subscription.objects.in_state(State.CONFIRMED), segment)
    found = _filter_by_mailbox(_leave_out_copies(rows, segment), segment, interests)
    return _count(found.annotate(text_language=F("language")))


def _count(recipients: QuerySet[Any]) -> list[AudienceCount]:
    rows = (
        recipients.values_list("user_type", "text_language")
        .annotate(count=Count("*"))
        .order_by("user_type", "text_language")
    )
    return [AudienceCount(*row) for row in rows]


def add_deliveries(campaign: Campaign, recipients: QuerySet[Any]) -> int:
    """Add a waiting delivery for each recipient without one; return how many.

    `recipients`: subscriptions with the attribute `text_language`.
    """
    sql, parameters = recipients.values("id", "text_language").query.sql_with_params()
    values = [campaign.pk, connection.ops.adapt_datetimefield_value(timezone.now()), *parameters]
    with connection.cursor() as cursor:
        cursor.execute(INSERT.format(recipients=sql), values)
        return max(0, int(cursor.rowcount))
