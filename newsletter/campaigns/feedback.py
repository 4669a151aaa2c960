"""What happens after a mail: its reader leaves by it, or a provider or a mail server reports about it."""

from datetime import datetime
from enum import StrEnum

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from newsletter.campaigns.models import Delivery, DeliveryState
from newsletter.models import OWNER_EVENTS, ConsentEvent, ConsentKind, Subscription
from newsletter.services import lifecycle
from sailing.mail import mailboxes
from sailing.mail.models import SuppressionReason
from sailing.mail.outbox import report_bounce

ANSWERS = (*OWNER_EVENTS, ConsentKind.PAUSED, ConsentKind.RESUMED, ConsentKind.REACHABLE)

SOFT_BOUNCES = 3
"""Soft bounces in a row after which an address counts as not working."""


class Report(StrEnum):
    """What a provider or a mail server says about a mail: the field of a delivery that stores when."""

    HARD_BOUNCE = "bounced_at"
    SOFT_BOUNCE = "soft_bounced_at"
    COMPLAINT = "complained_at"
    UNSUBSCRIBED = "unsubscribed_at"


ENDINGS = {Report.COMPLAINT: ConsentKind.COMPLAINED, Report.UNSUBSCRIBED: ConsentKind.UNSUBSCRIBED}


def record(
    email: str, delivery: Delivery | None, report: Report, at: datetime | None, *, reason: str = ""
) -> None:
    """Record a report about a delivery, or about an address if `delivery` is None.

    An unsubscription ends the subscription of the delivery, or all of the address. A complaint ends all, and
    no import may add the address again. After a hard bounce, or the third soft one in a row, the address
    counts as not working. What the owner has confirmed since `at` stays, and an address that has
    answered since works. `reason`: what the mail server said.
    """
    with transaction.atomic():
        # The order of locks: the member, whom a bounce changes too, the subscriptions of the address, all of
        # which a bounce ends, the delivery.
        members = get_user_model()._default_manager.filter(email=email)
        list(members.select_for_update(no_key=True).values_list("pk"))
        subscriptions = locked = lifecycle.lock_address(email)
        if delivery:
            subscriptions = [each for each in locked if each.pk == delivery.subscription_id]
            # A reader who has left already, perhaps by another mail, does not leave by this one.
            if report is Report.UNSUBSCRIBED and all(each.has_ended for each in subscriptions):
                return
            first = Delivery.objects.filter(pk=delivery.pk, **{f"{report.value}__isnull": True})
            is_new = first.update(**{report.value: timezone.now()})
            if not is_new or not subscriptions:  # reported before, or erased
                return
        answers = ConsentEvent.objects.filter(subscription__email=email, kind__in=ANSWERS)
        is_ending = report in ENDINGS
        newer = [each for each in locked if at and each.confirmed_at and each.confirmed_at > at]
        has_answered = at and not is_ending and answers.filter(at__gt=at).exists()
        if has_answered or any(each in newer for each in subscriptions):
            return
        for each in locked if report is Report.COMPLAINT else subscriptions:
            if is_ending and not each.has_ended and each not in newer:
                lifecycle.end_subscription(each, event=ENDINGS[report], language=each.language)
        if report is Report.COMPLAINT:
            mailboxes.suppress(email, SuppressionReason.COMPLAINED)
        is_soft = report is Report.SOFT_BOUNCE
        if report is Report.HARD_BOUNCE or (is_soft and delivery and _has_bounced_softly(subscriptions[0])):
            report_bounce(email, reason)


def _has_bounced_softly(subscription: Subscription) -> bool:
    """Return whether the last mails to a subscriber all came back."""
    last = Delivery.objects.filter(subscription=subscription, state=DeliveryState.SENT).order_by("-ended_at")
    bounced = list(last.values_list("soft_bounced_at", flat=True)[:SOFT_BOUNCES])
    return len(bounced) == SOFT_BOUNCES and all(bounced)
