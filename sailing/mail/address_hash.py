"""Salted hashes of addresses: they recognize an address, but do not name it.

The salt is stored in the database and not derived from SECRET_KEY, because a new key must not make the site
forget who must get no mail. The first migration stores it, and nothing changes it.
"""

import hmac
from functools import cache
from hashlib import sha256

from sailing.mail.models import AddressSalt


@cache
def read_salt() -> bytes:
    """Return the salt, which each process reads once."""
    return AddressSalt.objects.get().value.encode()


def compute(address: str) -> str:
    """Return the hash of an address."""
    return hmac.new(read_salt(), address.encode(), sha256).hexdigest()
