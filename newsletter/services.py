"""Use cases of the newsletter.

Each function validates, checks the rate limit, and works in one transaction that includes the mail. It
locks the subscriptions before it changes them, so that concurrent requests wait for each other.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from newsletter import mails
from newsletter.models import (
    ASKED_EVENTS,
    OWNER_EVENTS,
    ConsentEvent,
    ConsentKind,
    LinkPurpose,
    State,
    Subscription,
    SubscriptionLink,
    UserType,
)
from newsletter.traps import detect_bot
from newsletter.validation import (
    PreferencesChange,
    SubscriptionRequest,
    validate_preferences,
    validate_subscription,
)
from sailing.client import Client
from sailing.errors import BadUserInput, Unauthenticated
from sailing.mail import mailbox_budget, suppression
from sailing.mail.models import MailPriority, SuppressionReason
from sailing.mail_links.tokens import LinkStatus, get_status
from sailing.privacy.erasure import erase
from sailing.ratelimit.limits import check_mail_rate, check_rate

CONFIRMATION_PAUSE = timedelta(minutes=10)
CONFIRMATIONS_PER_DAY = 5
REMINDER_PAUSE = timedelta(days=1)
DAY = timedelta(days=1)

PREFERENCES_LINK_RATE = "10/h"
"""Of the new links to the preferences that one link to unsubscribe leads to."""

logger = structlog.get_logger(__name__)


def subscribe(
    *,
    client: Client,
    email: str,
    user_type: str,
    source: str | None,
    website: str | None,
    fill_time: int | None = None,
    language: str,
) -> SubscriptionRequest:
    """Take a request to subscribe and return it validated.

    `website` is the honeypot. `fill_time` is the time from showing the form to sending it in milliseconds;
    a form without JavaScript has none. A bot gets the same answer, and nothing is stored or sent (OWASP
    Automated Threats, OAT-019).

    A pending or ended subscription is asked to confirm, as often as the limits on mails allow. A confirmed
    one gets an "already aboard" mail. A bounced one gets nothing. If the budget of the mailbox is used up,
    a new subscription is not stored. The answer is the same in all cases (OWASP Authentication Cheat Sheet,
    "Authentication and Error Messages").
    Raises RateLimited and BadUserInput.
    """
    check_rate(client, group="subscribe", rate=settings.SUBSCRIBE_RATE)
    wanted = validate_subscription(email=email, user_type=user_type, source=source)
    if trap := detect_bot(website, fill_time):
        logger.info("subscription_dropped", trap=trap)
        return wanted
    check_mail_rate(client)
    ask_to_subscribe(wanted, language=language)
    return wanted


def ask_to_subscribe(wanted: SubscriptionRequest, *, language: str) -> None:
    """Store a validated request, and ask the owner of the mailbox to confirm it."""
    try:
        _store_request(wanted, language)
    except IntegrityError:  # another request has stored the same subscription meanwhile
        _store_request(wanted, language)


def confirm(*, token: str, language: str) -> LinkStatus:
    """Confirm a subscription by the link in the mail; `language` is that of the page."""
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=LinkPurpose.CONFIRM)
        if link is None or link.subscription is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        link.subscription.paused_until = None
        _begin_subscription(link.subscription, language=language)
        return LinkStatus.DONE


def renew_link(*, token: str) -> LinkStatus:
    """Send a new confirm link in place of an expired one.

    Past the limits on mails nothing is sent and the result is the same: the mailbox has a newer link already.
    """
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=LinkPurpose.CONFIRM)
        if link is None or link.subscription is None or link.status is not LinkStatus.EXPIRED:
            return get_status(link)
        mailbox_budget.record_answer(link.subscription.email)
        _ask_to_confirm(link.subscription, language=link.subscription.language)
        return LinkStatus.RENEWED


def unsubscribe(*, token: str, language: str) -> LinkStatus:
    """End a subscription by the link in a mail of any age.

    It does not count as an answer in the mailbox's budget: unsubscribing asks for fewer mails.
    """
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=LinkPurpose.UNSUBSCRIBE)
        if link is None or link.subscription is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        end_subscription(link.subscription, event=ConsentKind.UNSUBSCRIBED, language=language)
        return LinkStatus.DONE


def issue_preferences_link(*, client: Client, token: str) -> str | None:
    """Return the token of a new link to the preferences, for the holder of the link to unsubscribe.

    Every mail has both links, so this gives no new right. Returns None after the subscription was erased.
    Raises RateLimited, because each link is stored as long as its subscription.
    """
    check_rate(client, group="preferences-link", rate=PREFERENCES_LINK_RATE, value=token)
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=LinkPurpose.UNSUBSCRIBE)
        if link is None or link.subscription is None:
            return None
        return SubscriptionLink.issue(LinkPurpose.PREFERENCES, subscription=link.subscription)[0]


def end_subscription(
    subscription: Subscription, *, event: ConsentKind, language: str, reason: str = "", comment: str = ""
) -> None:
    """Stop newsletters at the owner's wish. The caller has locked the subscription."""
    now = timezone.now()
    subscription.is_active = False
    subscription.asked_again_at = subscription.paused_until = None
    subscription.unsubscribed_at = now
    subscription.save()
    _close_confirm_links(subscription, now)
    ConsentEvent.record(subscription, event, language=language, reason=reason, comment=comment)


