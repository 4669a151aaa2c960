"""What the owner of a mailbox does with a link to it: confirm the address, or "This was not me"."""

import structlog
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from accounts import mails, tokens
from accounts.errors import EmailTaken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.credentials import store_password
from accounts.services.membership import record_own_action
from accounts.services.sign_in import refuse_second_factor, require_password
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.privacy.erasure import erase
from sailing.ratelimit.limits import forget_failures

logger = structlog.get_logger(__name__)


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
    signs the member in; that session stays. Anywhere else it takes the password, or a new one, which
    `accounts.forms.PasswordResetForm` has validated. All other sessions end, and after a new password the
    client's failed sign-ins no longer count. A link to reset the password always takes a new one.
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
        forget_failures(client, account=link.email)
    return LinkStatus.DONE


def disown(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Carry out "This was not me": somebody else signed up with the address, or asked for a mail to it.

    The mailbox is blocked for mails of that kind. A change of the address is withdrawn. The account is
    deleted if `User.may_be_disowned`; by a link to choose a password only if `User.is_unclaimed`.
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


def _confirm(user: User, email: str, *, password_hash: str, kept_jti: str) -> None:
    """Store a confirmed address in a locked row, and a new password if there is one.

    A pending change of the address is withdrawn: somebody else may have asked for it. The old address gets a
    mail if it was verified.
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
