"""What a request to subscribe has to be like (spec section 5, "Newsletter")."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from newsletter.models import Source, UserType
from sailing.email.addresses import normalize_email
from sailing.errors import BadUserInput


@dataclass(frozen=True)
class SubscriptionRequest:
    """A request whose every value is good: the address in its one spelling, the rest in the spec's."""

    email: str
    user_type: UserType
    source: Source | None


def validated(*, email: str, user_type: str, source: str | None) -> SubscriptionRequest:
    """Check what a visitor sent. A blank source is none: the visitor came from no landing page.

    Raises BadUserInput, with the name that the field has in GraphQL.
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
