"""Signing in and out, and asking a signed-in member for the password again."""

import jwt
import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, InterfaceError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_otp import user_has_device

from accounts import tokens
from accounts.errors import InvalidCredentials, SecondFactorNeeded, WrongPassword
from accounts.models import User
from accounts.validation import validate_sign_in
from sailing.client import Client
from sailing.errors import Unauthenticated
from sailing.ratelimit.limits import check_rate, forget_failures, limit_failures

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
        with transaction.atomic():
            user_id = tokens.revoke(token)
    except jwt.InvalidTokenError:
        raise Unauthenticated from None
    logger.info("sign_out", user_id=user_id)


def require_password(client: Client, member: User, password: str) -> None:
    """Raise WrongPassword unless this is a member's current password. Failures count as failed sign-ins."""
    with limit_failures(client, rate=settings.SIGNIN_RATE, account=member.email, failure=WrongPassword):
        if not member.check_password(password):
            logger.info("password_check_failed", user_id=member.pk)
            raise WrongPassword


def forget_failed_sign_ins(client: Client, member: User) -> None:
    """Let a member who has chosen a new password by a link sign in with it, whatever was tried before."""
    try:
        forget_failures(client, account=member.email)
    except (DatabaseError, InterfaceError) as error:  # the password is set already
        logger.warning("failures_not_forgotten", user_id=member.pk, error=type(error).__name__)


def refuse_second_factor(member: User) -> None:
    """Raise SecondFactorNeeded for an admin whose password alone must not change the account."""
    if member.is_staff and user_has_device(member):
        raise SecondFactorNeeded


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
