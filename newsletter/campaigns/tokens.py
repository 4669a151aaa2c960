"""The token of a delivery, in the personal links of its mail, and its reference in reports of providers.

A token is signed, so that no row keeps a secret. It never expires: a link to unsubscribe must always work.
The key of the campaign in a reference is random, so two sites that share an account of a provider do not take
each other's reports.
"""

from django.core import signing

from newsletter.campaigns.models import Delivery

_signer = signing.Signer(salt="newsletter.campaigns.delivery", sep=".")


def build(delivery_pk: int) -> str:
    """Return the token of a delivery."""
    return _signer.sign(str(delivery_pk))


def find(token: str) -> Delivery | None:
    """Return the delivery of a token, with its campaign and subscription."""
    try:
        pk = int(_signer.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return Delivery.objects.filter(pk=pk).select_related("campaign", "subscription").first()


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
