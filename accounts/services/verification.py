"""Verifying the address of a member."""

from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from accounts import mails, tokens
from accounts.errors import MailLimitReached
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.links import LINK_EVENTS, close_links, get_seconds_until_mail
from accounts.services.membership import lock
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.mail.models import MailPriority
from sailing.privacy.erasure import erase
from sailing.ratelimit.limits import check_mail_rate, check_rate

logger = structlog.get_logger(__name__)


def resend_verification(*, client: Client, user: User) -> bool:
    """Send a member the verification mail again; return False if the address is verified already.

    Raises RateLimited (also within `MAIL_PAUSE`), Unauthenticated and MailLimitReached.
    """
    check_rate(client, group="resend-verification", rate=settings.MEMBER_RATE)
    check_mail_rate(client)
    return send_verification_mail(user=user, is_budgeted=True)


def send_verification_mail(
    *, user: User, is_budgeted: bool, priority: MailPriority = MailPriority.URGENT
) -> bool:
    """Send a member the verification mail again.

    `is_budgeted`: it counts in the budget of the mailbox, which otherwise is reset.
    Returns False if the address is verified or the member is deactivated.
    Raises RateLimited within `MAIL_PAUSE`, MailLimitReached and MemberErased.
    """
    with transaction.atomic():
        current = lock(user)
        if current.is_email_verified or not current.is_active:
            return False
        if seconds := get_seconds_until_mail(current, LinkPurpose.VERIFY, email=current.email):
            raise RateLimited(retry_after=seconds)
        if not is_budgeted:
            mailboxes.reset_budget(current.email)
        elif not mailboxes.reserve(current.email):
            raise MailLimitReached
        mails.enqueue_link(current, LinkPurpose.VERIFY, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.VERIFY], user_id=user.pk)
    return True


def verify_email(*, token: str, device_token: tokens.IssuedToken | None = None) -> LinkStatus:
    """Verify an address by the link in the mail.

    The account may have been created by somebody else, so all bearer tokens are invalidated, except the
    one of the browser that verifies (`device_token`). In any other browser the password is made unusable,
    because the person who signed up knows it and may not own the mailbox.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.VERIFY)
        if link is None or link.user is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        user = link.user
        user.is_email_verified = True
        user.email_undeliverable_at = None  # the mail arrived
        user.token_version += 1
        user.kept_jti = device_token.jti if device_token and device_token.user_id == user.pk else ""
        if not user.kept_jti:
            user.password = make_password(None)
        user.save(
            update_fields=[
                "is_email_verified",
                "email_undeliverable_at",
                "password",
                "token_version",
                "kept_jti",
                "updated_at",
            ]
        )
        close_links(user, LinkPurpose.VERIFY)
        mailboxes.record_answer(user.email)
    logger.info("email_verified", user_id=user.pk)
    return LinkStatus.DONE


def disown(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Carry out "This was not me": somebody else signed up with the address, or asked for a new password.

    The mailbox is blocked for mails of that kind. The account is deleted if `User.may_be_disowned`; by a link
    to choose a password only if `User.is_unclaimed`.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        if link is None or link.user is None or link.status not in (LinkStatus.OPEN, LinkStatus.EXPIRED):
            return get_status(link)
        user = link.user
        mailboxes.block(user.email)
        if not (user.is_unclaimed if purpose == LinkPurpose.RESET else user.may_be_disowned):
            return LinkStatus.BLOCKED
        link.user, link.email = None, ""
        link.save(update_fields=["user", "email"])
        erase(User, [user.pk])
    logger.info("account_disowned", user_id=user.pk)
    return LinkStatus.DISOWNED


def record_bounce(*, email: str, **_signal: Any) -> None:
    """Record that mails to an address do not arrive, until a link in one is used."""
    bounced = User.objects.filter(email=email, email_undeliverable_at=None)
    bounced.update(email_undeliverable_at=timezone.now())
