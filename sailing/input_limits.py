"""How long a text or a body may be before anything else looks at it.

Normalising, matching and hashing cost more than linear time, or a lot of linear time: 31 KB of combining
characters take half a second to normalise. So a text that is far beyond its limit is refused first.
"""

from http import HTTPStatus

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

MAX_PASSWORD_LENGTH = 128

OVERSIZE_FACTOR = 4
"""Times its limit. Trimming and normalising shorten a text: one that is a little too long may yet fit."""


def is_oversized(value: str, *, limit: int) -> bool:
    """Return whether a text of at most `limit` characters must be refused before it is processed."""
    return len(value) > OVERSIZE_FACTOR * limit


def password_too_long() -> str:
    """Return the message for a password beyond the limit."""
    return _("Password must be at most %(limit)d characters") % {"limit": MAX_PASSWORD_LENGTH}


def validate_password_length(value: str) -> None:
    """Raise ValidationError for a password beyond the limit: a validator for fields of forms.

    A field that fails is neither hashed nor compared by Django's forms.
    """
    if len(value) > MAX_PASSWORD_LENGTH:
        raise ValidationError(password_too_long(), code="password_too_long")


def refused_body_status(request: HttpRequest, *, limit: int) -> HTTPStatus | None:
    """Return the status that refuses a body before it is read; None for one of at most `limit` bytes.

    411 for chunks and for a Content-Length that is no number (RFC 9110 section 15.5.12), 413 for one past the
    limit. With neither there is no body (RFC 9112 section 6.3).
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if "HTTP_TRANSFER_ENCODING" in request.META or not (length.isascii() and length.isdecimal()):
        return HTTPStatus.LENGTH_REQUIRED
    # The number of digits first: `int` raises ValueError for thousands of them.
    if len(length) > len(str(limit)) or int(length) > limit:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None
