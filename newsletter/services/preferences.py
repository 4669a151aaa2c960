"""What an address gets, as its owner sees and changes it: by a link in a mail, or as a member."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter.models import (
    ConsentEvent,
    ConsentKind,
    Interest,
    State,
    Subscription,
    UserType,
)
from newsletter.services import interests
from newsletter.services.lifecycle import (
    CONFIRMATION_PAUSE,
    DAY,
    ask_to_confirm,
    begin_subscription,
    end_subscription,
    list_open_confirm_links,
)
from newsletter.validation import PreferencesChange, validate_preferences
from sailing.client import Client
from sailing.errors import BadUserInput, Unauthenticated
from sailing.ratelimit.limits import check_rate


@dataclass(frozen=True)
class Preferences:
    """What an address gets.

    `pending_audiences`: those that its owner has not confirmed. `paused_until`: None unless it is paused now.
    `interests`: what `interests.list_choices` returns. `is_email_verified`: otherwise the address may be
    somebody else's, and nothing is told about it.
    """

    language: str
    audiences: tuple[UserType, ...] = ()
    pending_audiences: tuple[UserType, ...] = ()
    paused_until: datetime | None = None
    interests: Sequence[tuple[Interest, bool]] = ()
    is_email_verified: bool = True


def get_preferences(*, email: str, default_language: str) -> Preferences:
    """Return the preferences of an address. `default_language`: of an address without a subscription."""
    stored = sorted(Subscription.objects.filter(email=email), key=lambda each: not each.is_subscribed)
    subscribed = {each.user_type for each in stored if each.is_subscribed}
    pending = {each.user_type for each in stored if each.state is State.PENDING}
    ends = (each.paused_until for each in stored if each.is_subscribed and each.is_paused)
    return Preferences(
        audiences=tuple(each for each in UserType if each in subscribed),
        pending_audiences=tuple(each for each in UserType if each in pending),
        language=stored[0].language if stored else default_language,
        paused_until=max((end for end in ends if end), default=None),
        interests=interests.list_choices(email=email),
    )


def change_preferences(
    *, subscription: Subscription, change: PreferencesChange, language: str, delivery: int | None = None
) -> list[UserType] | None:
    """Change what the address of a subscription gets, for the holder of a link in its mails.

    A mail may have been forwarded, so its link can end a subscription but not begin one: the owner of the
    mailbox is asked to confirm by mail. Returns the audiences for which the limits on mails forbid that; all
    else is stored. Returns None if the subscription was erased meanwhile. `language` is that of the page.
    `delivery`: see `end_subscription`.
    """
    with transaction.atomic():
        stored, created = _create_and_lock(subscription.email, change, language)
        if subscription not in stored:
            transaction.set_rollback(True)  # nothing is created for an erased address
            return None
        refused = _change_preferences(stored, change, language, is_owner=False, delivery=delivery)
        # A subscription that nobody was asked to confirm would wait for ever.
        Subscription.objects.filter(pk__in=created, user_type__in=refused).delete()
        return refused


def get_member_preferences(*, client: Client, user: Any, page_language: str) -> Preferences:
    """Return the preferences of a member's address. Raises RateLimited."""
    check_rate(client, group="newsletter-preferences", rate=settings.MEMBER_RATE)
    if not user.is_email_verified:
        return Preferences(page_language, is_email_verified=False)
    return get_preferences(email=user.email, default_language=page_language)


