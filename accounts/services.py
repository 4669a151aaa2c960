"""The members' use cases. Each is one function and one transaction, its mail included.

Passwords are hashed before the transaction: nobody waits for a lock meanwhile.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any

import jwt
import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import links, mails, superusers, tokens
from accounts.errors import InvalidCredentials, MailLimitReached, MemberErased, email_taken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.validation import Credentials, validated_profile, validated_sign_up
from sailing.email import mailbox_budget
from sailing.email.tokens import Outcome
from sailing.erasure import erase
from sailing.errors import RateLimited, Unauthenticated

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""

logger = structlog.get_logger(__name__)


def sign_up(*, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and ask them, in `language`, to verify their address.

    `values`: first_name, last_name, email, password, and optionally captain_license,
    captain_license_number, favorite_position.
    Where the mailbox may get no mail (`sailing.email.mailbox_budget`), none goes out and the answer is the
    same. Raises BadUserInput for values that break a rule and for a taken address, RateLimited when too many
    passwords are being hashed.
    """
    request = validated_sign_up(values)
    if User.objects.filter(email=request.email).exists():
        raise email_taken()
    user = User(
        email=request.email,
        first_name=request.first_name,
        last_name=request.last_name,
        captain_license=request.captain_license,
        captain_license_number=request.captain_license_number,
        favorite_position=request.favorite_position,
        language=language,
    )
    user.set_password(request.password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            if not mailbox_budget.reserve(user.email):
                _send_verification(user)
    except IntegrityError:
        # Of many equal requests at once one stored the member.
        if User.objects.filter(email=request.email).exists():
            raise email_taken() from None
        raise
    logger.info("sign_up", user_id=user.pk)
    return user


def sign_in(*, credentials: Credentials) -> User:
    """The member of an email and a password, as `validated_credentials` returns them.

    An unknown email, a wrong password and a deactivated member take the same work and look the same
    (OWASP Authentication Cheat Sheet, "Authentication and Error Messages").
    Raises InvalidCredentials, and RateLimited when too many passwords are being hashed.
    """
    user = User.objects.filter(email=credentials.email).first()
    if user is None:
        User().set_password(credentials.password)  # the one hash that the others take
    if user is None or not user.check_password(credentials.password) or not user.is_active:
        logger.info("sign_in_failed", account=_fingerprint(credentials.email))
        raise InvalidCredentials
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    logger.info("sign_in", user_id=user.pk)
    return user


def sign_out(*, token: str) -> None:
    """Make a token useless; doing it twice is as good as once.

    Raises Unauthenticated for what is no token of ours, or has expired.
    """
    try:
        with transaction.atomic():
            user_id = tokens.revoke(token)
    except jwt.InvalidTokenError:
        raise Unauthenticated from None
    logger.info("sign_out", user_id=user_id)


def update_profile(*, user: User, values: Mapping[str, Any]) -> User:
    """Change those of first_name, last_name, nickname, phone and nationality that are given.

    A value of None counts as not given, a blank one empties an optional field.
    Raises BadUserInput for values that break a rule.
    """
    changes = validated_profile(values)
    with transaction.atomic():
        current = _locked(user)
        for name, value in changes.items():
            setattr(current, name, value)
        if changes:
            current.save(update_fields=[*changes, "updated_at"])
    return current


def verify_email(*, token: str, kept: tokens.IssuedToken | None = None) -> Outcome:
    """Carry out a verification link: the owner of the mailbox pressed its button.

    Whoever signed up before may not have been the owner, so all tokens of the account end, but for `kept`,
    the one of the browser that verifies.
    """
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.VERIFY)
        outcome = links.outcome(link)
        if outcome is not Outcome.OPEN or link is None or link.user is None:
            return outcome
        user = link.user
        user.is_email_verified = True
        user.token_version += 1
        user.kept_jti = kept.jti if kept and kept.user_id == user.pk else ""
        user.save(
            update_fields=[
                "is_email_verified",
                "token_version",
                "kept_jti",
                "updated_at",
            ]
        )
        _close_links(user, LinkPurpose.VERIFY)
        mailbox_budget.record_answer(user.email)
    logger.info("email_verified", user_id=user.pk)
    return Outcome.DONE


