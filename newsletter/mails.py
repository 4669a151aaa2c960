"""The newsletter's own mails. Each carries links of its own, so that the tokens need no storing in clear."""

from datetime import datetime, timedelta

from newsletter import consent
from newsletter.models import LinkPurpose, Subscription, SubscriptionLink
from sailing import links, mail

CONFIRM_LIFETIME = timedelta(days=7)


def enqueue_welcome(subscription: Subscription, *, language: str, at: datetime | None = None) -> None:
    """The mail that asks the owner of a mailbox to confirm, sent now or later."""
    token = SubscriptionLink.issue(
        lifetime=CONFIRM_LIFETIME, subscription=subscription, purpose=LinkPurpose.CONFIRM
    )
    _enqueue(
        "newsletter/welcome",
        subscription,
        language=language,
        at=at,
        confirm_url=links.url("newsletter:confirm", token=token, language=language),
        confirm_days=CONFIRM_LIFETIME.days,
        statement=consent.STATEMENT,
    )


def enqueue_already_aboard(subscription: Subscription, *, language: str) -> None:
    """The mail that tells a subscriber of a second request, which the website does not."""
    _enqueue("newsletter/already_aboard", subscription, language=language)


def withdraw(subscription: Subscription) -> None:
    """Send none of the mails that wait."""
    mail.withdraw(about=mail.about(Subscription, subscription.pk))


def _enqueue(
    name: str,
    subscription: Subscription,
    *,
    language: str,
    at: datetime | None = None,
    **context: object,
) -> None:
    token = SubscriptionLink.issue(lifetime=None, subscription=subscription, purpose=LinkPurpose.UNSUBSCRIBE)
    unsubscribe_url = links.url("newsletter:unsubscribe", token=token, language=language)
    mail.enqueue(
        name,
        to=subscription.email,
        language=language,
        context={"subscription": subscription, "unsubscribe_url": unsubscribe_url, **context},
        headers={
            # RFC 8058: the mail program posts to this address by itself.
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        about=mail.about(Subscription, subscription.pk),
        at=at,
    )
