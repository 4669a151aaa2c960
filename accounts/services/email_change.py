"""Changing the address of a member."""

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts import mails
from accounts.errors import EmailTaken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.links import LINK_EVENTS, close_links, get_seconds_until_mail
from accounts.services.membership import lock_signed_in, record_own_action
from accounts.services.sign_in import refuse_second_factor, require_password
from accounts.validation import validate_current_password, validate_email
from sailing.client import Client
from sailing.errors import BadUserInput
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.ratelimit.limits import check_mail_rate, check_rate

ACCOUNT_RATE = "300/m"
"""Of reading the account, which each visit of the profile does."""

logger = structlog.get_logger(__name__)


def request_email_change(*, client: Client, user: User, email: str, current_password: str) -> None:
    """Send a link to a new address of a member. The old one counts until the link is used.

    A newer request replaces an older one. If the budget of the mailbox is used up, no mail is sent, and the
    result is the same. Asking for one address twice within `MAIL_PAUSE` sends one mail.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, WrongPassword, and BadUserInput, also for a taken
    address.
    """
    check_rate(client, group="request-email-change", rate=settings.MEMBER_RATE)
    refuse_second_factor(user)
    address = validate_email(email)
    validate_current_password(current_password)
    if address == user.email:
        raise BadUserInput(_("This is your current email"), field="email")
    require_password(client, user, current_password)
    check_mail_rate(client)
    with transaction.atomic():
        current = lock_signed_in(user)
        if User.objects.filter(email=address).exists():
            raise EmailTaken
        pending = _find_pending_changes(current).filter(email=address)
        if pending.exists() and get_seconds_until_mail(current, LinkPurpose.CHANGE_EMAIL, email=address):
            return
        close_links(current, LinkPurpose.CHANGE_EMAIL)
        if mailboxes.reserve(address):
            mails.enqueue_link(current, LinkPurpose.CHANGE_EMAIL, to=address)
        else:
            AccountLink.issue(LinkPurpose.CHANGE_EMAIL, user=current, email=address)
        record_own_action(current, gettext_noop("Change of the email requested by the member."))
    logger.info(LINK_EVENTS[LinkPurpose.CHANGE_EMAIL], user_id=user.pk)


def get_pending_email_change(*, client: Client, user: User) -> AccountLink | None:
    """Return the link of a member's pending change of the address. Raises RateLimited."""
    check_rate(client, group="account", rate=ACCOUNT_RATE)
    return _find_pending_changes(user).order_by("-pk").first()


def cancel_email_change(*, client: Client, user: User) -> bool:
    """Withdraw a member's pending change of the address; return False if there is none.

    Raises RateLimited and Unauthenticated.
    """
    check_rate(client, group="cancel-email-change", rate=settings.MEMBER_RATE)
    with transaction.atomic():
        current = lock_signed_in(user)
        if not _find_pending_changes(current).exists():
            return False
        # An expired link too: its page would offer a new one.
        close_links(current, LinkPurpose.CHANGE_EMAIL)
        record_own_action(current, gettext_noop("Change of the email withdrawn by the member."))
    logger.info("email_change_cancelled", user_id=user.pk)
    return True


def confirm_email_change(*, token: str) -> LinkStatus:
    """Replace the address of a member by the one that the mail went to. All sessions end.

    An old address that was verified is told.
    """
    try:
        with transaction.atomic():
            link = AccountLink.find_locked(token, purpose=LinkPurpose.CHANGE_EMAIL)
            if link is None or link.user is None or link.status is not LinkStatus.OPEN:
                return get_status(link)
            user = link.user
            if User.objects.filter(email=link.email).exists():
                return LinkStatus.TAKEN
            old_email, is_old_reached = user.email, user.is_email_verified and not user.email_undeliverable_at
            _store_email(user, link.email)
            if is_old_reached:
                mails.enqueue_email_changed(user, old_email=old_email)
            mailboxes.record_answer(link.email)
            record_own_action(user, gettext_noop("Email changed by the member."))
    except IntegrityError:
        # A concurrent sign-up or change stored the same address.
        if link and User.objects.filter(email=link.email).exists():
            return LinkStatus.TAKEN
        raise
    logger.info("email_changed", user_id=user.pk)
    return LinkStatus.DONE


def refuse_email_change(*, token: str) -> LinkStatus:
    """Carry out "This was not me": a member asked for a change to somebody else's address.

    The change is withdrawn, and the mailbox is blocked for mails of that kind.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.CHANGE_EMAIL)
        if link is None or link.user is None or link.status not in (LinkStatus.OPEN, LinkStatus.EXPIRED):
            return get_status(link)
        mailboxes.block(link.email)
        close_links(link.user, LinkPurpose.CHANGE_EMAIL)
        link.user, link.email = None, ""
        link.save(update_fields=["user", "email"])
    return LinkStatus.DISOWNED


def _find_pending_changes(member: User) -> QuerySet[AccountLink]:
    """Return the links of a member that may still change the address."""
    return member.links.filter(purpose=LinkPurpose.CHANGE_EMAIL, used_at=None, expires_at__gt=timezone.now())


def _store_email(user: User, email: str) -> None:
    """Store a verified address in a locked row, end all sessions, and close the links to the old address."""
    user.email = email
    user.is_email_verified = True
    user.email_undeliverable_at = None
    user.token_version += 1
    user.save(
        update_fields=[
            "email",
            "is_email_verified",
            "email_undeliverable_at",
            "token_version",
            "updated_at",
        ]
    )
    close_links(user, LinkPurpose.VERIFY, LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)
