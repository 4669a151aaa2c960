"""What opening a link of a mail to a member finds, without changing anything."""

from datetime import timedelta

from accounts.models import AccountLink, LinkPurpose
from sailing.email.tokens import Outcome

VERIFY_LIFETIME = timedelta(hours=72)
RESET_LIFETIME = timedelta(hours=3)
"""Long enough to get from an admin's click to the mail, too short for a mailbox that is read later."""


def find(*, token: str, purpose: LinkPurpose) -> AccountLink | None:
    """The link of a token, with its member; None for a token that never was one of this purpose."""
    return AccountLink.find(token, purpose=purpose)


def outcome(link: AccountLink | None) -> Outcome:
    """How things stand with a link.

    One to reset a password is DONE as soon as the password was changed, by it or otherwise.
    """
    if link is None:
        return Outcome.UNKNOWN
    user = link.user
    if user is None:
        return Outcome.DISOWNED
    if not user.is_active or link.email != user.email:
        return Outcome.SPENT
    if link.purpose == LinkPurpose.VERIFY and user.is_email_verified:
        return Outcome.DONE
    if link.used_at:
        return Outcome.SPENT if link.purpose == LinkPurpose.VERIFY else Outcome.DONE
    return Outcome.EXPIRED if link.is_expired else Outcome.OPEN
