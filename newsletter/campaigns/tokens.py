"""The token of a delivery: the secret in the personal links of one mail.

It consists of the delivery's key, which finds the row, and 192 random bits. Only the SHA-256 of the random
part is stored, so a copy of the database opens no link. It never expires: a link to unsubscribe must always
work.

Its reference is what email providers return in their reports. The key of the campaign in it is random, so two
sites that share an account of a provider do not take each other's reports.
"""

import hashlib
import secrets

from django.utils.http import base36_to_int, int_to_base36

from newsletter.campaigns.models import Delivery
from sailing.input_limits import is_oversized
from sailing.mail_links.tokens import TOKEN_BYTES, TOKEN_LENGTH

MAX_LENGTH = len(int_to_base36(2**63 - 1)) + 1 + TOKEN_LENGTH


def new_secret() -> tuple[str, bytes]:
    """Return the random part of a new token, and the hash to store for it."""
    secret = secrets.token_urlsafe(TOKEN_BYTES)
    return secret, _hash(secret)


def build(delivery_pk: int, secret: str) -> str:
    """Return the token of a delivery."""
    return f"{int_to_base36(delivery_pk)}.{secret}"


def find(token: str) -> Delivery | None:
    """Return the delivery of a token, with its campaign and subscription."""
    if is_oversized(token, limit=MAX_LENGTH):
        return None
    key, _dot, secret = token.partition(".")
    try:
        pk = base36_to_int(key)
    except ValueError:
        return None
    found = Delivery.objects.filter(pk=pk, token_hash=_hash(secret))
    return found.select_related("campaign", "subscription").first()


def build_reference(delivery_pk: int, campaign_key: str) -> str:
    """Return the reference of a delivery."""
    return f"{delivery_pk}.{campaign_key}"


def find_by_reference(reference: str) -> Delivery | None:
    """Return the delivery of a reference, or None if it is not one of this site."""
    key, _dot, campaign_key = reference.partition(".")
    try:
        pk = int(key)
    except ValueError:
        return None
    if "\0" in campaign_key:  # PostgreSQL refuses a NUL
        return None
    return Delivery.objects.filter(pk=pk, campaign__key=campaign_key).first()


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
