"""The members' use cases. Each is one function and one transaction, its mail included.

Passwords are hashed before the transaction: nobody waits for a lock meanwhile.
"""

from collections.abc import Mapping
from datetime import timedelta
from math import ceil
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from graphql_jwt.exceptions import JSONWebTokenError

from accounts import links, mails, tokens
from accounts.errors import InvalidCredentials, email_taken
from accounts.models import AccountLink, LinkPurpose, User
from accounts.validation import Credentials, validated_profile, validated_sign_up
from sailing.errors import RateLimited, Unauthenticated
from sailing.links import Outcome

MAIL_PAUSE = timedelta(minutes=3)
"""Between two mails of one kind to one member."""

logger = structlog.get_logger(__name__)


def sign_up(*, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and ask them, in `language`, to verify their address.

    `values`: first_name, last_name, email, password, and optionally captain_license,
    captain_license_number, favorite_position.
    Raises BadUserInput for values that break a rule and for a taken address, RateLimited when too many
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
    except JSONWebTokenError:
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


def verify_email(*, token: str) -> Outcome:
    """Carry out a verification link: the owner of the mailbox pressed its button."""
    with transaction.atomic():
        link = _locked_link(token, LinkPurpose.VERIFY)
        outcome = links.outcome(link)
        if link is None or outcome is not Outcome.OPEN:
            return outcome
        user = link.user
        user.is_email_verified = True
        user.save(update_fields=["is_email_verified", "updated_at"])
        _close_links(user, LinkPurpose.VERIFY)
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
        if link is None or outcome is not Outcome.EXPIRED:
            return outcome
        is_due = not _wait(link.user, LinkPurpose.VERIFY)
        if is_due:
            _send_verification(link.user)
    if is_due:
        logger.info("verification_resent", user_id=link.user_id)
    return Outcome.RENEWED


def resend_verification(*, user: User) -> bool:
    """Send the verification mail once more.

    Returns whether one goes out: not to an address that is verified. Raises RateLimited within the
    pause between two mails.
    """
    with transaction.atomic():
        current = _locked(user)
        if current.is_email_verified or not current.is_active:
            return False
        wait = _wait(current, LinkPurpose.VERIFY)
        if wait:
            raise RateLimited(retry_after=wait)
        _send_verification(current)
    logger.info("verification_resent", user_id=user.pk)
    return True


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
        if link is None or outcome is not Outcome.EXPIRED:
            return outcome
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
        if link is None or outcome is not Outcome.OPEN:
            return outcome
        _store_password(link.user, fresh.password)
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
    """Let a member in no more, and end all their tokens. Returns whether there was something to change."""
    with transaction.atomic():
        current = _locked(user)
        if not current.is_active:
            return False
        current.is_active = False
        current.token_version += 1
        current.save(update_fields=["is_active", "token_version", "updated_at"])
    logger.info("deactivated", user_id=user.pk)
    return True


def _locked(user: User) -> User:
    return User.objects.select_for_update().get(pk=user.pk)


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
    user = User.objects.select_for_update().filter(pk=link.user_id).first()
    if user is None:
        return None
    # As it is now that nobody else can change it.
    link.refresh_from_db()
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
