"""The newsletter's use cases. Each is one function and one transaction, its mail included.

Whoever changes a subscription locks its row first, so that parallel requests queue up; SQLite has no
row locks, and one writer at a time.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from newsletter import consent, links, mails
from newsletter.models import (
    OWN_WORDS,
    ConsentKind,
    LinkPurpose,
    State,
    Subscription,
    SubscriptionLink,
)
from newsletter.validation import SubscriptionRequest
from sailing.links import Outcome

CONFIRMATION_PAUSE = timedelta(minutes=10)
CONFIRMATIONS_A_DAY = 5
REMINDER_PAUSE = timedelta(days=1)
DAY = timedelta(days=1)


def subscribe(*, request: SubscriptionRequest, language: str) -> None:
    """Take a request to subscribe; what comes of it stands in a mail alone.

    An address that has not confirmed, or has ended its subscription, is asked to confirm, as often as
    the limits on mails allow; past them the request changes nothing. A confirmed one is reminded that
    it is aboard. To one that bounced nothing is sent. Who asked learns neither (OWASP Authentication
    Cheat Sheet, "Authentication and Error Messages").
    """
    values = {"email": request.email, "user_type": request.user_type}
    source = request.source or ""
    new = Subscription(**values, source=source, language=language, last_mail_at=timezone.now())
    with transaction.atomic():
        if Subscription.objects.add(new):
            mails.enqueue_welcome(new, language=language)
            consent.record(new, ConsentKind.REQUESTED, language=language)
            return
        subscription = Subscription.objects.select_for_update().get(**values)
        if subscription.is_confirmed and subscription.is_active:
            _remind(subscription, language=language)
        else:
            _ask_to_confirm(subscription, language=language, source=source)


def confirm(*, token: str, language: str) -> Outcome:
    """Carry out a confirm link: the owner of the mailbox said yes, reading in `language`."""
    with transaction.atomic():
        link = _locked(token, LinkPurpose.CONFIRM)
        outcome = links.outcome(link)
        if link is None or outcome is not Outcome.OPEN:
            return outcome
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = subscription.is_confirmed = True
        subscription.confirmed_at = now
        subscription.unsubscribed_at = subscription.bounced_at = None  # the mail evidently arrived
        subscription.save()
        _stop_asking(subscription, now)
        consent.record(subscription, ConsentKind.CONFIRMED, language=language)
        return Outcome.DONE


def renew(*, token: str) -> Outcome:
    """Send a new confirm link in place of an expired one.

    The limits on mails hold here too. Past them nothing is sent and the answer is the same: a newer
    link then is in the mailbox already.
    """
    with transaction.atomic():
        link = _locked(token, LinkPurpose.CONFIRM)
        outcome = links.outcome(link)
        if link is None or outcome is not Outcome.EXPIRED:
            return outcome
        _ask_to_confirm(link.subscription, language=link.subscription.language)
        return Outcome.RENEWED


def unsubscribe(*, token: str, language: str) -> Outcome:
    """Carry out an unsubscribe link, however old it is, as often as there is something to end."""
    with transaction.atomic():
        link = _locked(token, LinkPurpose.UNSUBSCRIBE)
        outcome = links.outcome(link)
        if link is None or outcome is not Outcome.OPEN:
            return outcome
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = False
        subscription.unsubscribed_at = now
        subscription.save()
        _stop_asking(subscription, now)
        consent.record(subscription, ConsentKind.UNSUBSCRIBED, language=language)
        return Outcome.DONE


def resend_confirmation(*, subscription: Subscription) -> bool:
    """Ask a pending subscriber once more.

    Returns whether a mail goes out: not when there is nothing to confirm, nor past the limits on mails.
    """
    with transaction.atomic():
        current = _lock(subscription)
        return current.state is State.PENDING and _ask_to_confirm(current, language=current.language)


def deactivate(*, subscription: Subscription) -> bool:
    """Send no newsletters to a subscriber until an admin or the subscriber changes that.

    Returns whether there was something to change.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if not current.is_active:
            return False
        current.is_active = False
        current.save()
        _stop_asking(current, timezone.now())
        consent.record(current, ConsentKind.DEACTIVATED, language=current.language)
        return True


def activate(*, subscription: Subscription) -> bool:
    """Undo a deactivation.

    Returns whether there was something to change. Whose last word was to unsubscribe stays inactive:
    only a confirmation of their own brings them back.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.is_active or _left(current):
            return False
        current.is_active = True
        current.save()
        consent.record(current, ConsentKind.ACTIVATED, language=current.language)
        return True


def _lock(subscription: Subscription) -> Subscription:
    return Subscription.objects.select_for_update().get(pk=subscription.pk)


def _locked(token: str, purpose: LinkPurpose) -> SubscriptionLink | None:
    link = links.find(token=token, purpose=purpose)
    if link is None:
        return None
    subscription = Subscription.objects.select_for_update().filter(pk=link.subscription_id).first()
    if subscription is None:
        return None
    # As it is now that nobody else can change it.
    link.refresh_from_db()
    link.subscription = subscription
    return link


def _ask_to_confirm(subscription: Subscription, *, language: str, source: str | None = None) -> bool:
    now = timezone.now()
    at = _next_mail_at(subscription, now)
    if at is None:
        return False
    subscription.is_confirmed = False
    subscription.confirmed_at = subscription.unsubscribed_at = None
    subscription.language = language
    subscription.source = source or subscription.source
    subscription.last_mail_at = at
    subscription.save()
    mails.enqueue_welcome(subscription, language=language, at=at if at > now else None)
    consent.record(subscription, ConsentKind.REQUESTED, language=language, source=source)
    return True


def _next_mail_at(subscription: Subscription, now: datetime) -> datetime | None:
    """When the owner may be asked: now, or at the end of the pause; None where it is not to be.

    Whose link still works was asked, or will be by a mail that waits, and is not asked twice in a pause.
    """
    if subscription.bounced_at:
        return None
    asked = subscription.consent_events.filter(kind=ConsentKind.REQUESTED, at__gt=now - DAY)
    if asked.count() >= CONFIRMATIONS_A_DAY:
        return None
    last = subscription.last_mail_at
    if not last or now - last >= CONFIRMATION_PAUSE:
        return now
    return None if _open_confirm_links(subscription).exists() else last + CONFIRMATION_PAUSE


def _remind(subscription: Subscription, *, language: str) -> None:
    now = timezone.now()
    if subscription.bounced_at:
        return
    if subscription.reminded_at and now - subscription.reminded_at < REMINDER_PAUSE:
        return
    subscription.reminded_at = now
    subscription.save()
    mails.enqueue_already_aboard(subscription, language=language)


def _stop_asking(subscription: Subscription, now: datetime) -> None:
    """Close the links that ask for a confirmation, and withdraw the mails that wait to bring them."""
    _open_confirm_links(subscription).update(used_at=now)
    mails.withdraw(subscription)


def _open_confirm_links(subscription: Subscription) -> QuerySet[SubscriptionLink]:
    return subscription.links.filter(purpose=LinkPurpose.CONFIRM, used_at=None)


def _left(subscription: Subscription) -> bool:
    if subscription.unsubscribed_at:
        return True
    last = subscription.consent_events.filter(kind__in=OWN_WORDS).last()
    return last is not None and last.kind != ConsentKind.CONFIRMED
