"""What a member signs in with: changing the password and the address."""

import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts import mails
from accounts.errors import EmailTaken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.services.membership import lock, lock_signed_in, record_own_action
from accounts.services.sign_in import refuse_second_factor, require_password
from accounts.validation import validate_email, validate_password_change
from sailing.client import Client
from sailing.errors import BadUserInput
from sailing.mail import mailboxes
from sailing.ratelimit.limits import check_rate

logger = structlog.get_logger(__name__)


def change_own_password(*, client: Client, user: User, current_password: str, new_password: str) -> User:
    """Change the password of a member who knows the current one. All sessions end, that of the caller too.

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
    """Store the password that was set on `user`, and no other field: the row may have changed meanwhile."""
    with transaction.atomic():
        current = lock(user)
        store_password(current, user.password)
    user.token_version = current.token_version


def store_password(member: User, password_hash: str, *, is_notified: bool = True) -> None:
    """Store a locked row with a new password, end all sessions and reset links, and tell the member by mail.

    A pending change of the address is withdrawn: somebody who knew the old password may have asked for it.
    """
    member.password = password_hash
    member.end_sessions()
    member.save()
    member.close_links(LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)
    if is_notified and not member.email_undeliverable_at:
        mails.enqueue_password_changed(member)
    logger.info("password_changed", user_id=member.pk)


def request_email_change(*, client: Client, user: User, email: str, current_password: str) -> None:
    """Send a link to a new address of a member, instead of an older request. The old one counts until then.

    No mail is sent within `MAIL_PAUSE` or if the budget of the mailbox is used up; the result is the same.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, WrongPassword, EmailTaken, BadUserInput.
    """
    refuse_second_factor(user)
    address = validate_email(email)
    if address == user.email:
        raise BadUserInput(_("This is your current email"), field="email")
    require_password(client, user, current_password)
    check_rate(client, group="request-email-change", rate=settings.MEMBER_RATE, causes_mail=True)
    with transaction.atomic():
        current = lock_signed_in(user)
        if User.objects.filter(email=address).exists():
            raise EmailTaken
        pending = _find_pending_changes(current).filter(email=address)
        if pending.exists() and current.get_seconds_until_mail(LinkPurpose.CHANGE_EMAIL, email=address):
            return
        current.close_links(LinkPurpose.CHANGE_EMAIL)
        if mailboxes.reserve(address):
            mails.enqueue_link(current, LinkPurpose.CHANGE_EMAIL, to=address)
        else:
            AccountLink.issue(LinkPurpose.CHANGE_EMAIL, user=current, email=address)
        record_own_action(current, gettext_noop("Change of the email requested by the member."))
    logger.info("email_change_requested", user_id=user.pk)


def get_pending_email_change(*, client: Client, user: User) -> AccountLink | None:
    """Return the link of a member's pending change of the address. Raises RateLimited."""
    check_rate(client, group="account", rate=settings.MEMBER_READ_RATE)
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
        current.close_links(LinkPurpose.CHANGE_EMAIL)
        record_own_action(current, gettext_noop("Change of the email withdrawn by the member."))
    logger.info("email_change_cancelled", user_id=user.pk)
    return True


def _find_pending_changes(member: User) -> QuerySet[AccountLink]:
    """Return the links that may still change the address."""
    return member.links.filter(purpose=LinkPurpose.CHANGE_EMAIL, used_at=None, expires_at__gt=timezone.now())
