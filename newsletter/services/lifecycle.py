"""How a subscription begins, ends and is asked to confirm: what the use cases of the newsletter share."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.utils import timezone

from newsletter import mails
from newsletter.models import (
    ASKED_EVENTS,
    ConsentEvent,
    ConsentKind,
    LinkPurpose,
    Subscription,
    SubscriptionLink,
)
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from sailing.mail.outbox import mail_bounced

CONFIRMATION_PAUSE = timedelta(minutes=10)
CONFIRMATIONS_PER_DAY = 5
DAY = timedelta(days=1)
REMINDER_DELAY = 2 * DAY


def begin_subscription(subscription: Subscription, *, language: str) -> None:
    """Record that the owner of the mailbox wants newsletters. The caller has locked the subscription."""
    subscription.is_active = subscription.is_confirmed = True
    subscription.confirmed_at = timezone.now()
    subscription.asked_again_at = subscription.unsubscribed_at = None
    subscription.bounced_at = None  # the mail arrived
    subscription.save()
    mailboxes.record_answer(subscription.email)
    mailboxes.lift_suppression(subscription.email)
    close_confirm_links(subscription)
    ConsentEvent.record(subscription, ConsentKind.CONFIRMED, language=language)


def end_subscription(
    subscription: Subscription, *, event: ConsentKind, language: str, delivery: int | None = None
) -> None:
    """Stop newsletters at the owner's wish. `delivery`: of the mail with the link. The row is locked."""
    now = timezone.now()
    subscription.is_active = False
    subscription.asked_again_at = subscription.paused_until = None
    subscription.unsubscribed_at = now
    subscription.save()
    close_confirm_links(subscription)
    ConsentEvent.record(subscription, event, language=language)
    if delivery is not None:
        # It counts for the subscription of the mail, not for others that the same page ends.
        subscription.deliveries.filter(pk=delivery, unsubscribed_at=None).update(unsubscribed_at=now)


def ask_to_confirm(
    subscription: Subscription,
    *,
    language: str,
    source: str | None = None,
    event: ConsentKind = ConsentKind.REQUESTED,
    is_budgeted: bool = True,
    priority: MailPriority = MailPriority.NORMAL,
    by_id: int | None = None,
) -> bool:
    """Enqueue a mail that asks to confirm, if the limits on mails allow it; return whether they do.

    `is_budgeted`: it is not an answer of the owner, so it counts in the mailbox's budget. `by_id`: of the
    admin who asks. A reminder that waits is sent later.
    """
    if not _may_ask(subscription) or (is_budgeted and not mailboxes.reserve(subscription.email)):
        return False
    now = timezone.now()
    if not subscription.is_active:
        subscription.asked_again_at = now
    subscription.language = language
    subscription.source = source or subscription.source
    subscription.last_mail_at = now
    subscription.save()
    ConsentEvent.record(subscription, event, language=language, source=source, by_id=by_id)
    was_requested = subscription.consent_events.filter(kind=ConsentKind.REQUESTED).exists()
    mails.enqueue_welcome(subscription, language=language, was_requested=was_requested, priority=priority)
    remind_at = now + REMINDER_DELAY
    was_waiting = mails.cancel_pending(subscription, is_reminder=True)
    if was_waiting and mailboxes.reserve(subscription.email, remind_at):
        enqueue_reminder(subscription, language=language, at=remind_at)
    return True


def enqueue_reminder(subscription: Subscription, *, language: str, at: datetime) -> None:
    """Store the one reminder to confirm."""
    mails.enqueue_welcome(subscription, language=language, reminder_at=at, priority=MailPriority.BULK)
    ConsentEvent.record(subscription, ConsentKind.REMINDER, language=language)


def _may_ask(subscription: Subscription) -> bool:
    """Return whether a mail may ask to confirm now: not within the pause if the last link is still open."""
    now = timezone.now()
    asked = subscription.consent_events.filter(kind__in=ASKED_EVENTS, at__gt=now - DAY)
    if subscription.bounced_at or asked.count() >= CONFIRMATIONS_PER_DAY:
        return False
    last = subscription.last_mail_at
    is_recent = last is not None and now - last < CONFIRMATION_PAUSE
    return not (is_recent and list_open_confirm_links(subscription).exists())


def close_confirm_links(subscription: Subscription) -> None:
    """Close the open confirm links and cancel the mails with them that are not sent yet."""
    list_open_confirm_links(subscription).update(used_at=timezone.now())
    mails.cancel_pending(subscription)


def list_open_confirm_links(subscription: Subscription) -> QuerySet[SubscriptionLink]:
    return subscription.links.filter(purpose=LinkPurpose.CONFIRM, used_at=None)


def find_opted_out(emails: Collection[str]) -> set[str]:
    """Return the addresses that opted out before an import, for any audience, and did not confirm since."""
    kinds = (ConsentKind.IMPORTED_OPT_OUT, ConsentKind.CONFIRMED)
    events = ConsentEvent.objects.filter(subscription__email__in=emails, kind__in=kinds)
    last = dict(events.order_by("at", "pk").values_list("subscription__email", "kind"))
    return {email for email, kind in last.items() if kind == ConsentKind.IMPORTED_OPT_OUT}


def lock_address(email: str) -> list[Subscription]:
    """Lock and return the subscriptions of an address, in the one order that prevents deadlocks."""
    return list(Subscription.objects.filter(email=email).order_by("pk").select_for_update())


@receiver(mail_bounced)
def record_bounce(*, email: str, reason: str = "", **_signal: Any) -> None:
    """Record that mails do not arrive, with what the server said: the address gets none until confirmed."""
    with transaction.atomic():
        for subscription in lock_address(email):
            if subscription.bounced_at:
                continue
            subscription.bounced_at = timezone.now()
            subscription.save(update_fields=["bounced_at"])
            mails.cancel_pending(subscription, is_reminder=True)
            comment = reason[: ConsentEvent.COMMENT_LENGTH]
            ConsentEvent.record(subscription, ConsentKind.BOUNCED, comment=comment)
