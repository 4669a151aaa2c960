"""What the links in mails to members share."""

from datetime import timedelta
from math import ceil

import structlog
from django.db import transaction
from django.utils import timezone

from accounts import mails
from accounts.models import AccountLink, LinkPurpose, User
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""

LINK_EVENTS = {
    LinkPurpose.VERIFY: "verification_resent",
    LinkPurpose.RESET: "password_reset_sent",
    LinkPurpose.CHANGE_EMAIL: "email_change_requested",
}
"""Log events of the links that were asked for after the sign-up."""

logger = structlog.get_logger(__name__)


def renew_link(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Send a new link in place of an expired one, to the same mailbox.

    Within `MAIL_PAUSE` nothing is sent and the result is the same: the mailbox has a newer link already. An
    expired change of the address stays expired: to ask for it takes the password.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        if link is None or link.user is None or link.status is not LinkStatus.EXPIRED:
            return get_status(link)
        if purpose == LinkPurpose.CHANGE_EMAIL:
            return LinkStatus.EXPIRED
        mailboxes.record_answer(link.email)
        is_due = not get_seconds_until_mail(link.user, purpose, email=link.email)
        if is_due:
            mails.enqueue_link(link.user, purpose, to=link.email)
    if is_due:
        logger.info(LINK_EVENTS[purpose], user_id=link.user_id)
    return LinkStatus.RENEWED


def close_links(user: User, *purposes: LinkPurpose) -> None:
    """Let the unused links of a member for some purposes work no more."""
    user.links.filter(purpose__in=purposes, used_at=None).update(used_at=timezone.now())


def get_seconds_until_mail(user: User, purpose: LinkPurpose, *, email: str) -> int:
    """Return how long the next mail of a kind to an address must wait; 0 if it may be sent now."""
    last = user.links.filter(purpose=purpose, email=email).order_by("created_at").last()
    left = last.created_at + MAIL_PAUSE - timezone.now() if last else timedelta(0)
    return max(0, ceil(left.total_seconds()))
