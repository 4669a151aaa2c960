"""Invitation links: what readers pass on so that others subscribe.

The code in a link is the key of the reader's subscription: 122 random bits, which open nothing and say
nothing about their owner. So each reader has a link, and no row is stored for it. Who came by a link is
counted by `newsletter.invitations`.
"""

import re
import uuid

from django.conf import settings

FIELD = "invitation"
"""The name of the code in the address of the form, and of the field that sends it."""

_CODE = re.compile("[0-9a-f]{32}")


def build_invitation_url(subscription_pk: uuid.UUID) -> str:
    """Return the link of a subscriber, in no language: whoever follows it may read another one.

    While invitations are turned off, it is the address of the form alone.
    """
    form_url = f"{settings.SITE_URL}/newsletter"
    return f"{form_url}?{FIELD}={subscription_pk.hex}" if settings.INVITATIONS else form_url


def read_code(value: str | None) -> uuid.UUID | None:
    """Return the code that a visitor sent, or None for anything that is no code. Nobody may have it."""
    return uuid.UUID(value) if settings.INVITATIONS and value and _CODE.fullmatch(value) else None
