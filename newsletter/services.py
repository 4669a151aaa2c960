"""Use cases of the newsletter.

Each function validates, checks the rate limit, and works in one transaction that includes the mail. It
locks the subscription first, so that concurrent requests wait for each other.
"""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

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
)
from newsletter.validation import SubscriptionRequest, validate_subscription
from sailing.email import mailbox_budget, suppression
from sailing.email.tokens import LinkStatus, get_status
from sailing.erasure import erase
from sailing.models import MailPriority, SuppressionReason
from sailing.ratelimit.limits import check_rate

CONFIRMATION_PAUSE = timedelta(minutes=10)
CONFIRMATIONS_PER_DAY = 5
REMINDER_PAUSE = timedelta(days=1)
DAY = timedelta(days=1)

MIN_FILL_MILLISECONDS = 1000
"""People take longer to fill in the form."""

logger = structlog.get_logger(__name__)


def subscribe(
    *,
    request: HttpRequest,
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
    check_rate(request, group="subscribe", rate=settings.SUBSCRIBE_RATE)
    wanted = validate_subscription(email=email, user_type=user_type, source=source)
    if trap := _detect_bot(website, fill_time):
        logger.info("subscription_dropped", trap=trap)
        return wanted
    try:
        _store_request(wanted, language)
    except Subscription.DoesNotExist:  # the existing row was erased before it was locked
        _store_request(wanted, language)
    return wanted


def confirm(*, token: str, language: str) -> LinkStatus:
    """Confirm a subscription by the link in the mail; `language` is that of the page."""
    with transaction.atomic():
        link = SubscriptionLink.find_locked(token, purpose=LinkPurpose.CONFIRM)
        if link is None or link.subscription is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = subscription.is_confirmed = True
        subscription.confirmed_at = now
        subscription.asked_again_at = subscription.unsubscribed_at = None
        subscription.bounced_at = None  # the mail arrived
        subscription.save()
        mailbox_budget.record_answer(subscription.email)
        suppression.lift(subscription.email)
        _close_confirm_links(subscription, now)
        ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language=language)
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
        now = timezone.now()
        subscription = link.subscription
        subscription.is_active = False
        subscription.asked_again_at = None
        subscription.unsubscribed_at = now
        subscription.save()
        _close_confirm_links(subscription, now)
        ConsentEvent.record(subscription, ConsentKind.UNSUBSCRIBED, language=language)
        return LinkStatus.DONE


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
        is_deactivated = not current.is_active and not current.asked_again_at
        if current.state is not State.PENDING or is_deactivated:
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
    """Record that mails to an address do not arrive: its subscriptions get none until they are confirmed.

    The consent history has no event for it, because the owner said nothing.
    """
    Subscription.objects.filter(email=email, bounced_at=None).update(bounced_at=timezone.now())


def _detect_bot(website: str | None, fill_time: int | None) -> str | None:
    """Return the name of the trap that a submission fell into; None for a person."""
    if website:
        return "honeypot"
    return "fill_time" if fill_time is not None and fill_time < MIN_FILL_MILLISECONDS else None


def _store_request(wanted: SubscriptionRequest, language: str) -> None:
    """Store a request. Raises Subscription.DoesNotExist if the existing row is erased before it is locked."""
    key = {"email": wanted.email, "user_type": wanted.user_type}
    source = wanted.source or ""
    new = Subscription(**key, source=source, language=language, last_mail_at=timezone.now())
    try:
        with transaction.atomic():
            new.save(force_insert=True)
            if mailbox_budget.reserve(new.email):
                transaction.set_rollback(True)
                return
            mails.enqueue_welcome(new, language=language)
            ConsentEvent.record(new, ConsentKind.REQUESTED, language=language)
            return
    except IntegrityError:  # the address has a subscription
        pass
    with transaction.atomic():
        subscription = Subscription.objects.select_for_update().get(**key)
        if subscription.is_confirmed and subscription.is_active:
            _remind(subscription, language=language)
        else:
            _ask_to_confirm(subscription, language=language, source=source, is_budgeted=True)


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
    if at is None or (is_budgeted and mailbox_budget.reserve(subscription.email)):
        return False
    if not subscription.is_active:
        subscription.asked_again_at = now
    subscription.language = language
    subscription.source = source or subscription.source
    subscription.last_mail_at = at
    subscription.save()
    mails.enqueue_welcome(subscription, language=language, at=at if at > now else None, priority=priority)
    ConsentEvent.record(subscription, event, language=language, source=source)
    return True


def _next_mail_at(subscription: Subscription, now: datetime) -> datetime | None:
    """Return when to send the next mail that asks to confirm: now, after the pause, or never (None).

    Within the pause a subscriber with an open link, sent or scheduled, is not asked again.
    """
    if subscription.bounced_at:
        return None
    requests = subscription.consent_events.filter(kind__in=ASKED_EVENTS, at__gt=now - DAY)
    if requests.count() >= CONFIRMATIONS_PER_DAY:
        return None
    last = subscription.last_mail_at
    if not last or now - last >= CONFIRMATION_PAUSE:
        return now
    return None if _open_confirm_links(subscription).exists() else last + CONFIRMATION_PAUSE


def _remind(subscription: Subscription, *, language: str) -> None:
    """Tell a confirmed subscriber about another request, at most once in `REMINDER_PAUSE`."""
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
