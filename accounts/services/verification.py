"""Verifying the address of a member."""

from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import mails
from accounts.errors import MailLimitReached
from accounts.models import LinkPurpose, User
from accounts.services.links import LINK_EVENTS, get_seconds_until_mail
from accounts.services.membership import lock
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.mail.models import MailPriority
from sailing.ratelimit.limits import check_rate

logger = structlog.get_logger(__name__)


def resend_verification(*, client: Client, user: User) -> bool:
    """Send a member the verification mail again; return False if the address is verified already.

    Raises RateLimited (also within `MAIL_PAUSE`), Unauthenticated and MailLimitReached.
    """
    check_rate(client, group="resend-verification", rate=settings.MEMBER_RATE, causes_mail=True)
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


def record_bounce(*, email: str, **_signal: Any) -> None:
    """Record that mails to an address do not arrive, until a link in one is used."""
    bounced = User.objects.filter(email=email, email_undeliverable_at=None)
    bounced.update(email_undeliverable_at=timezone.now())
