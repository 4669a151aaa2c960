"""Use cases of accounts.

Each function validates, checks the rate limit, and works in one transaction that includes the mail.
Passwords are hashed before the transaction, so that no lock is held meanwhile.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import jwt
import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import mails, tokens
from accounts.errors import InvalidCredentials, LastSuperuser, MailLimitReached, MemberErased, email_taken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.validation import validate_profile, validate_sign_in, validate_sign_up
from sailing.email import mailbox_budget
from sailing.email.tokens import LinkStatus, get_status
from sailing.erasure import erase
from sailing.errors import RateLimited, Unauthenticated
from sailing.models import MailPriority
from sailing.ratelimit.limits import check_rate, limit_failures

MEMBER_RATE = "30/m"
"""Of each use case of signed-in members."""

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""

LINK_EVENTS = {LinkPurpose.VERIFY: "verification_resent", LinkPurpose.RESET: "password_reset_sent"}
"""Log events of the links that were asked for after the sign-up."""

logger = structlog.get_logger(__name__)


def sign_up(*, request: HttpRequest, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and send the verification mail in `language`.

    `values`: first_name, last_name, email, password, and optionally captain_license,
    captain_license_number, favorite_position.
    If the budget of the mailbox is used up, no mail is sent, and the result is the same.
    Raises RateLimited, and BadUserInput for a broken rule or a taken address.
    """
    check_rate(request, group="sign-up", rate=settings.SIGNUP_RATE)
    fields = validate_sign_up(values)
    if User.objects.filter(email=fields["email"]).exists():
        raise email_taken()
    password = fields.pop("password")
    user = User(language=language, **fields)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            if not mailbox_budget.reserve(user.email):
                mails.enqueue_link(user, LinkPurpose.VERIFY)
    except IntegrityError:
        # A concurrent sign-up stored the same address.
        if User.objects.filter(email=user.email).exists():
            raise email_taken() from None
        raise
    logger.info("sign_up", user_id=user.pk)
    return user


def sign_in(*, request: HttpRequest, email: str, password: str) -> User:
    """Return the member with an email and a password.

    An unknown email, a wrong password and a deactivated member get the same answer after the same work
    (OWASP Authentication Cheat Sheet, "Authentication and Error Messages").
    Raises RateLimited, BadUserInput and InvalidCredentials.
    """
    address = validate_sign_in(email=email, password=password)
    with limit_failures(
        request, group="sign-in", rate=settings.SIGNIN_RATE, value=address, failure=InvalidCredentials
    ):
        user = _authenticate(address, password)
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    logger.info("sign_in", user_id=user.pk)
    return user


def sign_out(*, request: HttpRequest, token: str) -> None:
    """Revoke a bearer token; a second call has no effect.

    Raises RateLimited, and Unauthenticated for an invalid or expired token.
    """
    check_rate(request, group="logout", rate=MEMBER_RATE)
    try:
        with transaction.atomic():
            user_id = tokens.revoke(token)
    except jwt.InvalidTokenError:
        raise Unauthenticated from None
    logger.info("sign_out", user_id=user_id)


def require_member(user: User | AnonymousUser) -> User:
    """Return the user of a request if it is a member. Raises Unauthenticated."""
    if not isinstance(user, User):
        raise Unauthenticated
    return user


def update_profile(*, request: HttpRequest, user: User | AnonymousUser, values: Mapping[str, Any]) -> User:
    """Change the given ones of `User.PROFILE_FIELDS`.

    None leaves a field as it is; a blank value clears an optional field.
    Raises RateLimited, Unauthenticated and BadUserInput.
    """
    check_rate(request, group="update-profile", rate=MEMBER_RATE)
    member = require_member(user)
    changes = validate_profile(values)
    with transaction.atomic():
        current = _lock(member)
        for name, value in changes.items():
            setattr(current, name, value)
        if changes:
            current.save(update_fields=[*changes, "updated_at"])
    return current


def resend_verification(*, request: HttpRequest, user: User | AnonymousUser) -> bool:
    """Send a member the verification mail again; return False if the address is verified already.

    Raises RateLimited (also within `MAIL_PAUSE`), Unauthenticated and MailLimitReached.
    """
    check_rate(request, group="resend-verification", rate=MEMBER_RATE)
    return _resend_verification(require_member(user), resets_budget=False)