def renew_verification(*, token: str) -> Outcome:
    """Send a new verification link in place of an expired one.

    Within the pause between two mails nothing is sent and the answer is the same: a newer link then is
    in the mailbox already.
    """
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.VERIFY)
        outcome = links.outcome(link)
        if outcome is not Outcome.EXPIRED or link is None or link.user is None:
            return outcome
        mailbox_budget.record_answer(link.user.email)
        is_due = not _wait(link.user, LinkPurpose.VERIFY)
        if is_due:
            _send_verification(link.user)
    if is_due:
        logger.info("verification_resent", user_id=link.user_id)
    return Outcome.RENEWED


def disown(*, token: str) -> Outcome:
    """Carry out "This was not me": somebody else signed up with the address of the mailbox's owner.

    No more mails that such a sign-up causes go to the mailbox. The account is deleted, unless an address of
    it was verified once or it is an admin's.
    """
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.VERIFY)
        outcome = links.outcome(link)
        if outcome not in (Outcome.OPEN, Outcome.EXPIRED) or link is None or link.user is None:
            return outcome
        user = link.user
        mailbox_budget.block(user.email)
        if not user.may_be_disowned:
            return Outcome.BLOCKED
        link.user, link.email = None, ""
        link.save(update_fields=["user", "email"])
        erase(User, [user.pk])
    logger.info("account_disowned", user_id=user.pk)
    return Outcome.DISOWNED


def resend_verification(*, user: User, is_by_admin: bool = False) -> bool:
    """Send the verification mail once more.

    Returns whether one goes out: not to an address that is verified. Raises RateLimited within the
    pause between two mails, and MailLimitReached past the mailbox's budget. An admin vouches for the member:
    the budget begins anew.
    """
    with transaction.atomic():
        current = _locked(user)
        if current.is_email_verified or not current.is_active:
            return False
        if wait := _wait(current, LinkPurpose.VERIFY):
            raise RateLimited(retry_after=wait)
        if is_by_admin:
            mailbox_budget.clear(current.email)
        elif mailbox_budget.reserve(current.email):
            raise MailLimitReached
        _send_verification(current)
    logger.info("verification_resent", user_id=user.pk)
    return True


def warn_before_expiry(*, user: User, expires_at: datetime) -> None:
    """Tell a member of a locked row that the unverified account will be deleted, as the budget allows."""
    if not mailbox_budget.reserve(user.email):
        token = _issue(user, LinkPurpose.VERIFY, expires_at - timezone.now())
        mails.enqueue_expiry_warning(user, token=token, expires_at=expires_at)
    user.expiry_warned_at = timezone.now()
    user.save(update_fields=["expiry_warned_at"])


def send_reset_mail(*, user: User) -> bool:
    """Send a member the link with which they choose a new password.

    Returns whether a mail goes out: not to a deactivated member, nor within the pause between two mails.
    """
    with transaction.atomic():
        current = _locked(user)
        if not current.is_active or _wait(current, LinkPurpose.RESET):
            return False
        _send_reset(current)
    logger.info("password_reset_sent", user_id=user.pk)
    return True


def renew_reset(*, token: str) -> Outcome:
    """Send a new reset link in place of an expired one, to the mailbox that the old one went to.

    Within the pause between two mails nothing is sent and the answer is the same.
    """
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.RESET)
        outcome = links.outcome(link)
        if outcome is not Outcome.EXPIRED or link is None or link.user is None:
            return outcome
        mailbox_budget.record_answer(link.user.email)
        is_due = not _wait(link.user, LinkPurpose.RESET)
        if is_due:
            _send_reset(link.user)
    if is_due:
        logger.info("password_reset_sent", user_id=link.user_id)
    return Outcome.RENEWED


