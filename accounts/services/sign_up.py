"""Signing up."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction

from accounts import mails
from accounts.errors import EmailTaken
from accounts.models import LinkPurpose, User
from accounts.validation import validate_sign_up
from sailing.client import Client
from sailing.errors import RateLimited
from sailing.mail import mailboxes
from sailing.ratelimit.limits import check_rate

logger = structlog.get_logger(__name__)


def sign_up(*, client: Client, values: Mapping[str, Any], language: str) -> User:
    """Store a new member and send the verification mail in `language`.

    `values`: first_name, last_name, email, password, and optionally captain_license,
    captain_license_number and favorite_position.
    If the budget of the mailbox is used up, no mail is sent, and the result is the same.
    Raises RateLimited, and BadUserInput for a broken rule or a taken address.
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
