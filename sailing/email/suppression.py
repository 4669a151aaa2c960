"""The suppression list: addresses that must not come back by an import.

An erased person must stay erased, and somebody who complained about mail must get no more. So an import
skips their addresses. Only the owner lifts the suppression, by confirming a subscription. The list stores
salted hashes: it can recognise an address, but not name one.
"""

import hmac
import secrets
from collections.abc import Collection
from hashlib import sha256

from django.db.models import QuerySet

from sailing.email.mailbox_budget import canonical_mailbox
from sailing.models import SuppressedAddress, SuppressionReason, SuppressionSalt


def suppress(email: str, reason: SuppressionReason) -> None:
    """Add a normalised address to the list. The first reason stays."""
    SuppressedAddress.objects.get_or_create(
        address_hash=_hash(email, _read_salt()), defaults={"reason": reason}
    )


def lift(email: str) -> None:
    """Remove an address whose owner has confirmed a subscription."""
    find(email).delete()


def find(email: str) -> QuerySet[SuppressedAddress]:
    """Return the entry of a normalised address, if there is one."""
    return SuppressedAddress.objects.filter(address_hash=_hash(email, _read_salt()))


def find_suppressed(emails: Collection[str]) -> set[str]:
    """Return those of some normalised addresses that are on the list, in any spelling of their mailbox."""
    salt = _read_salt()
    hashes = {email: _hash(email, salt) for email in emails}
    stored = SuppressedAddress.objects.filter(address_hash__in=hashes.values())
    suppressed = set(stored.values_list("address_hash", flat=True))
    return {email for email, value in hashes.items() if value in suppressed}


def _hash(email: str, salt: bytes) -> str:
    return hmac.new(salt, canonical_mailbox(email).encode(), sha256).hexdigest()


def _read_salt() -> bytes:
    salt, _is_new = SuppressionSalt.objects.get_or_create(pk=1, defaults={"value": secrets.token_hex(32)})
    return salt.value.encode()