@dataclass(frozen=True)
class Preferences:
    """What an address gets.

    `pending_audiences`: those that its owner has not confirmed. `paused_until`: None unless it is paused now.
    """

    audiences: tuple[UserType, ...]
    pending_audiences: tuple[UserType, ...]
    language: str
    paused_until: datetime | None


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
    )


class Refusal(Enum):
    """Why the owner of a mailbox cannot be asked to confirm a subscription."""

    TOO_MANY = auto()
    UNANSWERED = auto()
    BOUNCED = auto()


@dataclass(frozen=True)
class RefusedAudience:
    """An audience that somebody chose, and whose mail that asks to confirm it the limits forbid.

    `free_at`: when the limits allow it again; None unless time alone does.
    """

    audience: UserType
    reason: Refusal
    free_at: datetime | None = None


def change_preferences(
    *, subscription: Subscription, change: PreferencesChange, language: str
) -> list[RefusedAudience] | None:
    """Change what the address of a subscription gets, for the holder of a link in its mails.

    A mail may have been forwarded, so its link can end a subscription but not begin one: the owner of the
    mailbox is asked to confirm by mail. `language` is that of the page. Returns the audiences for which the
    limits on mails forbid that; all else is stored. Returns None if the subscription was erased meanwhile.
    """
    with transaction.atomic():
        stored, created = _create_and_lock(subscription.email, change, language)
        if subscription not in stored:
            transaction.set_rollback(True)  # nothing is created for an erased address
            return None
        refused = _change_preferences(stored, change, language, is_owner=False)
        # A subscription that nobody was asked to confirm would wait for ever.
        audiences = [each.audience for each in refused]
        Subscription.objects.filter(pk__in=created, user_type__in=audiences).delete()
        return refused


def get_member_preferences(*, client: Client, user: Any, page_language: str) -> Preferences | None:
    """Return the preferences of a member's address; None if it is not verified.

    An unverified address may be somebody else's. Raises RateLimited.
    """
    check_rate(client, group="newsletter-preferences", rate=settings.MEMBER_RATE)
    if not user.is_email_verified:
        return None
    return get_preferences(email=user.email, default_language=page_language)


def change_member_preferences(*, client: Client, user: Any, page_language: str, **values: Any) -> Preferences:
    """Change what a member's verified address gets, and return it.

    `values` are those of `validate_preferences`. Raises RateLimited, Unauthenticated and BadUserInput.
    """
    check_rate(client, group="change-newsletter-preferences", rate=settings.MEMBER_RATE)
    change = validate_preferences(**values)
    check_mail_rate(client)
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


