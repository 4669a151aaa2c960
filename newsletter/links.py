"""What opening a link of a newsletter mail finds, without changing anything."""

from newsletter.models import LinkPurpose, SubscriptionLink
from sailing.email.tokens import Outcome


def find(*, token: str, purpose: LinkPurpose) -> SubscriptionLink | None:
    """The link of a token, with its subscription; None for a token that never was one of this purpose."""
    return SubscriptionLink.find(token, purpose=purpose)


def outcome(link: SubscriptionLink | None) -> Outcome:
    """How things stand with a link."""
    if link is None:
        return Outcome.UNKNOWN
    subscription = link.subscription
    if subscription is None:
        return Outcome.DISOWNED
    if link.purpose == LinkPurpose.UNSUBSCRIBE:
        has_left = subscription.unsubscribed_at and not subscription.asked_again_at
        return Outcome.DONE if has_left else Outcome.OPEN
    if link.used_at:
        return Outcome.DONE if subscription.is_confirmed and subscription.is_active else Outcome.SPENT
    return Outcome.EXPIRED if link.is_expired else Outcome.OPEN
