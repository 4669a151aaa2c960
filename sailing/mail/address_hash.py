"""Salted hashes of addresses: they recognize an address, but do not name it.

The salt is stored in the database and not derived from SECRET_KEY, because a new key must not make the site
forget who must get no mail.
"""

import hmac
import secrets
from hashlib import sha256

from sailing.mail.models import AddressSalt


def read_salt() -> bytes:
    salt, _is_new = AddressSalt.objects.get_or_create(pk=1, defaults={"value": secrets.token_hex(32)})
    return salt.value.encode()


def compute(address: str, salt: bytes | None = None) -> str:
    """Return the hash of an address. Whoever needs many reads the salt once."""
    return hmac.new(salt or read_salt(), address.encode(), sha256).hexdigest()