def lock_address(subscription_pk: Any) -> Subscription | None:
    """Lock all subscriptions of the address of one; return that one, or None after it was erased.

    All code that needs more than one locks them in the order of their keys.
    """
    address = Subscription.objects.filter(pk=subscription_pk).values("email")
    locked = Subscription.objects.filter(email__in=address).order_by("pk").select_for_update()
    return next((each for each in locked if each.pk == subscription_pk), None)


def disown(*, token: str, purpose: LinkPurpose, language: str) -> LinkStatus:
    """Carry out "This was not me": somebody else asked in the name of the mailbox's owner.

    The mailbox is blocked for mails of that kind, and no import may add it. A request whose owner never
    answered is erased. A subscription whose owner confirmed or ended it once stays so; only the open request
    is dropped.
    """
    allowed = {LinkStatus.OPEN, LinkStatus.EXPIRED, LinkStatus.SPENT}
    if purpose is LinkPurpose.UNSUBSCRIBE:
        allowed.add(LinkStatus.DONE)
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=purpose)
        if link is None or link.subscription is None or link.status not in allowed:
            return get_status(link)
        subscription = link.subscription
        mailbox_budget.block(subscription.email)
        suppression.suppress(subscription.email, SuppressionReason.COMPLAINED)
        if not _has_owner_answered(subscription):
            link.subscription = None
            link.save(update_fields=["subscription"])
            erase(Subscription, [subscription.pk])
            return LinkStatus.DISOWNED
        _close_confirm_links(subscription, timezone.now())
        if subscription.asked_again_at:
            subscription.asked_again_at = None
            subscription.save()
            ConsentEvent.record(subscription, ConsentKind.DISOWNED, language=language)
        return LinkStatus.BLOCKED


def resend_confirmation(*, subscription: Subscription, is_budgeted: bool = False) -> bool:
    """Ask a pending subscriber again, as an admin, unless deactivated; return whether a mail was sent.

    The limits on mails apply, with `is_budgeted` also the budget of the mailbox.
    Raises Subscription.DoesNotExist if the subscription was erased meanwhile, as `deactivate` and `activate`
    do.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.state is not State.PENDING:
            return False
        return _ask_to_confirm(
            current,
            language=current.language,
            event=_asked_by_admin(current),
            is_budgeted=is_budgeted,
            priority=MailPriority.BULK if is_budgeted else MailPriority.NORMAL,
        )


def invite(*, subscription: Subscription) -> bool:
    """Ask an imported subscriber to confirm for the first time; return whether a mail was sent.

    Unlike a mail to one subscriber, it counts in the budget of the mailbox: no admin has checked the address.
    Raises Subscription.DoesNotExist like `resend_confirmation`.
    """
    with transaction.atomic():
        current = _lock(subscription)
        return (
            current.state is State.PENDING
            and current.last_mail_at is None
            and _ask_to_confirm(
                current,
                language=current.language,
                event=_asked_by_admin(current),
                is_budgeted=True,
                priority=MailPriority.BULK,
            )
        )


def deactivate(*, subscription: Subscription) -> bool:
    """Stop newsletters to a subscriber, as an admin; return False if they were stopped before."""
    with transaction.atomic():
        current = _lock(subscription)
        if not current.is_active:
            return False
        current.is_active = False
        current.save()
        _close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.DEACTIVATED, language=current.language)
        return True


def activate(*, subscription: Subscription) -> bool:
    """Undo a deactivation, as an admin; return whether there was one.

    A subscriber who opted out stays inactive: only their own confirmation brings them back.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.is_active or _has_opted_out(current):
            return False
        current.is_active = True
        current.asked_again_at = None
        current.save()
        if current.is_confirmed:
            _close_confirm_links(current, timezone.now())
        ConsentEvent.record(current, ConsentKind.ACTIVATED, language=current.language)
        return True


