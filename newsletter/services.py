"""The newsletter's use cases. Each is one function and one transaction, its mail included.

Whoever changes a subscription locks its row first, so that parallel requests queue up; SQLite has no
row locks, and one writer at a time.
"""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from newsletter import consent, links, mails
from newsletter.models import (
    OWN_WORDS,
    ConsentKind,
    LinkPurpose,
    State,
    Subscription,
    SubscriptionLink,
)
from newsletter.validation import SubscriptionRequest, validated
from sailing.email import mailbox_budget
from sailing.email.tokens import Outcome
from sailing.erasure import erase
from sailing.ratelimit.limits import check_rate

CONFIRMATION_PAUSE = timedelta(minutes=10)
CONFIRMATIONS_A_DAY = 5
REMINDER_PAUSE = timedelta(days=1)
DAY = timedelta(days=1)

MIN_FILL_TIME = 1000
"""Milliseconds; a person takes longer to fill the form in."""

logger = structlog.get_logger(__name__)


def subscribe(*, request: SubscriptionRequest, language: str) -> None:
    """Take a request to subscribe; what comes of it stands in a mail alone.

    Where the mailbox may get no mail (`sailing.email.mailbox_budget`), nothing is stored either.

    An address that has not confirmed, or has ended its subscription, is asked to confirm, as often as
    the limits on mails allow; past them the request changes nothing. A confirmed one is reminded that
    it is aboard. To one that bounced nothing is sent. Who asked learns neither (OWASP Authentication
    Cheat Sheet, "Authentication and Error Messages").
    """
    try:
        _store_request(request, language)
    except Subscription.DoesNotExist:  # erased between the two statements, so this one is new
        _store_request(request, language)


def confirm(*, token: str, language: str) -> Outcome:
    """Carry out a confirm link: the owner of the mailbox said yes, reading in `language`."""
    with transaction.atomic():
        link = _locked(token, LinkPurpose.CONFIRM)
        outcome = links.outcome(link)
        if outcome is not Outcome.OPEN or link is None or link.subscription is None:
            return outcome
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = subscription.is_confirmed = True
        subscription.confirmed_at = now
        subscription.asked_again_at = subscription.unsubscribed_at = None
        subscription.bounced_at = None  # the mail evidently arrived
        subscription.save()
        mailbox_budget.record_answer(subscription.email)
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
        if outcome is not Outcome.EXPIRED or link is None or link.subscription is None:
            return outcome
        mailbox_budget.record_answer(link.subscription.email)
        _ask_to_confirm(link.subscription, language=link.subscription.language)
        return Outcome.RENEWED


def unsubscribe(*, token: str, language: str) -> Outcome:
    """Carry out an unsubscribe link, however old it is, as often as there is something to end.

    It does not count as an answer (`sailing.email.mailbox_budget`): who leaves asks for no more mails.
    """
    with transaction.atomic():
        link = _locked(token, LinkPurpose.UNSUBSCRIBE)
        outcome = links.outcome(link)
        if outcome is not Outcome.OPEN or link is None or link.subscription is None:
            return outcome
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = False
        subscription.asked_again_at = None
        subscription.unsubscribed_at = now
        subscription.save()
        _stop_asking(subscription, now)
        consent.record(subscription, ConsentKind.UNSUBSCRIBED, language=language)
        return Outcome.DONE


def disown(*, token: str, purpose: LinkPurpose, language: str) -> Outcome:
    """Carry out "This was not me": somebody else asked in the name of the mailbox's owner.

    No more mails that such a request causes go to the mailbox. A request whose owner never answered is
    deleted, with everything about it. A subscription that its owner confirmed or ended once stays as the
    owner left it; only the open request goes.
    """
    with transaction.atomic():
        link = _locked(token, purpose)
        outcome = links.outcome(link)
        may_disown = {Outcome.OPEN, Outcome.EXPIRED, Outcome.SPENT}
        if purpose is LinkPurpose.UNSUBSCRIBE:
            may_disown.add(Outcome.DONE)
        if outcome not in may_disown or link is None or link.subscription is None:
            return outcome
        subscription = link.subscription
        mailbox_budget.block(subscription.email)
        if not _was_answered(subscription):
            link.subscription = None
            link.save(update_fields=["subscription"])
            erase(Subscription, [subscription.pk])
            return Outcome.DISOWNED
        _stop_asking(subscription, timezone.now())
        if subscription.asked_again_at:
            subscription.asked_again_at = None
            subscription.save()
            consent.record(subscription, ConsentKind.DISOWNED, language=language)
        return Outcome.BLOCKED