def reset_password(*, token: str, password: str) -> Outcome:
    """Carry out a reset link: store the new password, which ends all tokens, and tell the member.

    The caller has checked the password against the rules. Raises RateLimited when too many passwords
    are being hashed.
    """
    fresh = User()
    fresh.set_password(password)
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.RESET)
        outcome = links.outcome(link)
        if outcome is not Outcome.OPEN or link is None or link.user is None:
            return outcome
        _store_password(link.user, fresh.password)
        mailbox_budget.record_answer(link.user.email)
    return Outcome.DONE


def change_password(*, user: User) -> None:
    """Store the password that was set on `user`, which ends all tokens, and tell the member.

    Nothing else of `user` is stored: it was read before the password was checked and hashed, and the
    member may have been deactivated since. It learns the token version that counts from now on.
    """
    with transaction.atomic():
        current = _locked(user)
        _store_password(current, user.password)
    user.token_version = current.token_version


def sign_out_everywhere(*, user: User) -> None:
    """Make all tokens of a member useless."""
    with transaction.atomic():
        current = _locked(user)
        current.token_version += 1
        current.save(update_fields=["token_version"])
    logger.info("signed_out_everywhere", user_id=user.pk)


def deactivate(*, user: User) -> bool:
    """Let a member in no more, and end all their tokens. Returns whether there was something to change.

    Raises LastSuperuser.
    """
    with transaction.atomic():
        superusers.check_one_remains(without=[user.pk])
        current = _locked(user)
        if not current.is_active:
            return False
        current.is_active = False
        current.token_version += 1
        current.save(update_fields=["is_active", "token_version", "updated_at"])
    logger.info("deactivated", user_id=user.pk)
    return True


def _locked(user: User) -> User:
    """Lock a member's row. Raises MemberErased for one that is gone."""
    current = User.objects.select_for_update().filter(pk=user.pk).first()
    if current is None:
        raise MemberErased
    return current


def _store_password(current: User, encoded: str) -> None:
    """Store a hash in a locked row. Links to choose another password are void; the member gets a mail."""
    current.password = encoded
    current.token_version += 1
    current.save(update_fields=["password", "token_version", "updated_at"])
    _close_links(current, LinkPurpose.RESET)
    mails.enqueue_password_changed(current)
    logger.info("password_changed", user_id=current.pk)


def _locked_link(token: str, purpose: LinkPurpose) -> AccountLink | None:
    link = links.find(token=token, purpose=purpose)
    if link is None:
        return None
    user = User.objects.select_for_update().filter(links=link).first()
    # Read again under the lock: it may have been erased or disowned meanwhile.
    link = links.find(token=token, purpose=purpose)
    if link and user and link.user_id == user.pk:
        link.user = user
    return link


def _send_verification(user: User) -> None:
    mails.enqueue_verification(user, token=_issue(user, LinkPurpose.VERIFY, links.VERIFY_LIFETIME))


def _send_reset(user: User) -> None:
    mails.enqueue_password_reset(user, token=_issue(user, LinkPurpose.RESET, links.RESET_LIFETIME))


def _issue(user: User, purpose: LinkPurpose, lifetime: timedelta) -> str:
    return AccountLink.issue(lifetime=lifetime, user=user, purpose=purpose, email=user.email)


def _close_links(user: User, purpose: LinkPurpose) -> None:
    user.links.filter(purpose=purpose, used_at=None).update(used_at=timezone.now())


def _wait(user: User, purpose: LinkPurpose) -> int:
    """Seconds until the next mail of a kind may go out; 0 when it may now."""
    last = user.links.filter(purpose=purpose, email=user.email).order_by("created_at").last()
    left = last.created_at + MAIL_PAUSE - timezone.now() if last else timedelta(0)
    return max(0, ceil(left.total_seconds()))


def _fingerprint(email: str) -> str:
    """Tells one account's failures from another's in the log, and no address."""
    return salted_hmac("accounts.sign_in", email).hexdigest()[:16]
