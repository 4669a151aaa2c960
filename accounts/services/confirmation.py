"""What the owner of a mailbox does with a link to it: confirm the address, or "This was not me"."""

import structlog
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from accounts import mails, tokens
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.links import close_links
from accounts.services.membership import record_own_action
from accounts.services.sign_in import forget_failed_sign_ins, refuse_second_factor, require_password
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.privacy.erasure import erase

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
    """Verify the address of a member, or replace it, by the link in the mail.

    Somebody else may have typed the address (docs/decisions/017). So the link is enough only where `device`
    signs the member in; that session stays. Anywhere else it takes the password, or a new one, which
    `accounts.forms.PasswordResetForm` has validated. All other sessions end.
    If the password or the sessions changed meanwhile, nothing is done and the link stays OPEN.
    Raises RateLimited, WrongPassword, and SecondFactorNeeded for a change by an admin.
    """
    link = AccountLink.find(token, purpose=purpose)
    if link is None or link.user is None or link.status is not LinkStatus.OPEN:
        return get_status(link)
    seen, password_hash = link.user, ""
    kept_jti = device.jti if device and tokens.find_member(device) == seen else ""
    if not kept_jti and new_password:
        password_hash = make_password(new_password)
    elif not kept_jti:
        require_password(client, seen, password)
    try:
        with transaction.atomic():
            link = AccountLink.find_locked(token, purpose=purpose)
            if link is None or link.user is None or link.status is not LinkStatus.OPEN:
                return get_status(link)
            user, email = link.user, link.email
            if user.token_version != seen.token_version:
                return LinkStatus.OPEN
            if purpose == LinkPurpose.CHANGE_EMAIL:
                refuse_second_factor(user)
                if User.objects.filter(email=email).exists():
                    return LinkStatus.TAKEN
            _store(user, email, password_hash=password_hash, kept_jti=kept_jti)
    except IntegrityError:
        # A concurrent sign-up or change stored the same address.
        if User.objects.filter(email=email).exists():
            return LinkStatus.TAKEN
        raise
    if password_hash:
        forget_failed_sign_ins(client, user)
    logger.info("email_changed" if purpose == LinkPurpose.CHANGE_EMAIL else "email_verified", user_id=user.pk)
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
        link.save(update_fields=["user", "email"])
        if is_change:
            close_links(user, LinkPurpose.CHANGE_EMAIL)
        else:
            erase(User, [user.pk])
    logger.info("email_change_disowned" if is_change else "account_disowned", user_id=user.pk)
    return link.status


def _store(user: User, email: str, *, password_hash: str, kept_jti: str) -> None:
    """Store a confirmed address in a locked row, and a new password if there is one.

    A pending change of the address is withdrawn: somebody else may have asked for it. The old address gets a
    mail if it was verified.
    """
    old_email, is_old_reached = user.email, user.is_email_verified and not user.email_undeliverable_at
    user.email = email
    user.is_email_verified = True
    user.email_undeliverable_at = None  # the mail arrived
    user.password = password_hash or user.password
    user.end_sessions(kept_jti=kept_jti)
    user.save(
        update_fields=[
            "email",
            "is_email_verified",
            "email_undeliverable_at",
            "password",
            *User.SESSION_FIELDS,
            "updated_at",
        ]
    )
    mailboxes.record_answer(email)
    close_links(user, LinkPurpose.VERIFY, LinkPurpose.CHANGE_EMAIL)
    if email != old_email:
        close_links(user, LinkPurpose.RESET)
        record_own_action(user, gettext_noop("Email changed by the member."))
        if is_old_reached:
            mails.enqueue_email_changed(user, old_email=old_email)
    if password_hash:
        close_links(user, LinkPurpose.RESET)
        record_own_action(user, gettext_noop("New password chosen by the link in an email."))
        mails.enqueue_password_changed(user)