def resend_confirmation(*, subscription: Subscription) -> bool:
    """Ask a pending subscriber once more, on an admin's word.

    Returns whether a mail goes out: not when there is nothing to confirm, nor past the limits on mails.
    Raises Subscription.DoesNotExist for one that was erased meanwhile, as the next two do.
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
    """Undo a deactivation. A confirmed subscriber need not answer a request made meanwhile.

    Returns whether there was something to change. Whose last word was to unsubscribe stays inactive:
    only a confirmation of their own brings them back.
    """
    with transaction.atomic():
        current = _lock(subscription)
        if current.is_active or _left(current):
            return False
        current.is_active = True
        current.asked_again_at = None
        current.save()
        if current.is_confirmed:
            _stop_asking(current, timezone.now())
        consent.record(current, ConsentKind.ACTIVATED, language=current.language)
        return True


def submit_subscription(
    http_request: HttpRequest,
    *,
    email: str,
    user_type: str,
    source: str | None,
    website: str | None,
    fill_time: int | None = None,
) -> SubscriptionRequest:
    """Subscribe with what the form sent, by GraphQL or as a plain form post.

    `website` is the honeypot and `fill_time` the milliseconds from showing the form to sending it; a form
    that works without a script sends none. A submission by a program is answered like any other, and nothing
    is stored or sent (OWASP Automated Threats, OAT-019).

    Returns the request as it was understood. Raises RateLimited and BadUserInput.
    """
    check_rate(http_request, group="subscribe", rate=settings.SUBSCRIBE_RATE)
    request = validated(email=email, user_type=user_type, source=source)
    trap = _bot_trap(website, fill_time)
    if trap:
        logger.info("subscription_dropped", trap=trap)
    else:
        subscribe(request=request, language=get_language())
    return request


def _bot_trap(website: str | None, fill_time: int | None) -> str | None:
    if website:
        return "honeypot"
    return "fill_time" if fill_time is not None and fill_time < MIN_FILL_TIME else None


def _store_request(request: SubscriptionRequest, language: str) -> None:
    """Raise Subscription.DoesNotExist if the existing row is deleted before it can be locked."""
    values = {"email": request.email, "user_type": request.user_type}
    source = request.source or ""
    new = Subscription(**values, source=source, language=language, last_mail_at=timezone.now())
    try:
        with transaction.atomic():
            new.save(force_insert=True)
            if mailbox_budget.reserve(new.email):
                transaction.set_rollback(True)  # no mail is sent, so the request is not stored
                return
            mails.enqueue_welcome(new, language=language)
            consent.record(new, ConsentKind.REQUESTED, language=language)
            return
    except IntegrityError:  # the address has a subscription
        pass
    with transaction.atomic():
        subscription = Subscription.objects.select_for_update().get(**values)
        if subscription.is_confirmed and subscription.is_active:
            _remind(subscription, language=language)
        else:
            _ask_to_confirm(subscription, language=language, source=source, is_budgeted=True)


def _lock(subscription: Subscription) -> Subscription:
    return Subscription.objects.select_for_update().get(pk=subscription.pk)


def _locked(token: str, purpose: LinkPurpose) -> SubscriptionLink | None:
    link = links.find(token=token, purpose=purpose)
    if link is None:
        return None
    subscription = Subscription.objects.select_for_update().filter(links=link).first()
    # Read again under the lock: it may have been erased or disowned meanwhile.
    link = links.find(token=token, purpose=purpose)
    if link and subscription and link.subscription_id == subscription.pk:
        link.subscription = subscription
    return link


def _ask_to_confirm(
    subscription: Subscription, *, language: str, source: str | None = None, is_budgeted: bool = False
) -> bool:
    """Send a mail that asks to confirm; return whether one goes out.

    `is_budgeted`: neither the owner nor an admin asked for it, so that it counts in the mailbox's budget.
    """
    now = timezone.now()
    at = _next_mail_at(subscription, now)
    if at is None or (is_budgeted and mailbox_budget.reserve(subscription.email)):
        return False
    if not subscription.is_active:
        subscription.asked_again_at = now
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
    if mailbox_budget.reserve(subscription.email):
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


def _was_answered(subscription: Subscription) -> bool:
    """Return whether the owner confirmed or ended a subscription, now or earlier."""
    if subscription.is_confirmed or subscription.unsubscribed_at:
        return True
    return subscription.consent_events.filter(kind__in=OWN_WORDS).exists()


def _left(subscription: Subscription) -> bool:
    if subscription.unsubscribed_at:
        return True
    last = subscription.consent_events.filter(kind__in=OWN_WORDS).last()
    return last is not None and last.kind != ConsentKind.CONFIRMED
