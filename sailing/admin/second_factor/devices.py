"""The second factor of admins: codes of an authenticator app (TOTP, RFC 6238), and recovery codes.

django-otp stores the codes, accepts each only once, and throttles failures: 1, 2, 4, 8, ... seconds,
counted per admin, and separately for the app and the recovery codes. The secret and the recovery codes are
stored in clear text: the secret is needed to compute codes, and django-otp cannot hash recovery codes.
"""

import re
import time
from base64 import b32encode
from binascii import unhexlify
from collections.abc import Sequence
from math import ceil
from typing import Any

import django_otp
import structlog
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from sailing import history
from sailing.errors import RateLimited

RECOVERY_CODES = 10

logger = structlog.get_logger(__name__)


class WrongCode(Exception):
    """The code is wrong, or was used before. `is_repeated`: so was the app's code before it."""

    def __init__(self, *, is_repeated: bool = False) -> None:
        super().__init__()
        self.is_repeated = is_repeated


def is_set_up(user: Any) -> bool:
    """Return whether a user signs in with a second factor."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def format_key(key: str) -> str:
    """Return a secret, in hexadecimal digits, as it is typed into an app: base32, in groups of four."""
    text = b32encode(unhexlify(key)).decode()
    return " ".join(re.findall(".{4}", text))


def verify(*, user: Any, code: str) -> Any:
    """Use up a code of the app, or a recovery code, and return its device.

    Raises WrongCode, or RateLimited during the pause after earlier failures.
    """
    code = re.sub(r"[\s-]", "", code).lower()
    model = TOTPDevice if re.fullmatch("[0-9]{6}", code) else StaticDevice
    device = model.objects.filter(user=user, confirmed=True).first()
    if device is None:
        raise WrongCode
    is_allowed, reason = device.verify_is_allowed()
    if not is_allowed:
        wait = (reason["locked_until"] - timezone.now()).total_seconds()
        raise RateLimited(retry_after=max(1, ceil(wait)))
    if not django_otp.verify_token(user, device.persistent_id, code):
        logger.info("second_factor_failed", user_id=user.pk)
        raise WrongCode(is_repeated=model is TOTPDevice and device.throttling_failure_count > 0)
    return device


def is_code_of(key: str, code: str) -> bool:
    """Return whether an app with this secret shows this code now. The code is not used up."""
    code = re.sub(r"\s", "", code)
    totp = TOTP(unhexlify(key))
    totp.time = time.time()
    return bool(re.fullmatch("[0-9]{6}", code) and totp.verify(int(code), tolerance=1))


def set_up(*, user: Any, key: str, code: str) -> tuple[Any, list[str]]:
    """Store a new second factor, which replaces an earlier one; return it and its recovery codes.

    `code` proves that the app has the secret, and is used up. Raises WrongCode.
    """
    with transaction.atomic():
        _lock(user)
        _delete(user)
        device = TOTPDevice.objects.create(user=user, name="app", key=key)
        if not is_code_of(key, code) or not device.verify_token(re.sub(r"\s", "", code)):
            raise WrongCode
        recovery = StaticDevice.objects.create(user=user, name="recovery codes")
        codes = [str(StaticToken.random_token()) for _number in range(RECOVERY_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=recovery, token=token) for token in codes)
        text = gettext_noop("Second factor set up.")
        history.record(user, get_user_model(), user, text, key=user.pk)
    logger.info("second_factor_set_up", user_id=user.pk)
    return device, [f"{token[:4]}-{token[4:]}" for token in codes]


def remove(*, user: Any, by: Any = None) -> bool:
    """Remove the second factor of a user, who then signs in with the password alone or sets up another one.

    `by` is the admin who is named in the history. Returns False if there was nothing to remove.
    """
    with transaction.atomic():
        _lock(user)
        if not is_set_up(user):
            return False
        _delete(user)
        if by:
            text = gettext_noop("Second factor removed.")
            history.record(by, get_user_model(), user, text, key=user.pk)
    logger.info("second_factor_removed", user_id=user.pk)
    return True


def _lock(user: Any) -> None:
    # FOR NO KEY UPDATE, so that history entries by this user do not wait.
    users = get_user_model()._default_manager.select_for_update(no_key=True)
    list(users.filter(pk=user.pk).values_list("pk"))


def _delete(user: Any) -> None:
    models: Sequence[Any] = (TOTPDevice, StaticDevice)
    for model in models:
        model.objects.filter(user=user).delete()
