"""The newsletter's own mails. Each carries links of its own, so that the tokens need no storing in clear."""

from datetime import datetime, timedelta
from typing import Any

from newsletter import consent
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from sailing.email import outbox
from sailing.email import tokens as email_tokens

CONFIRM_LIFETIME = timedelta(days=7)


def enqueue_welcome(subscription: Subscription, *, language: str, at: datetime | None = None) -> None:
    """The mail that asks the owner of a mailbox to confirm, sent now or later."""
    confirm, unsubscribe = SubscriptionLink.issue_all(
        {"subscription": subscription, "purpose": LinkPurpose.CONFIRM, "lifetime": CONFIRM_LIFETIME},
        _unsubscribe_link(subscription),
    )
    confirm_url = email_tokens.url("newsletter:confirm", token=confirm, language=language)
    _enqueue(
        "newsletter/welcome",
        subscription,
        unsubscribe,
        language=language,
        at=at,
        confirm_url=confirm_url,
        not_me_url=email_tokens.not_me(confirm_url),
        confirm_days=CONFIRM_LIFETIME.days,
        statement=consent.STATEMENT,
    )


def enqueue_already_aboard(subscription: Subscription, *, language: str) -> None:
    """The mail that tells a subscriber of a second request, which the website does not."""
    (unsubscribe,) = SubscriptionLink.issue_all(_unsubscribe_link(subscription))
    unsubscribe_url = email_tokens.url("newsletter:unsubscribe", token=unsubscribe, language=language)
    _enqueue(
        "newsletter/already_aboard",
        subscription,
        unsubscribe,
        language=language,
        not_me_url=email_tokens.not_me(unsubscribe_url),
    )


def withdraw(subscription: Subscription) -> None:
    """Send none of the mails that wait."""
    outbox.withdraw(about=outbox.about(Subscription, subscription.pk))


def _unsubscribe_link(subscription: Subscription) -> dict[str, Any]:
    return {"subscription": subscription, "purpose": LinkPurpose.UNSUBSCRIBE, "lifetime": None}


def _enqueue(
    name: str,
    subscription: Subscription,
    unsubscribe: str,
    *,
    language: str,
    at: datetime | None = None,
    **context: object,
) -> None:
    unsubscribe_url = email_tokens.url("newsletter:unsubscribe", token=unsubscribe, language=language)
    outbox.enqueue(
        name,
        to=subscription.email,
        language=language,
        context={"subscription": subscription, "unsubscribe_url": unsubscribe_url, **context},
        headers={
            # RFC 8058: the mail program posts to this address by itself.
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        about=outbox.about(Subscription, subscription.pk),
        at=at,
    )
