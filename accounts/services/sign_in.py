"""Signing up, in and out, and asking a signed-in member for the password again."""

from collections.abc import Mapping
from typing import Any

import jwt
import structlog
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_otp import user_has_device

from accounts import mails, tokens
from accounts.errors import EmailTaken, InvalidCredentials, SecondFactorNeeded, WrongPassword
from accounts.models import LinkPurpose, User
from accounts.validation import clean_password, validate_sign_in, validate_sign_up
from sailing.client import Client
from sailing.errors import RateLimited, Unauthenticated
from sailing.mail import mailboxes
from sailing.ratelimit.limits import check_rate, limit_failures

logger = structlog.get_logger(__name__)


def sign_up(*, client: Client, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and send the verification mail in `language`.

    `values`: see `validate_sign_up`. The result is the same without a mail, if the budget of the mailbox is
    used up. Raises RateLimited, BadUserInput and EmailTaken.
    """
    fields = validate_sign_up(values)
    take_back = check_rate(client, group="sign-up", rate=settings.SIGNUP_RATE, causes_mail=True)
    if User.objects.filter(email=fields["email"]).exists():
        raise EmailTaken
    password = fields.pop("password")
    user = User(language=language, **fields)
    try:
        user.set_password(password)
    except RateLimited:  # too many passwords are being hashed
        take_back()
        raise
    with transaction.atomic():
        try:
            user.save(force_insert=True)
        except IntegrityError:  # a concurrent sign-up stored the same address
            raise EmailTaken from None
        if mailboxes.reserve(user.email):
            mails.enqueue_link(user, LinkPurpose.VERIFY)
    logger.info("sign_up", user_id=user.pk)
    return user


def sign_in(*, client: Client, email: str, password: str) -> User:
    """Return the member with an email and a password.

    An unknown email, a wrong password and a deactivated member get the same answer after the same work
    (OWASP Authentication Cheat Sheet, "Authentication and Error Messages").
    Raises RateLimited, BadUserInput and InvalidCredentials.
    """
    address = validate_sign_in(email=email, password=password)
    with limit_failures(client, account=address, failure=InvalidCredentials):
        user = _authenticate(address, password)
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    logger.info("sign_in", user_id=user.pk)
    return user


def sign_out(*, client: Client, token: str) -> None:
    """Revoke a bearer token, once or again. Raises RateLimited, and Unauthenticated for an invalid one."""
    check_rate(client, group="logout", rate=settings.MEMBER_RATE)
    try:
        user_id = tokens.revoke(token)
    except jwt.InvalidTokenError:
        raise Unauthenticated from None
    logger.info("sign_out", user_id=user_id)


def require_password(client: Client, member: User, password: str) -> None:
    """Raise WrongPassword, RateLimited or BadUserInput unless the password is the member's current one."""
    clean_password(password, field="currentPassword")
    with limit_failures(client, account=member.email, failure=WrongPassword):
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
