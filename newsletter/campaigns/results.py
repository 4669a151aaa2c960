"""What became of the deliveries of campaigns: one way to count, for one campaign or many."""

from typing import Any

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from newsletter.campaigns.models import HAS_FEEDBACK, Campaign, CampaignLink, Delivery, DeliveryState

UNSENT = [state for state in DeliveryState if state != DeliveryState.SENT]


def annotate_results(campaigns: QuerySet[Campaign]) -> QuerySet[Any]:
    """Return campaigns with the numbers of their deliveries by state, and clicks.

    `sent` is computed from the others, which are few and cheap to count.
    `undeliverable`: failed, because the address does not work; `bounced`: after it was sent.
    """
    deliveries = Delivery.objects.filter(campaign=OuterRef("pk"))
    feedback = deliveries.filter(HAS_FEEDBACK)
    is_bounced, is_failed = Q(bounced_at__isnull=False), Q(state=DeliveryState.FAILED)
    links = CampaignLink.objects.filter(campaign=OuterRef("pk"))
    return campaigns.annotate(
        sent=F("recipient_count") - _count(deliveries.filter(state__in=UNSENT)),
        **{state.value: _count(deliveries.filter(state=state)) for state in UNSENT},
        bounced=_count(feedback.filter(is_bounced & ~is_failed)),
        undeliverable=_count(feedback.filter(is_bounced & is_failed)),
        complained=_count(feedback.filter(complained_at__isnull=False)),
        unsubscribed=_count(feedback.filter(unsubscribed_at__isnull=False)),
        clicks=_total(links, Sum("clicks")),
    )


def _count(deliveries: QuerySet[Delivery]) -> Coalesce:
    return _total(deliveries, Count("*"))


def _total(rows: QuerySet[Any], aggregate: Count | Sum) -> Coalesce:
    totals = rows.order_by().values("campaign").annotate(total=aggregate).values("total")
    return Coalesce(Subquery(totals, output_field=IntegerField()), 0)