def resend_verification_as_admin(*, user: User, is_budgeted: bool = False) -> bool:
    """Send a member the verification mail again, and reset the budget of the mailbox.

    With `is_budgeted` the budget is kept and the mail counts in it.
    Returns False if the address is verified or the member is deactivated.
    Raises RateLimited within `MAIL_PAUSE`, and MailLimitReached.
    """
    priority = MailPriority.BULK if is_budgeted else MailPriority.URGENT
    return _resend_verification(user, resets_budget=not is_budgeted, priority=priority)


def verify_email(*, token: str, device_token: tokens.IssuedToken | None = None) -> LinkStatus:
    """Verify an address by the link in the mail.

    The account may have been created by somebody else, so all bearer tokens are invalidated, except the
    one of the browser that verifies (`device_token`).
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
        changed = ["is_email_verified", "email_undeliverable_at", "token_version", "kept_jti", "updated_at"]
        user.save(update_fields=changed)
        _close_links(user, LinkPurpose.VERIFY)
        mailbox_budget.record_answer(user.email)
    logger.info("email_verified", user_id=user.pk)
    return LinkStatus.DONE


def renew_link(*, token: str, purpose: LinkPurpose) -> LinkStatus:
    """Send a new link in place of an expired one, to the same mailbox.

    Within `MAIL_PAUSE` nothing is sent and the result is the same: the mailbox has a newer link already.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=purpose)
        if link is None or link.user is None or link.status is not LinkStatus.EXPIRED:
            return get_status(link)
        mailbox_budget.record_answer(link.user.email)
        is_due = not _seconds_until_mail(link.user, purpose)
        if is_due:
            mails.enqueue_link(link.user, purpose)
    if is_due:
        logger.info(LINK_EVENTS[purpose], user_id=link.user_id)
    return LinkStatus.RENEWED


