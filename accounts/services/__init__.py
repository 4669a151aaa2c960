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
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_otp import user_has_device

from accounts import mails, tokens
from accounts.errors import (
    AccountNeeded,
    InvalidCredentials,
    LastSuperuser,
    MailLimitReached,
    MemberErased,
    SecondFactorNeeded,
    WrongPassword,
    email_taken,
)
from accounts.models import AccountLink, LinkPurpose, User
from accounts.validation import (
    validate_current_password,
    validate_email,
    validate_password_change,
    validate_profile,
    validate_sign_in,
    validate_sign_up,
)
from sailing import personal_data
from sailing.client_address import Client
from sailing.email import mailbox_budget
from sailing.email.tokens import LinkStatus, get_status
from sailing.erasure import ErasureRefused, erase, erase_person, erase_row, plan
from sailing.errors import BadUserInput, RateLimited, Unauthenticated
from sailing.history import record
from sailing.jobs import queue
from sailing.models import MailPriority
from sailing.personal_data import Document
from sailing.ratelimit import counters
from sailing.ratelimit.limits import check_mail_rate, check_rate, forget_failures, limit_failures

MEMBER_RATE = "30/m"
"""Of each use case of signed-in members."""

ACCOUNT_RATE = "300/m"
"""Of reading the account, which each visit of the profile does."""

PERSONAL_DATA_RATE = "10/h"

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""

RESET_JOB = "accounts.reset_mail"

LINK_EVENTS = {
    LinkPurpose.VERIFY: "verification_resent",
    LinkPurpose.RESET: "password_reset_sent",
    LinkPurpose.CHANGE_EMAIL: "email_change_requested",
}
"""Log events of the links that were asked for after the sign-up."""

logger = structlog.get_logger(__name__)


