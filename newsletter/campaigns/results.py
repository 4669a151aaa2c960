"""The results of campaigns: sent mails, clicks and unsubscriptions, in one query for many campaigns."""

from typing import Any

from django.db.models import Count, F, FloatField, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Cast, Coalesce, NullIf

from newsletter.campaigns.models import (
    ENDED_DELIVERIES,
    HAS_FEEDBACK,
    Campaign,
    Delivery,
    DeliveryState,
    LinkClicks,
)

UNENDED_STATES = [state for state in DeliveryState if state not in ENDED_DELIVERIES]
UNSENT_STATES = [state for state in ENDED_DELIVERIES if state != DeliveryState.SENT]


def annotate_results(campaigns: QuerySet[Campaign]) -> QuerySet[Any]:
    """Return campaigns with `ended` (recipients), `sent` (mails), and `click_rate` and `unsubscribe_rate`.

    The rates are per 100 sent mails. All are None before recipients are added; the rates also before a mail
    was sent. The ended and the sent ones are computed from the others: at the end they are nearly all.
    """
    deliveries = Delivery.objects.filter(campaign=OuterRef("pk")).order_by()
    unsubscribed = deliveries.filter(HAS_FEEDBACK, unsubscribed_at__isnull=False)
    clicks = LinkClicks.objects.filter(link__campaign=OuterRef("pk")).order_by().values("link__campaign")
    return (
        campaigns.annotate(
            ended=F("recipient_count") - _count(deliveries.filter(state__in=UNENDED_STATES)),
            clicks=_subquery(clicks.annotate(value=Sum("count"))),
            unsubscribed=_count(unsubscribed),
        )
        .annotate(
            sent=F("ended") - _count(deliveries.filter(state__in=UNSENT_STATES)),
        )
        .annotate(
            click_rate=_per_hundred("clicks"),
            unsubscribe_rate=_per_hundred("unsubscribed"),
        )
    )


def _count(deliveries: QuerySet[Any]) -> Coalesce:
    return _subquery(deliveries.values("campaign").annotate(value=Count("*")))


def _subquery(rows: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(rows.values("value"), output_field=IntegerField()), 0)


def _per_hundred(name: str) -> Any:
    return Cast(F(name) * 100, FloatField()) / NullIf(Cast(F("sent"), FloatField()), 0.0)
