"""Sending members links to verify the address or to choose a password."""

from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import mails
from accounts.errors import MailLimitReached
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.membership import lock
from accounts.validation import validate_email
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.mail.models import MailPriority
from sailing.ratelimit.limits import check_rate

logger = structlog.get_logger(__name__)


def send_link(
    *,
    user: User,
    purpose: LinkPurpose,
    is_budgeted: bool = False,
    priority: MailPriority = MailPriority.URGENT,
) -> bool:
    """Send a member a link to verify the address or to choose a password.

    `is_budgeted`: it counts in the budget of the mailbox. Otherwise a link to verify the address resets it.
    Returns False if the member is deactivated, or the address to verify is verified.
    Raises RateLimited within `MAIL_PAUSE`, MailLimitReached and MemberErased.
    """
    with transaction.atomic():
        current = lock(user)
        is_verifying = purpose == LinkPurpose.VERIFY
        if not current.is_active or (is_verifying and current.is_email_verified):
            return False
        if seconds := current.get_seconds_until_mail(purpose, email=current.email):
            raise RateLimited(retry_after=seconds)
        if is_budgeted and not mailboxes.reserve(current.email):
            raise MailLimitReached
        if is_verifying and not is_budgeted:
            mailboxes.reset_budget(current.email)
        mails.enqueue_link(current, purpose, priority=priority)
    logger.info("link_sent", purpose=purpose.value, user_id=user.pk)
    return True


def resend_verification(*, client: Client, user: User) -> bool:
    """Send a member the verification mail again, like `send_link`. Raises Unauthenticated too."""
    check_rate(client, group="resend-verification", rate=settings.MEMBER_RATE, causes_mail=True)
    return send_link(user=user, purpose=LinkPurpose.VERIFY, is_budgeted=True)


def request_password_reset(*, client: Client, email: str) -> None:
    """Send a member a link to choose a new password, if the address is that of an active member.

    Every well-formed address takes the same time: a mail that is not due is rendered and stored too, and
    rolled back. Raises RateLimited and BadUserInput.
    """
    address = validate_email(email)
    check_rate(client, group="password-reset", rate=settings.SIGNUP_RATE, causes_mail=True)
    stand_in = User(pk=0, email=address, is_active=False)
    with transaction.atomic():
        current = User.objects.select_for_update().filter(email=address).first() or stand_in
        pause = current.get_seconds_until_mail(LinkPurpose.RESET, email=address)
        has_budget = mailboxes.reserve(address)
        mails.enqueue_link(current, LinkPurpose.RESET)
        if current.is_active and has_budget and not pause:
            logger.info("link_sent", purpose=LinkPurpose.RESET.value, user_id=current.pk)
        else:
            transaction.set_rollback(True)


def renew_link(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Send a new link in place of an expired one, to the same mailbox.

    Within `MAIL_PAUSE` nothing is sent and the result is the same: the mailbox has a newer link already. An
    expired change of the address stays expired: to ask for it takes the password.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        is_change = purpose == LinkPurpose.CHANGE_EMAIL
        if is_change or link is None or link.user is None or link.status is not LinkStatus.EXPIRED:
            return get_status(link)
        mailboxes.record_answer(link.email)
        if not link.user.get_seconds_until_mail(purpose, email=link.email):
            mails.enqueue_link(link.user, purpose, to=link.email)
            logger.info("link_sent", purpose=purpose.value, user_id=link.user_id)
    return LinkStatus.RENEWED


def record_bounce(*, email: str, **_signal: Any) -> None:
    """Record that mails to an address do not arrive, until a link in one is used."""
    bounced = User.objects.filter(email=email, email_undeliverable_at=None)
    bounced.update(email_undeliverable_at=timezone.now())