def sign_up(*, request: HttpRequest, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and send the verification mail in `language`.

    `values`: first_name, last_name, email, password, and optionally captain_license,
    captain_license_number, favorite_position.
    If the budget of the mailbox is used up, no mail is sent, and the result is the same.
    Raises RateLimited, and BadUserInput for a broken rule or a taken address.
    """
    counted = check_rate(request, group="sign-up", rate=settings.SIGNUP_RATE)
    fields = validate_sign_up(values)
    counted += check_mail_rate(request)
    if _is_taken(fields["email"]):
        raise email_taken()
    password = fields.pop("password")
    user = User(language=language, **fields)
    try:
        user.set_password(password)
    except RateLimited:  # too many passwords are being hashed
        counters.release(counted)
        raise
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            if mailbox_budget.reserve(user.email):
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


def change_own_password(
    *, request: HttpRequest, user: User | AnonymousUser, current_password: str, new_password: str
) -> User:
    """Change the password of a member who knows the current one; return the member.

    All tokens and admin sessions end, so the caller needs a new token.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, BadUserInput and WrongPassword.
    """
    check_rate(request, group="change-password", rate=MEMBER_RATE)
    member = require_member(user)
    _refuse_second_factor(member)
    validate_password_change(current=current_password, new=new_password)
    _require_password(request, member, current_password)
    password_hash = make_password(new_password)
    with transaction.atomic():
        current = _lock_signed_in(member)
        # An unverified mailbox may belong to another person, who must not be flooded with these mails.
        _store_password(current, password_hash, is_notified=current.is_email_verified)
        _record(current, gettext_noop("Password changed by the member."))
    return current


def end_own_sessions(*, request: HttpRequest, user: User | AnonymousUser) -> None:
    """End all sessions of a member, that of the request too. Raises RateLimited and Unauthenticated."""
    check_rate(request, group="sign-out-everywhere", rate=MEMBER_RATE)
    member = require_member(user)
    with transaction.atomic():
        sign_out_everywhere(user=member)
        _record(member, gettext_noop("Signed out everywhere by the member."))


def request_email_change(
    *, request: HttpRequest, user: User | AnonymousUser, email: str, current_password: str
) -> None:
    """Send a link to a new address of a member. The old one counts until the link is used.

    A newer request replaces an older one. If the budget of the mailbox is used up, no mail is sent, and the
    result is the same. Asking for one address twice within `MAIL_PAUSE` sends one mail.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, WrongPassword, and BadUserInput, also for a taken
    address.
    """
    check_rate(request, group="request-email-change", rate=MEMBER_RATE)
    member = require_member(user)
    _refuse_second_factor(member)
    address = validate_email(email)
    validate_current_password(current_password)
    if address == member.email:
        raise BadUserInput(_("This is your current email"), field="email")
    _require_password(request, member, current_password)
    check_mail_rate(request)
    with transaction.atomic():
        current = _lock_signed_in(member)
        if _is_taken(address, member=current):
            raise email_taken()
        pending = _find_pending_changes(current).filter(email=address)
        if pending.exists() and _seconds_until_mail(current, LinkPurpose.CHANGE_EMAIL, email=address):
            return
        _close_links(current, LinkPurpose.CHANGE_EMAIL)
        if mailbox_budget.reserve(address):
            mails.enqueue_link(current, LinkPurpose.CHANGE_EMAIL, to=address)
        else:
            AccountLink.issue(LinkPurpose.CHANGE_EMAIL, user=current, email=address)
        _record(current, gettext_noop("Change of the email requested by the member."))
    logger.info(LINK_EVENTS[LinkPurpose.CHANGE_EMAIL], user_id=member.pk)


def get_pending_email_change(*, request: HttpRequest, user: User | AnonymousUser) -> AccountLink | None:
    """Return the link of a member's pending change of the address. Raises RateLimited and Unauthenticated."""
    check_rate(request, group="account", rate=ACCOUNT_RATE)
    return _find_pending_changes(require_member(user)).order_by("-pk").first()


def cancel_email_change(*, request: HttpRequest, user: User | AnonymousUser) -> bool:
    """Withdraw a member's pending change of the address; return False if there is none.

    Raises RateLimited and Unauthenticated.
    """
    check_rate(request, group="cancel-email-change", rate=MEMBER_RATE)
    member = require_member(user)
    with transaction.atomic():
        current = _lock_signed_in(member)
        if not _find_pending_changes(current).exists():
            return False
        # An expired link too: its page would offer a new one.
        _close_links(current, LinkPurpose.CHANGE_EMAIL)
        _record(current, gettext_noop("Change of the email withdrawn by the member."))
    logger.info("email_change_cancelled", user_id=member.pk)
    return True


def confirm_email_change(*, token: str) -> LinkStatus:
    """Replace the address of a member by the one that the mail went to. All sessions end.

    An old address that was verified gets a mail with a link to undo the change.
    """
    try:
        with transaction.atomic():
            link = AccountLink.find_locked(token, purpose=LinkPurpose.CHANGE_EMAIL)
            if link is None or link.user is None or link.status is not LinkStatus.OPEN:
                return get_status(link)
            user = link.user
            if _is_taken(link.email, member=user):
                return LinkStatus.TAKEN
            old_email, is_old_reached = user.email, user.is_email_verified and not user.email_undeliverable_at
            _store_email(user, link.email)
            if is_old_reached:
                mails.enqueue_email_changed(user, old_email=old_email)
            mailbox_budget.record_answer(link.email)
            _record(user, gettext_noop("Email changed by the member."))
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
        mailbox_budget.block(link.email)
        _close_links(link.user, LinkPurpose.CHANGE_EMAIL)
        link.user, link.email = None, ""
        link.save(update_fields=["user", "email"])
    return LinkStatus.DISOWNED


def undo_email_change(*, token: str) -> LinkStatus:
    """Give a member the old address back, because the account may have been taken over.

    All sessions end and the password ends, pending changes and newer undo links are closed, and the address
    gets a link to choose a new password.
    """
    try:
        with transaction.atomic():
            link = AccountLink.find_locked(token, purpose=LinkPurpose.UNDO_EMAIL)
            if link is None or link.user is None or link.status is not LinkStatus.OPEN:
                return get_status(link)
            user = link.user
            user.password = make_password(None)
            _store_email(user, link.email)
            newer = user.links.filter(purpose=LinkPurpose.UNDO_EMAIL, used_at=None, pk__gte=link.pk)
            newer.update(used_at=timezone.now())
            mailbox_budget.record_answer(link.email)
            mails.enqueue_link(user, LinkPurpose.RESET)
            _record(user, gettext_noop("Change of the email undone by the link in a mail."))
    except IntegrityError:
        if link and User.objects.filter(email=link.email).exists():
            return LinkStatus.TAKEN
        raise
    logger.info("email_change_undone", user_id=user.pk)
    return LinkStatus.DONE


def close_email_change_links(*, user: User) -> None:
    """Close the links to change the address and to undo a change, because an admin has set another one."""
    _close_links(user, LinkPurpose.CHANGE_EMAIL, LinkPurpose.UNDO_EMAIL)


def get_personal_data(*, request: HttpRequest, user: User | AnonymousUser) -> Document:
    """Return everything that is stored about a member.

    What belongs to the mailbox is included only if the member has verified it.
    Raises RateLimited and Unauthenticated.
    """
    check_rate(request, group="personal-data", rate=PERSONAL_DATA_RATE)
    member = require_member(user)
    document = personal_data.render(member.email, is_verified=member.is_email_verified)
    with transaction.atomic():
        _record(_lock(member), gettext_noop("Data downloaded by the member."))
    logger.info("personal_data_downloaded", user_id=member.pk)
    return document


def delete_account(
    *,
    request: HttpRequest,
    user: User | AnonymousUser,
    current_password: str,
    keep_newsletter: bool,
) -> None:
    """Delete the account of a member at once, and confirm that by mail.

    The subscriptions of the address are deleted too, unless the member keeps them. With an unverified address
    they are kept, and no mail is sent there: the mailbox may belong to another person. An earlier address
    that can still undo a change gets the mail too, in case an intruder changed the address.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, BadUserInput, WrongPassword and AccountNeeded.
    """
    check_rate(request, group="delete-account", rate=MEMBER_RATE)
    member = require_member(user)
    _refuse_second_factor(member)
    validate_current_password(current_password)
    _require_password(request, member, current_password)
    try:
        with transaction.atomic():
            is_newsletter_kept = keep_newsletter and len(plan(member).erased) > 1
            addresses = _find_addresses_to_notify(member)
            # All tokens may have ended meanwhile. A new address would have ended them too.
            if not _erase(member, keep_newsletter=keep_newsletter):
                raise MemberErased
            for address in addresses:
                mails.enqueue_account_deleted(
                    member, to=address, is_newsletter_kept=is_newsletter_kept and address == member.email
                )
    except ErasureRefused:
        raise AccountNeeded from None
    logger.info("account_deleted", user_id=member.pk)


def resend_verification(*, request: HttpRequest, user: User | AnonymousUser) -> bool:
    """Send a member the verification mail again; return False if the address is verified already.

    Raises RateLimited (also within `MAIL_PAUSE`), Unauthenticated and MailLimitReached.
    """
    check_rate(request, group="resend-verification", rate=MEMBER_RATE)
    member = require_member(user)
    check_mail_rate(request)
    return _resend_verification(member, resets_budget=False)


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
        if device_token and device_token.user_id == user.pk:
            user.kept_jti = device_token.jti
        else:
            user.kept_jti = ""
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
        mailbox_budget.record_answer(link.email)
        is_due = not _seconds_until_mail(link.user, purpose, email=link.email)
        if is_due:
            mails.enqueue_link(link.user, purpose, to=link.email)
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


def request_password_reset(*, request: HttpRequest, email: str) -> None:
    """Send a member a link to choose a new password, if the address is that of an active member.

    A job decides that and sends the mail. So every well-formed address takes the same time here: one query
    and one new row. The job stores no address.
    Raises RateLimited and BadUserInput.
    """
    check_rate(request, group="password-reset", rate=settings.SIGNUP_RATE)
    address = validate_email(email)
    check_mail_rate(request)
    member = User.objects.filter(email=address).values_list("pk", flat=True).first()
    queue.enqueue(RESET_JOB, member=member)


def send_reset_mail_by_link(*, token: str) -> LinkStatus:
    """Send a link to choose a new password after "This was not me" on a verification link that was used.

    The account belongs to the owner of the mailbox. The used link does not delete it, because it may have
    been in use since. Within `MAIL_PAUSE` nothing is sent and the result is the same.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.VERIFY)
        if link is None or link.user is None or link.status is not LinkStatus.DONE:
            return get_status(link)
        mailbox_budget.record_answer(link.email)
        send_reset_mail(user=link.user)
    return LinkStatus.RENEWED


def refuse_reset_mails(*, token: str) -> LinkStatus:
    """Carry out "This was not me": somebody else asked for a new password.

    The mailbox is blocked for mails of that kind. The account stays, whatever its state.
    """
    with transaction.atomic():
        link = AccountLink.find_locked(token, purpose=LinkPurpose.RESET)
        if link is None or link.user is None or link.status not in (LinkStatus.OPEN, LinkStatus.EXPIRED):
            return get_status(link)
        mailbox_budget.block(link.user.email)
    return LinkStatus.BLOCKED


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
        _record(link.user, gettext_noop("New password chosen by the link in a mail."))
        mailbox_budget.record_answer(link.user.email)
    forget_failures(client, group="sign-in", value=link.user.email)
    if is_newly_verified:
        logger.info("email_verified", user_id=link.user_id)
    return LinkStatus.DONE


def send_reset_mail(
    *, user: User, is_budgeted: bool = False, priority: MailPriority = MailPriority.URGENT
) -> bool:
    """Send a member a link to choose a new password; return whether a mail was sent.

    No mail is sent to a deactivated member or within `MAIL_PAUSE`. With `is_budgeted`, the mail counts in the
    budget of the mailbox, and is not sent once that is used up.
    """
    with transaction.atomic():
        current = _lock(user)
        if not current.is_active or _seconds_until_mail(current, LinkPurpose.RESET, email=current.email):
            return False
        if is_budgeted and not mailbox_budget.reserve(current.email):
            return False
        mails.enqueue_link(current, LinkPurpose.RESET, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.RESET], user_id=user.pk)
    return True


def warn_before_expiry(*, user: User, expires_at: datetime) -> None:
    """Warn a member that the unverified account will be deleted; `user` is locked by the caller.

    If the budget of the mailbox is used up, or the address is undeliverable, no mail is sent.
    """
    if not user.email_undeliverable_at and mailbox_budget.reserve(user.email):
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


def _refuse_second_factor(member: User) -> None:
    """Raise SecondFactorNeeded for an admin whose password alone must not change the account."""
    if member.is_staff and user_has_device(member):
        raise SecondFactorNeeded


def _require_password(request: HttpRequest, member: User, password: str) -> None:
    """Raise WrongPassword unless this is a member's current password. Failures count as failed sign-ins."""
    with limit_failures(
        request, group="sign-in", rate=settings.SIGNIN_RATE, value=member.email, failure=WrongPassword
    ):
        if not member.check_password(password):
            logger.info("password_check_failed", user_id=member.pk)
            raise WrongPassword


def _erase(member: User, *, keep_newsletter: bool) -> bool:
    """Erase a member; return False if all tokens ended meanwhile. Then the caller must roll back."""
    unchanged: dict[str, Any] = {"token_version": member.token_version}
    if not member.is_email_verified:
        # What admins searched for may be about the owner of the mailbox, so it stays.
        return erase(User, [member.pk], **unchanged) > 0
    erase_rows = erase_row if keep_newsletter else erase_person
    return erase_rows(member, **unchanged)


def _find_pending_changes(member: User) -> QuerySet[AccountLink]:
    """Return the links of a member that may still change the address."""
    return member.links.filter(purpose=LinkPurpose.CHANGE_EMAIL, used_at=None, expires_at__gt=timezone.now())


def _find_addresses_to_notify(member: User) -> list[str]:
    """Return the addresses that get the mail about a deletion: the member's and those of open undo links."""
    is_reached = member.is_email_verified and not member.email_undeliverable_at
    undo_links = member.links.filter(
        purpose=LinkPurpose.UNDO_EMAIL, used_at=None, expires_at__gt=timezone.now()
    )
    earlier = undo_links.exclude(email=member.email).values_list("email", flat=True)
    return [*([member.email] if is_reached else []), *sorted(set(earlier))]


def _record(member: User, text: str) -> None:
    """Add what a member did to the history of the account, without the address."""
    record(member, User, member.pk, text, key=member.pk)


def _lock_signed_in(member: User) -> User:
    """Return the locked row of a request's member. Raises Unauthenticated if all tokens ended meanwhile."""
    current = _lock(member)
    if current.token_version != member.token_version:
        raise Unauthenticated
    return current


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
        if seconds := _seconds_until_mail(current, LinkPurpose.VERIFY, email=current.email):
            raise RateLimited(retry_after=seconds)
        if resets_budget:
            mailbox_budget.clear(current.email)
        elif not mailbox_budget.reserve(current.email):
            raise MailLimitReached
        mails.enqueue_link(current, LinkPurpose.VERIFY, priority=priority)
    logger.info(LINK_EVENTS[LinkPurpose.VERIFY], user_id=user.pk)
    return True


def _store_password(current: User, password_hash: str, *, is_notified: bool = True) -> None:
    """Store a password in a locked row, and tell the member by mail if `is_notified`.

    Reset links are closed, and a pending change of the address is withdrawn: somebody who knew the old
    password may have asked for it.
    """
    current.password = password_hash
    current.token_version += 1
    current.save(
        update_fields=[
            "password",
            "email_undeliverable_at",
            "is_email_verified",
            "token_version",
            "updated_at",
        ]
    )
    _close_links(current, LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)
    if is_notified and not current.email_undeliverable_at:
        mails.enqueue_password_changed(current)
    logger.info("password_changed", user_id=current.pk)


def _close_links(user: User, *purposes: LinkPurpose) -> None:
    user.links.filter(purpose__in=purposes, used_at=None).update(used_at=timezone.now())


def _is_taken(email: str, *, member: User | None = None) -> bool:
    """Return whether an address belongs to an account, or may return to one of another member.

    Otherwise somebody who changed the address of a member could sign up with the old one, so that the change
    could not be undone. The order matters: a change moves the address from the first table to the second.
    """
    if User.objects.filter(email=email).exists():
        return True
    undo_links = AccountLink.objects.filter(
        purpose=LinkPurpose.UNDO_EMAIL, email=email, used_at=None, expires_at__gt=timezone.now()
    )
    return undo_links.exclude(user=member).exists()


def _store_email(user: User, email: str) -> None:
    """Store a verified address in a locked row, end all sessions, and close the links to the old address."""
    user.email = email
    user.is_email_verified = True
    user.email_undeliverable_at = user.expiry_warned_at = None
    user.token_version += 1
    user.save(
        update_fields=[
            "email",
            "is_email_verified",
            "email_undeliverable_at",
            "expiry_warned_at",
            "password",
            "token_version",
            "updated_at",
        ]
    )
    _close_links(user, LinkPurpose.VERIFY, LinkPurpose.RESET, LinkPurpose.CHANGE_EMAIL)


def _seconds_until_mail(user: User, purpose: LinkPurpose, *, email: str) -> int:
    """Return how long the next mail of a kind to an address must wait; 0 if it may be sent now."""
    last = user.links.filter(purpose=purpose, email=email).order_by("created_at").last()
    left = last.created_at + MAIL_PAUSE - timezone.now() if last else timedelta(0)
    return max(0, ceil(left.total_seconds()))
