"""Mails of the newsletter, each with fresh tokens."""

from datetime import datetime

from django.conf import settings

from newsletter.models import CONFIRM_LIFETIME, STATEMENT, LinkPurpose, Subscription, SubscriptionLink
from sailing.mail import outbox
from sailing.mail.models import MailPriority
from sailing.mail_links.tokens import link_url, not_me_url


def enqueue_welcome(
    subscription: Subscription,
    *,
    language: str,
    at: datetime | None = None,
    priority: MailPriority = MailPriority.NORMAL,
    was_requested: bool = True,
) -> None:
    """Ask the owner of the mailbox to confirm; `at` is the time to send the mail, now by default.

    `was_requested`: somebody asked for it on the site. Otherwise the mail says where the address comes from.
    """
    confirm, unsubscribe, preferences = SubscriptionLink.issue(
        LinkPurpose.CONFIRM, LinkPurpose.UNSUBSCRIBE, LinkPurpose.PREFERENCES, subscription=subscription
    )
    url = link_url("newsletter:confirm", token=confirm, language=language)
    _enqueue(
        "newsletter/welcome" if was_requested else "newsletter/confirm_imported",
        subscription,
        language=language,
        at=at,
        priority=priority,
        unsubscribe_url=_unsubscribe_url(unsubscribe, language),
        preferences_url=_build_preferences_url(preferences, language),
        confirm_url=url,
        not_me_url=not_me_url(url),
        confirm_days=CONFIRM_LIFETIME.days,
        statement=STATEMENT,
        operator=settings.OPERATOR_NAME,
    )


def enqueue_already_subscribed(subscription: Subscription, *, language: str) -> None:
    """Tell a subscriber about another request for the same subscription."""
    unsubscribe, preferences = SubscriptionLink.issue(
        LinkPurpose.UNSUBSCRIBE, LinkPurpose.PREFERENCES, subscription=subscription
    )
    url = _unsubscribe_url(unsubscribe, language)
    _enqueue(
        "newsletter/already_subscribed",
        subscription,
        language=language,
        unsubscribe_url=url,
        preferences_url=_build_preferences_url(preferences, language),
        not_me_url=not_me_url(url),
    )


def cancel_pending(subscription: Subscription) -> None:
    """Delete the unsent mails to a subscriber."""
    outbox.cancel_pending(outbox.subject_key(Subscription, subscription.pk))


def _unsubscribe_url(token: str, language: str) -> str:
    return link_url("newsletter:unsubscribe", token=token, language=language)


def _build_preferences_url(token: str, language: str) -> str:
    return link_url("newsletter:preferences", token=token, language=language)


def _enqueue(
    name: str,
    subscription: Subscription,
    *,
    language: str,
    unsubscribe_url: str,
    at: datetime | None = None,
    priority: MailPriority = MailPriority.NORMAL,
    **context: object,
) -> None:
    outbox.enqueue(
        name,
        to=subscription.email,
        language=language,
        context={"subscription": subscription, "unsubscribe_url": unsubscribe_url, **context},
        headers={
            # RFC 8058: mail programs post to this address without opening it.
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        subject_key=outbox.subject_key(Subscription, subscription.pk),
        at=at,
        priority=priority,
    )