def change_member_preferences(*, client: Client, user: Any, page_language: str, **values: Any) -> Preferences:
    """Change what a member's verified address gets, and return it.

    `values` are those of `validate_preferences`. Raises RateLimited, Unauthenticated and BadUserInput.
    """
    change = validate_preferences(**values)
    check_rate(client, group="change-newsletter-preferences", rate=settings.MEMBER_RATE, causes_mail=True)
    with transaction.atomic():
        # Locked, because a member who is erased at the same time must not be subscribed afterwards.
        members = get_user_model()._default_manager.select_for_update(no_key=True)
        member: Any = members.filter(pk=user.pk).first()
        # All tokens may have ended meanwhile.
        if member is None or member.token_version != user.token_version:
            raise Unauthenticated
        if not member.is_email_verified:
            raise BadUserInput(_("Please verify your email address first."), field="email")
        wanted = Subscription.objects.filter(email=member.email, user_type__in=change.audiences or ())
        if wanted.in_state(State.BOUNCED).exists():
            raise BadUserInput(
                _("Our emails do not reach your address. Please change it, or write to us."), field="email"
            )
        stored, _created = _create_and_lock(member.email, change, page_language)
        _change_preferences(stored, change, page_language, is_owner=True)
        return get_preferences(email=member.email, default_language=change.language or page_language)


def _create_and_lock(
    email: str, change: PreferencesChange, language: str
) -> tuple[list[Subscription], list[Any]]:
    """Lock and return all subscriptions of an address, and the keys of those wanted for the first time.

    These are created before any is locked: a transaction that waits for another's insert must not hold a
    lock, or the two could deadlock. One that is erased before it is locked stays erased.
    """
    created = []
    for user_type in sorted(change.audiences or ()):
        values = {"language": change.language or language}
        wanted, is_new = Subscription.objects.get_or_create(email=email, user_type=user_type, defaults=values)
        if is_new:
            created.append(wanted.pk)
    return list(Subscription.objects.filter(email=email).order_by("pk").select_for_update()), created


def _change_preferences(
    stored: list[Subscription],
    change: PreferencesChange,
    language: str,
    *,
    is_owner: bool,
    delivery: int | None = None,
) -> list[UserType]:
    """Change what an address gets; return what its owner cannot be asked to confirm.

    `stored`: its subscriptions, locked. `is_owner`: the mailbox has been proved to be that of the person, so
    no mail asks to confirm.
    """
    refused = []
    ends = (each.paused_until for each in stored if each.is_subscribed and each.is_paused)
    pause = max((end for end in ends if end), default=None)
    if change.pause_days is not None:
        pause = timezone.now() + change.pause_days * DAY if change.pause_days else None
    for each in stored:
        each.language = change.language or each.language
        is_wanted = each.is_subscribed if change.audiences is None else each.user_type in change.audiences
        if is_wanted and not each.is_subscribed and is_owner:
            each.paused_until = pause
            begin_subscription(each, language=language)
        elif is_wanted and not each.is_subscribed:
            if not ask_to_confirm(each, language=each.language, is_budgeted=True):
                each.save(update_fields=["language"])
                if not _has_just_been_asked(each):
                    refused.append(UserType(each.user_type))
        elif is_wanted:
            _set_pause(each, pause, language=language)
        elif each.is_subscribed or (change.audiences == frozenset() and not each.has_ended):
            end_subscription(
                each,
                event=ConsentKind.UNSUBSCRIBED,
                language=language,
                reason=change.reason,
                comment=change.comment,
                delivery=delivery,
            )
        else:
            each.save(update_fields=["language"])
    if change.interests is not None:
        interests.store(stored, change.interests)
    return refused


def _has_just_been_asked(subscription: Subscription) -> bool:
    """Return whether a mail that asks to confirm has been sent within the pause, or is going to be."""
    last = subscription.last_mail_at
    is_recent = last is not None and timezone.now() - last < CONFIRMATION_PAUSE
    return is_recent and not subscription.bounced_at and list_open_confirm_links(subscription).exists()


def _set_pause(subscription: Subscription, until: datetime | None, *, language: str) -> None:
    before = subscription.paused_until if subscription.is_paused else None
    subscription.paused_until = until
    subscription.save(update_fields=["language", "paused_until"])
    if until != before:
        kind = ConsentKind.PAUSED if until else ConsentKind.RESUMED
        ConsentEvent.record(subscription, kind, language=language)
