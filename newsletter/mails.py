"""Mails of the newsletter."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from newsletter.models import CONFIRM_LIFETIME, STATEMENT, LinkPurpose, Subscription, SubscriptionLink
from newsletter.tokens import build_urls
from sailing.mail import outbox
from sailing.mail.links import link_url, not_me_url
from sailing.mail.models import MailPriority


def enqueue_welcome(
    subscription: Subscription,
    *,
    language: str,
    was_requested: bool = True,
    reminder_at: datetime | None = None,
    priority: MailPriority = MailPriority.NORMAL,
) -> None:
    """Ask the owner of the mailbox to confirm, now, or by the one reminder at a time.

    `was_requested`: somebody asked for it on the site. Otherwise the mail says where the address comes from,
    and does not speak of a subscription: only mail programs get a link to unsubscribe. The link is valid from
    when the mail is sent.
    """
    batch = None if was_requested else subscription.import_batch
    lifetime = CONFIRM_LIFETIME + (reminder_at - timezone.now()) if reminder_at else None
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription, lifetime=lifetime)
    url = link_url("newsletter:confirm", token=token, language=language)
    context = {
        "url": url,
        "not_me_url": not_me_url(url),
        "confirm_days": CONFIRM_LIFETIME.days,
        "statement": STATEMENT,
        "operator": settings.OPERATOR_NAME,
        "origin": batch.origin if batch else "",
        "is_reminder": reminder_at is not None,
        "is_subscribed": was_requested,
    }
    _enqueue(
        "newsletter/welcome" if was_requested else "newsletter/confirm_imported",
        subscription,
        language,
        context,
        is_reminder=reminder_at is not None,
        at=reminder_at,
        priority=priority,
    )


def enqueue_already_subscribed(subscription: Subscription, *, language: str) -> None:
    """Tell a subscriber about another request for the same subscription."""
    context = {
        "not_me_url": not_me_url(build_urls(subscription.pk, language=language)["unsubscribe_url"]),
        "paused_until": subscription.paused_until if subscription.is_paused else None,
    }
    _enqueue("newsletter/already_subscribed", subscription, language, context)


def cancel_pending(subscription: Subscription, **which: bool) -> bool:
    """Delete the unsent mails to a subscriber, or some; return whether there were any. See `outbox`."""
    return outbox.cancel_pending(outbox.subject_key(Subscription, subscription.pk), **which)


def _enqueue(
    name: str, subscription: Subscription, language: str, context: dict[str, Any], **options: Any
) -> None:
    """Enqueue a mail with the links to unsubscribe and to the preferences."""
    urls = build_urls(subscription.pk, language=language)
    outbox.enqueue(
        name,
        to=subscription.email,
        language=language,
        context={"subscription": subscription, "is_subscribed": True, **urls, **context},
        headers={
            # RFC 8058: mail programs post to this address without opening it.
            "List-Unsubscribe": f"<{urls['unsubscribe_url']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        subject_key=outbox.subject_key(Subscription, subscription.pk),
        **options,
    )
