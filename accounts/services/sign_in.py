"""Signing in and out, and asking a signed-in member for the password again."""

import jwt
import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_otp import user_has_device

from accounts import tokens
from accounts.errors import InvalidCredentials, SecondFactorNeeded, WrongPassword
from accounts.models import User
from accounts.validation import clean_password, validate_sign_in
from sailing.client import Client
from sailing.errors import Unauthenticated
from sailing.ratelimit.limits import check_rate, limit_failures

logger = structlog.get_logger(__name__)


def sign_in(*, client: Client, email: str, password: str) -> User:
    """Return the member with an email and a password.

    An unknown email, a wrong password and a deactivated member get the same answer after the same work
    (OWASP Authentication Cheat Sheet, "Authentication and Error Messages").
    Raises RateLimited, BadUserInput and InvalidCredentials.
    """
    address = validate_sign_in(email=email, password=password)
    with limit_failures(client, rate=settings.SIGNIN_RATE, account=address, failure=InvalidCredentials):
        user = _authenticate(address, password)
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    logger.info("sign_in", user_id=user.pk)
    return user


def sign_out(*, client: Client, token: str) -> None:
    """Revoke a bearer token; a second call has no effect.

    Raises RateLimited, and Unauthenticated for an invalid or expired token.
    """
    check_rate(client, group="logout", rate=settings.MEMBER_RATE)
    try:
        user_id = tokens.revoke(token)
    except jwt.InvalidTokenError:
        raise Unauthenticated from None
    logger.info("sign_out", user_id=user_id)


def require_password(client: Client, member: User, password: str) -> None:
    """Ask for a member's current password. Failures count as failed sign-ins.

    Raises WrongPassword, RateLimited, and BadUserInput for one that is blank or too long to be hashed.
    """
    clean_password(password, field="currentPassword")
    with limit_failures(client, rate=settings.SIGNIN_RATE, account=member.email, failure=WrongPassword):
        if not member.check_password(password):
            logger.info("password_check_failed", user_id=member.pk)
            raise WrongPassword


def refuse_second_factor(member: User) -> None:
    """Raise SecondFactorNeeded for an admin whose password alone must not change the account."""
    if member.is_staff and user_has_device(member):
        raise SecondFactorNeeded


def _authenticate(email: str, password: str) -> User:
    user = User.objects.filter(email=email).first()
    if user is None:
        make_password(password)  # takes as long as checking one
    if user is None or not user.check_password(password) or not user.is_active:
        fingerprint = salted_hmac("accounts.sign_in", email).hexdigest()[:16]  # instead of the address
        logger.info("sign_in_failed", account=fingerprint)
        raise InvalidCredentials
    return user
