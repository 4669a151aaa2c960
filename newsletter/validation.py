"""Validation of newsletter input (spec section 5, "Newsletter")."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from newsletter.models import Source, UserType
from sailing.email.addresses import normalize_email
from sailing.errors import BadUserInput


@dataclass(frozen=True)
class SubscriptionRequest:
    """A validated request with a normalised address."""

    email: str
    user_type: UserType
    source: Source | None


def validate_subscription(*, email: str, user_type: str, source: str | None) -> SubscriptionRequest:
    """Validate the newsletter form. A blank source counts as none.

    Raises BadUserInput with the field's GraphQL name.
    """
    try:
        address = normalize_email(email)
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field="email") from None
    if user_type not in UserType.values:
        raise BadUserInput(_("Please choose sailor or company"), field="userType")
    if source and source not in Source.values:
        raise BadUserInput(_("This source is not known"), field="source")
    return SubscriptionRequest(
        email=address, user_type=UserType(user_type), source=Source(source) if source else None
    )
