"""What opening a link of a newsletter mail finds, without changing anything."""

from enum import Enum

from newsletter.models import LinkPurpose, SubscriptionLink


class Outcome(Enum):
    """How things stand with a link, or what came of its button."""

    OPEN = "open"
    """Its button would act."""
    DONE = "done"
    """What it is for holds, by this link or otherwise."""
    EXPIRED = "expired"
    """Too old to act; a new one can be asked for."""
    RENEWED = "renewed"
    """A newer link is in the mailbox."""
    SPENT = "spent"
    """Used, or overtaken by what its owner did later; it does nothing any more."""
    UNKNOWN = "unknown"
    """Never sent, or its subscription is gone."""


def find(*, token: str, purpose: LinkPurpose) -> SubscriptionLink | None:
    """The link of a token, with its subscription; None for a token that never was one of this purpose."""
    return SubscriptionLink.find(token, purpose=purpose)


def outcome(link: SubscriptionLink | None) -> Outcome:
    """How things stand with a link."""
    if link is None:
        return Outcome.UNKNOWN
    subscription = link.subscription
    if link.purpose == LinkPurpose.UNSUBSCRIBE:
        return Outcome.DONE if subscription.unsubscribed_at else Outcome.OPEN
    if link.used_at:
        return Outcome.DONE if subscription.is_confirmed and subscription.is_active else Outcome.SPENT
    return Outcome.EXPIRED if link.is_expired else Outcome.OPEN
