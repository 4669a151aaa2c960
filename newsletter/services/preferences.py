"""What an address gets, as its owner sees and changes it by a link in a mail, and that link for members."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from newsletter.models import ConsentEvent, ConsentKind, Interest, State, Subscription
from newsletter.services.lifecycle import (
    DAY,
    ask_to_confirm,
    end_subscription,
    list_open_confirm_links,
    lock_address,
)
from newsletter.tokens import build_urls
from sailing.client import Client
from sailing.ratelimit.limits import check_rate


@dataclass(frozen=True)
class Preferences:
    """What an address gets, by user type. `paused_until`: None unless it is paused now. `interests`: keys."""

    audiences: Collection[str]
    pending_audiences: Collection[str]
    paused_until: datetime | None
    interests: Collection[int]


def get_preferences(*, email: str) -> Preferences:
    stored = list(Subscription.objects.filter(email=email))
    interests = Interest.objects.filter(subscriptions__email=email)
    return Preferences(
        audiences=[each.user_type for each in stored if each.is_subscribed],
        pending_audiences=[each.user_type for each in stored if each.state is State.PENDING],
        paused_until=_get_end_of_pause(stored),
        interests=list(interests.values_list("pk", flat=True)),
    )


def choose_interests(*, subscription: Subscription, keys: Collection[int]) -> None:
    """Store the choice for all subscriptions of an address, unless this one was erased meanwhile."""
    with transaction.atomic():
        stored = lock_address(subscription.email)
        if subscription in stored:
            _store_interests(stored, keys)


def get_settings_url(*, client: Client, user: Any, language: str) -> str | None:
    """Return a member's page; None if the address gets nothing or is unverified. Raises RateLimited."""
    check_rate(client, group="newsletter-settings", rate=settings.MEMBER_READ_RATE)
    own = Subscription.objects.find_own(user.email) if user.is_email_verified else None
    return build_urls(own.pk, language=language)["preferences_url"] if own else None


def change_preferences(
    *,
    subscription: Subscription,
    audiences: Collection[str] | None,
    mail_language: str = "",
    pause_days: int | None = None,
    interests: Collection[int] | None = None,
    language: str,
    delivery: int | None = None,
) -> list[str]:
    """Change what the address of a subscription gets, for the holder of a link in its mails.

    `audiences`: all that it is to get. `pause_days`: how long to send nothing; 0 ends a pause. `interests`:
    the keys of all that were chosen. None, or a blank, leaves things as they are. `language` is that of the
    page. `delivery`: see `end_subscription`.

    A mail may have been forwarded, so its link can end a subscription but not begin one: the owner of the
    mailbox is asked to confirm by mail. Returns the audiences for which the limits on mails forbid that.
    """
    with transaction.atomic():
        # Created before any row is locked: a transaction that waits for another's insert must not hold a
        # lock, or the two could deadlock.
        created = []
        for user_type in sorted(audiences or ()):
            wanted, is_new = Subscription.objects.get_or_create(
                email=subscription.email,
                user_type=user_type,
                defaults={"language": mail_language or language},
            )
            if is_new:
                created.append(wanted.pk)
        stored = lock_address(subscription.email)
        if subscription not in stored:
            transaction.set_rollback(True)  # nothing is created for an erased address
            return []
        pause = _get_end_of_pause(stored)
        if pause_days is not None:
            pause = timezone.now() + pause_days * DAY if pause_days else None
        refused = []
        for each in stored:
            each.language = mail_language or each.language
            each.save(update_fields=["language"])
            is_wanted = each.is_subscribed if audiences is None else each.user_type in audiences
            if is_wanted and each.is_subscribed:
                _set_pause(each, pause, language=language)
            elif is_wanted:
                is_asked = ask_to_confirm(each, language=each.language)
                if not is_asked and (each.bounced_at or not list_open_confirm_links(each).exists()):
                    refused.append(each.user_type)
            elif each.is_subscribed or (audiences is not None and not audiences and not each.has_ended):
                end_subscription(each, event=ConsentKind.UNSUBSCRIBED, language=language, delivery=delivery)
        if interests is not None:
            _store_interests(stored, interests)
        # A subscription that nobody was asked to confirm would wait for ever.
        Subscription.objects.filter(pk__in=created, user_type__in=refused).delete()
        return refused


def _get_end_of_pause(stored: Iterable[Subscription]) -> datetime | None:
    ends = [each.paused_until for each in stored if each.state is State.PAUSED and each.paused_until]
    return max(ends, default=None)


def _set_pause(subscription: Subscription, until: datetime | None, *, language: str) -> None:
    before = subscription.paused_until if subscription.is_paused else None
    subscription.paused_until = until
    subscription.save(update_fields=["paused_until"])
    if until != before:
        kind = ConsentKind.PAUSED if until else ConsentKind.RESUMED
        ConsentEvent.record(subscription, kind, language=language)


def _store_interests(subscriptions: Iterable[Subscription], keys: Collection[int]) -> None:
    """Store what readers can choose; a retired interest stays as it was chosen."""
    for subscription in subscriptions:
        kept = subscription.interests.filter(is_offered=False)
        subscription.interests.set([*keys, *kept])
