"""What happens after a mail: clicks, changes by its links, and the reports of providers."""

from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from newsletter.campaigns.models import CampaignLink, Delivery, DeliveryState, LinkClicks
from newsletter.models import OWNER_EVENTS, ConsentEvent, ConsentKind, Subscription
from newsletter.services import lifecycle, preferences
from newsletter.validation import PreferencesChange
from sailing.mail import suppression
from sailing.mail.models import SuppressionReason
from sailing.mail.queue import report_bounce
from sailing.mail_links.tokens import LinkStatus

SIGNS_OF_LIFE = (*OWNER_EVENTS, ConsentKind.PAUSED, ConsentKind.RESUMED, ConsentKind.REACHABLE)

SOFT_BOUNCES = 3
"""Soft bounces in a row after which an address counts as not working."""


def unsubscribe_by_delivery(*, delivery: Delivery, language: str, at: datetime | None = None) -> LinkStatus:
    """End the subscription that a mail was sent to; `language` is that of the page.

    A reader who has left already, perhaps by another mail, does not leave by this one. `at`: when a provider
    was told, if it reports it. What the owner has confirmed since then stays.
    """
    with transaction.atomic():
        subscription = _lock_subscription(delivery)
        if subscription and not subscription.has_ended:
            if not _was_confirmed_since(subscription, at):
                lifecycle.end_subscription(subscription, event=ConsentKind.UNSUBSCRIBED, language=language)
            _record_once(delivery, "unsubscribed_at")
    return LinkStatus.DONE


def record_delivery_bounce(*, delivery: Delivery, is_hard: bool, at: datetime | None = None) -> None:
    """Record that a mail came back, and when.

    After a hard bounce, or the third soft one in a row, the address counts as not working, unless there was a
    sign of life since.
    """
    with transaction.atomic():
        # The member first, whom the bounce changes too: preferences and erasure lock in that order.
        address = Delivery.objects.filter(pk=delivery.pk).values("subscription__email")
        members = get_user_model()._default_manager.filter(email__in=address)
        list(members.select_for_update(no_key=True).values_list("pk"))
        subscription = _lock_subscription(delivery)
        is_new = _record_once(delivery, "bounced_at" if is_hard else "soft_bounced_at")
        if not is_new or subscription is None or _was_alive_since(subscription.email, at):
            return
        if is_hard or _has_bounced_softly(subscription):
            report_bounce(subscription.email)


def record_delivery_complaint(*, delivery: Delivery, at: datetime | None = None) -> None:
    """Record that the owner reported a mail as spam: the subscription ends, and no import may add it again.

    What the owner has confirmed since then stays.
    """
    with transaction.atomic():
        subscription = _lock_subscription(delivery)
        is_new = _record_once(delivery, "complained_at")
        if is_new and subscription and not _was_confirmed_since(subscription, at):
            language = subscription.language
            lifecycle.end_subscription(subscription, event=ConsentKind.COMPLAINED, language=language)
            suppression.suppress(subscription.email, SuppressionReason.COMPLAINED)


def change_preferences_by_delivery(
    *, delivery: Delivery, subscription: Subscription, change: PreferencesChange, language: str
) -> list[preferences.RefusedAudience] | None:
    """Change what the address of a mail gets, like `newsletter.services.preferences.change_preferences`.

    Leaving its audience counts as unsubscribed by this mail.
    """
    had_ended = subscription.has_ended
    with transaction.atomic():
        refused = preferences.change_preferences(subscription=subscription, change=change, language=language)
        if refused is not None:
            subscription.refresh_from_db()
            if subscription.has_ended and not had_ended:
                _record_once(delivery, "unsubscribed_at")
        return refused


def count_click(*, link: CampaignLink) -> None:
    """Count a click in the current hour. The database adds, so that simultaneous clicks all count."""
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    clicks = LinkClicks.objects.filter(link=link, hour=hour)
    if not clicks.update(count=F("count") + 1):
        LinkClicks.objects.bulk_create([LinkClicks(link=link, hour=hour)], ignore_conflicts=True)
        clicks.update(count=F("count") + 1)


# --- Reports of a provider about an address --------------------------------------------------


def record_address_bounce(*, email: str, at: datetime | None) -> None:
    """Record that an address does not work, unless there was a sign of life since the mail came back."""
    with transaction.atomic():
        if not _was_alive_since(email, at):
            report_bounce(email)


def end_subscriptions(*, email: str, event: ConsentKind, at: datetime | None) -> None:
    """End all subscriptions of an address whose owner complained, or unsubscribed at the provider.

    What the owner has confirmed since then stays. After a complaint no import may add the address again.
    """
    with transaction.atomic():
        subscriptions = list(Subscription.objects.filter(email=email).order_by("pk").select_for_update())
        if _has_confirmed_since(email, at):
            return
        for subscription in subscriptions:
            if not subscription.has_ended:
                lifecycle.end_subscription(subscription, event=event, language=subscription.language)
        if event is ConsentKind.COMPLAINED:
            suppression.suppress(email, SuppressionReason.COMPLAINED)


def _lock_subscription(delivery: Delivery) -> Subscription | None:
    """Lock the subscription of a delivery, before its deliveries; return None after it was erased.

    All subscriptions of the address are locked, in the order of their keys, because a bounce ends them all.
    """
    return lifecycle.lock_address(delivery.subscription_id) if delivery.subscription_id else None


def _record_once(delivery: Delivery, name: str) -> bool:
    """Store the time of an event; return False if it has happened before."""
    unrecorded = Delivery.objects.filter(pk=delivery.pk, **{f"{name}__isnull": True})
    is_new = bool(unrecorded.update(**{name: timezone.now()}))
    delivery.refresh_from_db(fields=[name])
    return is_new


def _was_confirmed_since(subscription: Subscription, at: datetime | None) -> bool:
    """Return whether a subscription was confirmed after a time. An unknown time (None) counts as now."""
    return bool(at and subscription.confirmed_at and subscription.confirmed_at > at)


def _has_confirmed_since(email: str, at: datetime | None) -> bool:
    """Return the same for an address: whether its owner has confirmed any subscription."""
    return bool(at and Subscription.objects.filter(email=email, confirmed_at__gt=at).exists())


def _was_alive_since(email: str, at: datetime | None) -> bool:
    """Return whether mails to an address arrived after a time: its owner acted, or an admin says so."""
    events = ConsentEvent.objects.filter(subscription__email=email, kind__in=SIGNS_OF_LIFE)
    return at is not None and (_has_confirmed_since(email, at) or events.filter(at__gt=at).exists())


def _has_bounced_softly(subscription: Subscription) -> bool:
    """Return whether the last mails to a subscriber all came back."""
    last = Delivery.objects.filter(subscription=subscription, state=DeliveryState.SENT).order_by("-ended_at")
    bounced = list(last.values_list("soft_bounced_at", flat=True)[:SOFT_BOUNCES])
    return len(bounced) == SOFT_BOUNCES and all(bounced)
