"""The reference of a delivery, which email providers return in their reports.

The key of the campaign in it is random, so two sites that share an account of a provider do not take each
other's reports.
"""

from newsletter.campaigns.models import Delivery


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
