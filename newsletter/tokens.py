"""The token of a reader's own link: signed instead of stored, because the link never expires.

It names a subscription and, in the mail of a campaign, the delivery. `SECRET_KEY` signs it, so a stolen
database opens no link; a replaced key opens the old ones as long as it is in `SECRET_KEY_FALLBACKS`.
"""

import uuid

from django.core.signing import BadSignature, Signer
from django.utils.http import base36_to_int, int_to_base36, urlsafe_base64_decode, urlsafe_base64_encode

from sailing.mail.links import link_url

SALT = "newsletter.manage"


def build(subscription: uuid.UUID, delivery: int | None = None) -> str:
    """Return the token for the keys of a subscription and a delivery."""
    names = [urlsafe_base64_encode(subscription.bytes)]
    if delivery is not None:
        names.append(int_to_base36(delivery))
    return Signer(salt=SALT, sep=".").sign(".".join(names))


def read(token: str) -> tuple[uuid.UUID, int | None] | None:
    """Return the keys in a token, or None if this site has not signed it."""
    try:
        subscription, _dot, delivery = Signer(salt=SALT, sep=".").unsign(token).partition(".")
    except BadSignature:
        return None
    key = uuid.UUID(bytes=urlsafe_base64_decode(subscription))
    return key, base36_to_int(delivery) if delivery else None


def build_urls(subscription: uuid.UUID, delivery: int | None = None, *, language: str) -> dict[str, str]:
    """Return the links of a mail: to unsubscribe, and further down the same page, to the preferences."""
    url = link_url("newsletter:manage", token=build(subscription, delivery), language=language)
    return {"unsubscribe_url": url, "preferences_url": f"{url}#preferences"}