def record_bounce(*, email: str) -> None:
    """Record that mails to an address do not arrive: its subscriptions get none until they are confirmed."""
    with transaction.atomic():
        reached = Subscription.objects.filter(email=email, bounced_at=None).order_by("pk")
        for subscription in reached.select_for_update():
            subscription.bounced_at = timezone.now()
            subscription.save(update_fields=["bounced_at"])
            ConsentEvent.record(subscription, ConsentKind.BOUNCED, language=subscription.language)


def _store_request(wanted: SubscriptionRequest, language: str) -> None:
    """Store a request. Raises IntegrityError if another one stores the same subscription at the same time."""
    key = {"email": wanted.email, "user_type": wanted.user_type}
    source = wanted.source or ""
    with transaction.atomic():
        # PostgreSQL logs each violated constraint, and an address that has a subscription is no error.
        subscription = Subscription.objects.select_for_update().filter(**key).first()
        if subscription is None:
            new = Subscription(**key, source=source, language=language, last_mail_at=timezone.now())
            new.save(force_insert=True)
            if not mailbox_budget.reserve(new.email):
                transaction.set_rollback(True)
                return
            mails.enqueue_welcome(new, language=language)
            ConsentEvent.record(new, ConsentKind.REQUESTED, language=language)
        elif subscription.is_confirmed and subscription.is_active:
            _remind(subscription, language=language)
        else:
            _ask_to_confirm(subscription, language=language, source=source, is_budgeted=True)


def _begin_subscription(subscription: Subscription, *, language: str) -> None:
    """Record that the owner of the mailbox wants newsletters. The caller has locked the subscription."""
    now = timezone.now()
    subscription.is_active = subscription.is_confirmed = True
    subscription.confirmed_at = now
    subscription.asked_again_at = subscription.unsubscribed_at = None
    subscription.bounced_at = None  # the mail arrived
    subscription.save()
    mailbox_budget.record_answer(subscription.email)
    suppression.lift(subscription.email)
    _close_confirm_links(subscription, now)
    ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language=language)


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
    stored: list[Subscription], change: PreferencesChange, language: str, *, is_owner: bool
) -> list[RefusedAudience]:
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
            _begin_subscription(each, language=language)
        elif is_wanted and not each.is_subscribed:
            if not _ask_to_confirm(each, language=each.language, is_budgeted=True):
                each.save(update_fields=["language"])
                if not _has_just_been_asked(each):
                    refused.append(_explain_refusal(each))
        elif is_wanted:
            _set_pause(each, pause, language=language)
        elif each.is_subscribed or (change.audiences == frozenset() and not each.has_ended):
            end_subscription(
                each,
                event=ConsentKind.UNSUBSCRIBED,
                language=language,
                reason=change.reason,
                comment=change.comment,
            )
        else:
            each.save(update_fields=["language"])
    return refused


def _has_just_been_asked(subscription: Subscription) -> bool:
    """Return whether a mail that asks to confirm has been sent within the pause, or is going to be."""
    last = subscription.last_mail_at
    is_recent = last is not None and timezone.now() - last < CONFIRMATION_PAUSE
    return is_recent and not subscription.bounced_at and _open_confirm_links(subscription).exists()


def _explain_refusal(subscription: Subscription) -> RefusedAudience:
    """Return why `_ask_to_confirm` has just refused a mail that counts in the budget of the mailbox."""
    audience = UserType(subscription.user_type)
    if subscription.bounced_at:
        return RefusedAudience(audience, Refusal.BOUNCED)
    times = list(_recent_requests(subscription, timezone.now()).order_by("-at").values_list("at", flat=True))
    if len(times) >= CONFIRMATIONS_PER_DAY:
        return RefusedAudience(audience, Refusal.TOO_MANY, times[CONFIRMATIONS_PER_DAY - 1] + DAY)
    free_at = mailbox_budget.next_free_at(subscription.email)
    return RefusedAudience(audience, Refusal.TOO_MANY if free_at else Refusal.UNANSWERED, free_at)


