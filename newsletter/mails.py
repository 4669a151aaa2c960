"""Mails of the newsletter."""

from datetime import datetime, timedelta

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
    at: datetime | None = None,
    priority: MailPriority = MailPriority.NORMAL,
    was_requested: bool = True,
    is_reminder: bool = False,
) -> None:
    """Ask the owner of the mailbox to confirm; `at` is the time to send the mail, now by default.

    `was_requested`: somebody asked for it on the site. Otherwise the mail says where the address comes from,
    and does not speak of a subscription: only mail programs get a link to unsubscribe.
    `is_reminder`: the mail says that it is the second and last one. The link is valid from `at` on.
    """
    batch = None if was_requested else subscription.import_batch
    lifetime = CONFIRM_LIFETIME + (at - timezone.now() if at else timedelta())
    token = SubscriptionLink.issue(LinkPurpose.CONFIRM, subscription=subscription, lifetime=lifetime)
    url = link_url("newsletter:confirm", token=token, language=language)
    _enqueue(
        "newsletter/welcome" if was_requested else "newsletter/confirm_imported",
        subscription,
        language=language,
        at=at,
        priority=priority,
        confirm_url=url,
        not_me_url=not_me_url(url),
        confirm_days=CONFIRM_LIFETIME.days,
        statement=STATEMENT,
        operator=settings.OPERATOR_NAME,
        origin=batch.origin if batch else "",
        is_reminder=is_reminder,
    )


def enqueue_already_subscribed(subscription: Subscription, *, language: str) -> None:
    """Tell a subscriber about another request for the same subscription."""
    url = build_urls(subscription.pk, language=language)["unsubscribe_url"]
    _enqueue(
        "newsletter/already_subscribed",
        subscription,
        language=language,
        not_me_url=not_me_url(url),
        paused_until=subscription.paused_until if subscription.is_paused else None,
    )


def cancel_reminder(subscription: Subscription) -> bool:
    """Delete the unsent reminder to a subscriber; return whether there was one."""
    return outbox.cancel_pending(outbox.subject_key(Subscription, subscription.pk), is_reminder=True)


def cancel_pending(subscription: Subscription) -> None:
    """Delete the unsent mails to a subscriber."""
    outbox.cancel_pending(outbox.subject_key(Subscription, subscription.pk))


def _enqueue(
    name: str,
    subscription: Subscription,
    *,
    language: str,
    at: datetime | None = None,
    priority: MailPriority = MailPriority.NORMAL,
    is_reminder: bool = False,
    **context: object,
) -> None:
    """Enqueue a mail with the links to unsubscribe and to the preferences."""
    urls = build_urls(subscription.pk, language=language)
    outbox.enqueue(
        name,
        to=subscription.email,
        language=language,
        context={"subscription": subscription, "is_reminder": is_reminder, **urls, **context},
        headers={
            # RFC 8058: mail programs post to this address without opening it.
            "List-Unsubscribe": f"<{urls['unsubscribe_url']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        subject_key=outbox.subject_key(Subscription, subscription.pk),
        is_reminder=is_reminder,
        at=at,
        priority=priority,
    )
