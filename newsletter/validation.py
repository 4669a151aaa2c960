"""Validation of newsletter input (spec section 5, "Newsletter")."""

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from newsletter.models import ConsentEvent, LeavingReason, Source, UserType
from sailing.errors import BadUserInput
from sailing.input_limits import clean_line, is_oversized
from sailing.language import LANGUAGES
from sailing.mail.addresses import normalize_email

PAUSE_DAYS = (30, 90)
RESUME = 0

MAX_KEY_DIGITS = 18
"""Of a key in the database, which has 64 bits."""


@dataclass(frozen=True)
class SubscriptionRequest:
    """A validated request with a normalized address."""

    email: str
    user_type: UserType
    source: Source | None


@dataclass(frozen=True)
class PreferencesChange:
    """A validated change of what an address gets.

    `audiences`: all that it is to get; None leaves them. `language`: that of the mails; blank leaves it.
    `pause_days`: how long to send nothing; RESUME ends a pause, and None leaves it. `interests`: the keys of
    all that it is interested in; None leaves them. `reason`, `comment`: why the owner leaves audiences.
    """

    audiences: frozenset[UserType] | None = None
    language: str = ""
    pause_days: int | None = None
    interests: frozenset[int] | None = None
    reason: str = ""
    comment: str = ""


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


def validate_preferences(
    *,
    audiences: Collection[str] | None = None,
    language: str = "",
    pause_days: int | None = None,
    interests: Collection[str] | None = None,
    reason: str = "",
    comment: str = "",
) -> PreferencesChange:
    """Validate a change of preferences. A comment without a reason has another one than those listed.

    `interests`: the keys of the chosen ones; others than those offered change nothing.

    Raises BadUserInput with the field's GraphQL name.
    """
    if audiences is not None and not set(audiences) <= set(UserType.values):
        raise BadUserInput(_("Please choose sailor or company"), field="audiences")
    if language and language not in LANGUAGES:
        raise BadUserInput(_("Please choose one of the listed languages"), field="language")
    if pause_days is not None and pause_days not in (RESUME, *PAUSE_DAYS):
        raise BadUserInput(_("Please choose one of the listed pauses"), field="pauseDays")
    if reason and reason not in LeavingReason.values:
        raise BadUserInput(_("Please choose one of the listed reasons"), field="reason")
    comment = _clean_comment(comment)
    return PreferencesChange(
        audiences=None if audiences is None else frozenset(map(UserType, audiences)),
        language=language,
        pause_days=pause_days,
        interests=None if interests is None else read_keys(interests),
        reason=reason or (LeavingReason.OTHER if comment else ""),
        comment=comment,
    )


def read_keys(values: Collection[str]) -> frozenset[int]:
    """Return the keys of interests in the values of a form; a malformed one counts as none."""
    return frozenset(int(value) for value in values if value.isdecimal() and len(value) <= MAX_KEY_DIGITS)


def _clean_comment(value: str) -> str:
    """Return a comment as one line of text."""
    limit = ConsentEvent.COMMENT_LENGTH
    line = value if is_oversized(value, limit=limit) else " ".join(value.split())
    try:
        return clean_line(line, limit=limit)
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field="comment") from None
