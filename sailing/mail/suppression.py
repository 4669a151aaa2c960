"""The suppression list: addresses that must not come back by an import.

An erased person must stay erased, and a person who complained about mail must not be subscribed again by
others. So an import skips their addresses. The owner lifts the suppression by confirming a subscription; an
admin can lift it too (`sailing.admin.suppression`). The list stores salted hashes: it can recognize an
address, but not name one.
"""

from collections.abc import Collection

from django.db.models import Count, Q, QuerySet

from sailing.mail import address_hash
from sailing.mail.models import SuppressedAddress, SuppressionReason

GMAIL = ("gmail.com", "googlemail.com")


def suppress(email: str, reason: SuppressionReason) -> None:
    """Add a normalized address to the list. The first reason stays."""
    SuppressedAddress.objects.get_or_create(address_hash=hash_address(email), defaults={"reason": reason})


def lift(email: str) -> None:
    """Remove an address whose owner has confirmed a subscription."""
    find(email).delete()


def count_by_reason() -> dict[str, int]:
    """Return the number of addresses on the list, by the value of their reason."""
    reasons = {reason.value: Count("pk", filter=Q(reason=reason)) for reason in SuppressionReason}
    return SuppressedAddress.objects.aggregate(**reasons)


def find(email: str) -> QuerySet[SuppressedAddress]:
    """Return the entry of a normalized address, if there is one."""
    return SuppressedAddress.objects.filter(address_hash=hash_address(email))


def find_suppressed(emails: Collection[str]) -> set[str]:
    """Return those of some normalized addresses that are on the list, in any spelling of their mailbox."""
    hashes = {email: hash_address(email) for email in emails}
    stored = SuppressedAddress.objects.filter(address_hash__in=hashes.values())
    suppressed = set(stored.values_list("address_hash", flat=True))
    return {email for email, value in hashes.items() if value in suppressed}


def hash_address(email: str) -> str:
    """Return the hash by which the list knows a normalized address."""
    return address_hash.compute(_canonical_form(email))


def _canonical_form(email: str) -> str:
    """Return the form of a normalized address that all spellings of its mailbox share.

    A plus starts a tag of the owner's choice; Gmail ignores dots and has two domains. Nothing else is merged:
    it could suppress somebody else.
    """
    local, _, domain = email.rpartition("@")
    local = local.partition("+")[0]
    if domain in GMAIL:
        local, domain = local.replace(".", ""), GMAIL[0]
    return f"{local}@{domain}"