def _set_pause(subscription: Subscription, until: datetime | None, *, language: str) -> None:
    before = subscription.paused_until if subscription.is_paused else None
    subscription.paused_until = until
    subscription.save(update_fields=["language", "paused_until"])
    if until != before:
        kind = ConsentKind.PAUSED if until else ConsentKind.RESUMED
        ConsentEvent.record(subscription, kind, language=language)


def _lock(subscription: Subscription) -> Subscription:
    return Subscription.objects.select_for_update().get(pk=subscription.pk)


def _asked_by_admin(subscription: Subscription) -> ConsentKind:
    return ConsentKind.INVITED if subscription.is_imported else ConsentKind.REQUESTED


def _ask_to_confirm(
    subscription: Subscription,
    *,
    language: str,
    source: str | None = None,
    event: ConsentKind = ConsentKind.REQUESTED,
    is_budgeted: bool = False,
    priority: MailPriority = MailPriority.NORMAL,
) -> bool:
    """Enqueue a mail that asks to confirm, if the limits on mails allow it; return whether they do.

    `is_budgeted`: anyone may have asked for the mail, so it counts in the mailbox's budget.
    """
    now = timezone.now()
    at = _next_mail_at(subscription, now)
    if at is None or (is_budgeted and not mailbox_budget.reserve(subscription.email)):
        return False
    if not subscription.is_active:
        subscription.asked_again_at = now
    subscription.language = language
    subscription.source = source or subscription.source
    subscription.last_mail_at = at
    subscription.save()
    mails.enqueue_welcome(
        subscription,
        language=language,
        at=at if at > now else None,
        priority=priority,
        is_imported=event is ConsentKind.INVITED,
    )
    ConsentEvent.record(subscription, event, language=language, source=source)
    return True


def _next_mail_at(subscription: Subscription, now: datetime) -> datetime | None:
    """Return when to send the next mail that asks to confirm: now, after the pause, or never (None).

    Within the pause a subscriber with an open link, sent or scheduled, is not asked again.
    """
    if subscription.bounced_at:
        return None
    if _recent_requests(subscription, now).count() >= CONFIRMATIONS_PER_DAY:
        return None
    last = subscription.last_mail_at
    if not last or now - last >= CONFIRMATION_PAUSE:
        return now
    return None if _open_confirm_links(subscription).exists() else last + CONFIRMATION_PAUSE


def _recent_requests(subscription: Subscription, now: datetime) -> QuerySet[ConsentEvent]:
    return subscription.consent_events.filter(kind__in=ASKED_EVENTS, at__gt=now - DAY)


def _remind(subscription: Subscription, *, language: str) -> None:
    """Tell a confirmed subscriber about another request, at most once in `REMINDER_PAUSE`."""
    now = timezone.now()
    if subscription.bounced_at:
        return
    if subscription.reminded_at and now - subscription.reminded_at < REMINDER_PAUSE:
        return
    if not mailbox_budget.reserve(subscription.email):
        return
    subscription.reminded_at = now
    subscription.save()
    mails.enqueue_already_subscribed(subscription, language=language)


def _close_confirm_links(subscription: Subscription, now: datetime) -> None:
    """Close the open confirm links and cancel the mails with them that are not sent yet."""
    _open_confirm_links(subscription).update(used_at=now)
    mails.cancel_pending(subscription)


def _open_confirm_links(subscription: Subscription) -> QuerySet[SubscriptionLink]:
    return subscription.links.filter(purpose=LinkPurpose.CONFIRM, used_at=None)


def _has_owner_answered(subscription: Subscription) -> bool:
    """Return whether the owner ever confirmed or ended the subscription."""
    if subscription.is_confirmed or subscription.unsubscribed_at:
        return True
    return subscription.consent_events.filter(kind__in=OWNER_EVENTS).exists()


def _has_opted_out(subscription: Subscription) -> bool:
    if subscription.unsubscribed_at:
        return True
    last = subscription.consent_events.filter(kind__in=OWNER_EVENTS).last()
    return last is not None and last.kind != ConsentKind.CONFIRMED