def disown(*, token: str) -> LinkStatus:
    """Carry out "This was not me": somebody else signed up with the address of the mailbox's owner.

    The mailbox is blocked for mails of that kind. The account is deleted if `User.may_be_disowned`.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.VERIFY)
        if link is None or link.user is None or link.status not in (LinkStatus.OPEN, LinkStatus.EXPIRED):
            return get_status(link)
        user = link.user
        mailbox_budget.block(user.email)
        if not user.may_be_disowned:
            return LinkStatus.BLOCKED
        link.user, link.email = None, ""
        link.save(update_fields=["user", "email"])
        erase(User, [user.pk])
    logger.info("account_disowned", user_id=user.pk)
    return LinkStatus.DISOWNED


def reset_password(*, token: str, password: str) -> LinkStatus:
    """Set a new password by the link in the mail, which invalidates all bearer tokens.

    `accounts.forms.PasswordResetForm` has validated the password. Raises RateLimited when too many
    passwords are being hashed.
    """
    password_hash = make_password(password)
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.RESET)
        if link is None or link.user is None or link.status is not LinkStatus.OPEN:
            return get_status(link)
        link.user.email_undeliverable_at = None  # the mail arrived
        _store_password(link.user, password_hash)
        mailbox_budget.record_answer(link.user.email)
    return LinkStatus.DONE


def send_reset_mail(*, user: User, is_budgeted: bool = False) -> bool:
    """Send a member a link to choose a new password; return whether a mail was sent.

    No mail is sent to a deactivated member or within `MAIL_PAUSE`. With `is_budgeted`, the mail counts in the
    budget of the mailbox, and is not sent once that is used up.
    """
    with transaction.atomic():
        current = _lock(user)
        if not current.is_active or _seconds_until_mail(current, LinkPurpose.RESET):
            return False
        if is_budgeted and mailbox_budget.reserve(current.email):
            return False
        priority = MailPriority.BULK if is_budgeted else MailPriority.URGENT
        mails.enqueue_link(current, LinkPurpose.RESET, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.RESET], user_id=user.pk)
    return True


def warn_before_expiry(*, user: User, expires_at: datetime) -> None:
    """Warn a member that the unverified account will be deleted; `user` is locked by the caller.

    If the budget of the mailbox is used up, or the address is undeliverable, no mail is sent.
    """
    if not user.email_undeliverable_at and not mailbox_budget.reserve(user.email):
        mails.enqueue_expiry_warning(user, expires_at=expires_at)
    user.expiry_warned_at = timezone.now()
    user.save(update_fields=["expiry_warned_at"])


def record_bounce(*, email: str) -> None:
    """Record that mails to an address do not arrive, until a link in one is used."""
    bounced = User.objects.filter(email=email, email_undeliverable_at=None)
    bounced.update(email_undeliverable_at=timezone.now())


def change_password(*, user: User) -> None:
    """Store the password that was set on `user`, which invalidates all bearer tokens, and tell the member.

    No other field is stored: the row may have changed since `user` was read. Updates `user.token_version`.
    """
    with transaction.atomic():
        current = _lock(user)
        _store_password(current, user.password)
    user.token_version = current.token_version


def sign_out_everywhere(*, user: User) -> None:
    """Invalidate all bearer tokens and sessions of a member."""
    with transaction.atomic():
        current = _lock(user)
        current.token_version += 1
        current.save(update_fields=["token_version"])
    logger.info("signed_out_everywhere", user_id=user.pk)


def deactivate(*, user: User) -> bool:
    """Deactivate a member and invalidate all their tokens; return False if that was done before.

    Raises LastSuperuser.
    """
    with transaction.atomic():
        require_other_superuser(than=[user.pk])
        current = _lock(user)
        if not current.is_active:
            return False
        current.is_active = False
        current.token_version += 1
        current.save(update_fields=["is_active", "token_version", "updated_at"])
    logger.info("deactivated", user_id=user.pk)
    return True


def activate(*, user: User) -> bool:
    """Undo a deactivation; return False if the member was active. Their earlier tokens stay invalid."""
    with transaction.atomic():
        current = _lock(user)
        if current.is_active:
            return False
        current.is_active = True
        current.save(update_fields=["is_active", "updated_at"])
    logger.info("activated", user_id=user.pk)
    return True


def require_other_superuser(*, than: Collection[int]) -> None:
    """Raise LastSuperuser if no superuser but these can sign in.

    Locks all superusers until the transaction ends, so that two of them cannot remove each other. Call it
    before locking any of them otherwise, to avoid a deadlock. Without a superuser among these, it locks
    nothing.
    """
    superusers = User.objects.filter(is_superuser=True, is_staff=True, is_active=True)
    if not superusers.filter(pk__in=than).exists():
        return
    # A plain "FOR UPDATE" would block inserts into the admin history, which refers to the row.
    locked = superusers.order_by("pk").select_for_update(no_key=True)
    keys = set(locked.values_list("pk", flat=True))
    if keys and keys <= set(than):
        raise LastSuperuser


def _authenticate(email: str, password: str) -> User:
    user = User.objects.filter(email=email).first()
    if user is None:
        make_password(password)  # takes as long as checking one
    if user is None or not user.check_password(password) or not user.is_active:
        logger.info("sign_in_failed", account=_fingerprint(email))
        raise InvalidCredentials
    return user


def _fingerprint(email: str) -> str:
    """Return what identifies an account in the log without its address."""
    return salted_hmac("accounts.sign_in", email).hexdigest()[:16]


def _lock(user: User) -> User:
    """Return the locked row of a member. Raises MemberErased."""
    current = User.objects.select_for_update().filter(pk=user.pk).first()
    if current is None:
        raise MemberErased
    return current


def _resend_verification(
    user: User, *, resets_budget: bool, priority: MailPriority = MailPriority.URGENT
) -> bool:
    with transaction.atomic():
        current = _lock(user)
        if current.is_email_verified or not current.is_active:
            return False
        if seconds := _seconds_until_mail(current, LinkPurpose.VERIFY):
            raise RateLimited(retry_after=seconds)
        if resets_budget:
            mailbox_budget.clear(current.email)
        elif mailbox_budget.reserve(current.email):
            raise MailLimitReached
        mails.enqueue_link(current, LinkPurpose.VERIFY, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.VERIFY], user_id=user.pk)
    return True


def _store_password(current: User, password_hash: str) -> None:
    """Store a password in a locked row, close the reset links, and tell the member by mail."""
    current.password = password_hash
    current.token_version += 1
    current.save(update_fields=["password", "email_undeliverable_at", "token_version", "updated_at"])
    _close_links(current, LinkPurpose.RESET)
    if not current.email_undeliverable_at:
        mails.enqueue_password_changed(current)
    logger.info("password_changed", user_id=current.pk)


def _close_links(user: User, purpose: LinkPurpose) -> None:
    user.links.filter(purpose=purpose, used_at=None).update(used_at=timezone.now())


def _seconds_until_mail(user: User, purpose: LinkPurpose) -> int:
    """Return how long the next mail of a kind must wait; 0 if it may be sent now."""
    last = user.links.filter(purpose=purpose, email=user.email).order_by("created_at").last()
    left = last.created_at + MAIL_PAUSE - timezone.now() if last else timedelta(0)
    return max(0, ceil(left.total_seconds()))
