"""Links in mails to members: who gets one, and what it does."""

from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, IntegrityError, InterfaceError, transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts import mails, tokens
from accounts.errors import EmailTaken, MailLimitReached
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.credentials import store_password
from accounts.services.membership import lock, record_own_action
from accounts.services.sign_in import refuse_second_factor, require_password
from accounts.validation import validate_email
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.mail.models import MailPriority
from sailing.mail.outbox import mail_bounced
from sailing.privacy.erasure import erase
from sailing.ratelimit.limits import check_rate, forget_failures

logger = structlog.get_logger(__name__)


def send_link(
    *,
    user: User,
    purpose: LinkPurpose,
    is_budgeted: bool = False,
    priority: MailPriority = MailPriority.URGENT,
) -> bool:
    """Send a link to verify the address or to choose a password; return False if there is nothing to do.

    `is_budgeted`: it counts in the budget of the mailbox. Otherwise a link to verify the address resets it.
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
    """Send a new link in place of an expired one, to the same mailbox; within `MAIL_PAUSE` none is sent.

    An expired change of the address stays expired: to ask for it takes the password.
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


def confirm_address(
    *,
    client: Client,
    token: str,
    purpose: LinkPurpose,
    device: tokens.IssuedToken | None = None,
    password: str = "",
    new_password: str = "",
) -> LinkStatus:
    """Verify the address of a member, replace it, or reset the password, by the link in the mail.

    Somebody else may have typed the address (docs/decisions/017). So the link is enough only where `device`
    signs the member in; that session stays, all others end. Anywhere else it takes the password or a new one,
    and a reset always a new one, which the form has validated.
    If the password or the sessions changed meanwhile, nothing is done and the link stays OPEN.
    Raises RateLimited, WrongPassword, EmailTaken, and SecondFactorNeeded for a change by an admin.
    """
    link = AccountLink.find(token, purpose=purpose)
    if link is None or link.user is None or link.status is not LinkStatus.OPEN:
        return get_status(link)
    seen, kept_jti, password_hash = link.user, "", ""
    if device and purpose != LinkPurpose.RESET and tokens.find_member(device) == seen:
        kept_jti = device.jti
    elif new_password:
        password_hash = make_password(new_password)
    else:
        require_password(client, seen, password)
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        if link is None or link.user is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        if link.user.token_version != seen.token_version:
            return LinkStatus.OPEN
        if purpose == LinkPurpose.CHANGE_EMAIL:
            refuse_second_factor(link.user)
        _confirm(link.user, link.email, password_hash=password_hash, kept_jti=kept_jti)
    if password_hash:
        with suppress(DatabaseError, InterfaceError):  # the password is stored
            forget_failures(client, account=link.email)
    return LinkStatus.DONE


def disown(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Carry out "This was not me": block the mailbox, and withdraw a change of the address.

    The account is deleted if `User.may_be_disowned`; by a link to choose a password if `User.is_unclaimed`.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        if link is None or link.user is None or link.status not in (LinkStatus.OPEN, LinkStatus.EXPIRED):
            return get_status(link)
        user = link.user
        mailboxes.block(link.email)
        is_change = purpose == LinkPurpose.CHANGE_EMAIL
        is_deleted = user.is_unclaimed if purpose == LinkPurpose.RESET else user.may_be_disowned
        if not is_change and not is_deleted:
            return LinkStatus.BLOCKED
        link.user, link.email = None, ""
        link.save()
        if is_change:
            user.close_links(LinkPurpose.CHANGE_EMAIL)
        else:
            erase(User, [user.pk])
    logger.info("email_change_disowned" if is_change else "account_disowned", user_id=user.pk)
    return link.status


@receiver(mail_bounced)
def record_bounce(*, email: str, **_signal: Any) -> None:
    """Record that mails to an address do not arrive, until a link in one is used."""
    bounced = User.objects.filter(email=email, email_undeliverable_at=None)
    bounced.update(email_undeliverable_at=timezone.now())


def _confirm(user: User, email: str, *, password_hash: str, kept_jti: str) -> None:
    """Store a confirmed address in a locked row, and a new password if there is one.

    A pending change of the address is withdrawn: somebody else may have asked for it.
    """
    was_verified, was_reached, old_email = user.is_email_verified, not user.email_undeliverable_at, user.email
    user.email, user.is_email_verified = email, True
    user.email_undeliverable_at = None  # the mail arrived
    try:
        if password_hash:
            store_password(user, password_hash)
            record_own_action(user, gettext_noop("New password chosen by the link in an email."))
        else:
            user.end_sessions(kept_jti=kept_jti)
            user.save()
    except IntegrityError:
        raise EmailTaken from None
    user.close_links(LinkPurpose.VERIFY, LinkPurpose.CHANGE_EMAIL)
    mailboxes.record_answer(email)
    if email != old_email:
        user.close_links(LinkPurpose.RESET)
        record_own_action(user, gettext_noop("Email changed by the member."))
        if was_verified and was_reached:
            mails.enqueue_email_changed(user, old_email=old_email)
        logger.info("email_changed", user_id=user.pk)
    elif not was_verified:
        logger.info("email_verified", user_id=user.pk)
