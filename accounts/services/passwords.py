"""Changing the password of a member."""

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext_noop

from accounts import mails
from accounts.models import LinkPurpose, User
from accounts.services.membership import lock, lock_signed_in, record_own_action
from accounts.services.sign_in import refuse_second_factor, require_password
from accounts.validation import validate_password_change
from sailing.client import Client
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
        store_password(current, password_hash, is_notified=current.is_email_verified)
        record_own_action(current, gettext_noop("Password changed by the member."))
    return current


def change_password(*, user: User) -> None:
    """Store the password that was set on `user`, like `store_password`. Updates `user.token_version`.

    No other field is stored: the row may have changed since `user` was read.
    """
    with transaction.atomic():
        current = lock(user)
        store_password(current, user.password)
    user.token_version = current.token_version


def store_password(member: User, password_hash: str, *, is_notified: bool = True) -> None:
    """Store a locked row with a new password, end all sessions, and tell the member by mail if `is_notified`.

    Reset links are closed, and a pending change of the address is withdrawn: somebody who knew the old
    password may have asked for it.
    """
    member.password = password_hash
    member.end_sessions()
    member.save()
    member.close_links(LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)
    if is_notified and not member.email_undeliverable_at:
        mails.enqueue_password_changed(member)
    logger.info("password_changed", user_id=member.pk)
