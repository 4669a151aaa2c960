"""Changing and resetting the password of a member."""

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext_noop

from accounts import mails
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.links import LINK_EVENTS, close_links, get_seconds_until_mail
from accounts.services.membership import lock, lock_signed_in, record_own_action
from accounts.services.sign_in import forget_failed_sign_ins, refuse_second_factor, require_password
from accounts.validation import validate_email, validate_password_change
from sailing.client import Client
from sailing.mail import mailboxes
from sailing.mail.links import LinkStatus, get_status
from sailing.mail.models import MailPriority
from sailing.ratelimit.limits import check_rate

logger = structlog.get_logger(__name__)


def change_own_password(*, client: Client, user: User, current_password: str, new_password: str) -> User:
    """Change the password of a member who knows the current one; return the member.

    All tokens and admin sessions end, so the caller needs a new token.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, BadUserInput and WrongPassword.
    """
    check_rate(client, group="change-password", rate=settings.MEMBER_RATE)
    refuse_second_factor(user)
    validate_password_change(current=current_password, new=new_password)
    require_password(client, user, current_password)
    password_hash = make_password(new_password)
    with transaction.atomic():
        current = lock_signed_in(user)
        # An unverified mailbox may belong to another person, who must not be flooded with these mails.
        _store_password(current, password_hash, is_notified=current.is_email_verified)
        record_own_action(current, gettext_noop("Password changed by the member."))
    return current


def change_password(*, user: User) -> None:
    """Store the password that was set on `user`, which invalidates all bearer tokens, and tell the member.

    No other field is stored: the row may have changed since `user` was read. Updates `user.token_version`.
    """
    with transaction.atomic():
        current = lock(user)
        _store_password(current, user.password)
    user.token_version = current.token_version


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
        is_due, has_budget = _is_reset_mail_due(current), mailboxes.reserve(address)
        mails.enqueue_link(current, LinkPurpose.RESET)
        if is_due and has_budget:
            logger.info(LINK_EVENTS[LinkPurpose.RESET], user_id=current.pk)
        else:
            transaction.set_rollback(True)


def send_reset_mail(
    *, user: User, is_budgeted: bool = False, priority: MailPriority = MailPriority.URGENT
) -> bool:
    """Send a member a link to choose a new password; return whether a mail was sent.

    No mail is sent to a deactivated member or within `MAIL_PAUSE`. With `is_budgeted`, the mail counts in the
    budget of the mailbox, and is not sent once that is used up.
    """
    with transaction.atomic():
        current = lock(user)
        if not _is_reset_mail_due(current) or (is_budgeted and not mailboxes.reserve(current.email)):
            return False
        mails.enqueue_link(current, LinkPurpose.RESET, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.RESET], user_id=user.pk)
    return True


def _is_reset_mail_due(user: User) -> bool:
    pause = get_seconds_until_mail(user, LinkPurpose.RESET, email=user.email)
    return user.is_active and not pause


def reset_password(*, client: Client, token: str, password: str) -> LinkStatus:
    """Set a new password by the link in the mail, which invalidates all bearer tokens.

    The link proves the mailbox, so the address is verified (docs/decisions/017), and the client's failed
    sign-ins to the account no longer count: whoever forgot the password can sign in with the new one.
    `accounts.forms.PasswordResetForm` has validated the password. Raises RateLimited when too many
    passwords are being hashed.
    """
    password_hash = make_password(password)
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.RESET)
        if link is None or link.user is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        link.user.email_undeliverable_at = None  # the mail arrived
        is_newly_verified = not link.user.is_email_verified
        link.user.is_email_verified = True
        _store_password(link.user, password_hash)
        record_own_action(link.user, gettext_noop("New password chosen by the link in an email."))
        mailboxes.record_answer(link.user.email)
    forget_failed_sign_ins(client, link.user)
    if is_newly_verified:
        logger.info("email_verified", user_id=link.user_id)
    return LinkStatus.DONE


def _store_password(current: User, password_hash: str, *, is_notified: bool = True) -> None:
    """Store a password in a locked row, and tell the member by mail if `is_notified`.

    Reset links are closed, and a pending change of the address is withdrawn: somebody who knew the old
    password may have asked for it.
    """
    current.password = password_hash
    current.end_sessions()
    current.save(
        update_fields=[
            "password",
            "email_undeliverable_at",
            "is_email_verified",
            *User.SESSION_FIELDS,
            "updated_at",
        ]
    )
    close_links(current, LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)
    if is_notified and not current.email_undeliverable_at:
        mails.enqueue_password_changed(current)
    logger.info("password_changed", user_id=current.pk)
