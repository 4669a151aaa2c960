"""Limits on texts and bodies, checked first: normalizing 31 KB of combining marks takes half a second."""

import re
import unicodedata
from http import HTTPStatus

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

MAX_PASSWORD_LENGTH = 128
OVERSIZE_FACTOR = 4


def is_oversized(value: str, *, limit: int) -> bool:
    """Return whether a text is refused before it is trimmed and normalized, which takes time."""
    return len(value) > OVERSIZE_FACTOR * limit


SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
ZERO_WIDTH = re.compile("[\u00ad\u180e\u200b\u2060\ufeff]")
EDGES = (
    " \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029\u200c\u200d\u200e\u200f\u202a\u202b\u202c"
    "\u2066\u2067\u2068\u2069\u115f\u1160\u2800\u3164\uffa0"
)
"""What phones, chats and web pages leave in a copied text: other spaces, marks of a possible line break, and,
around it, invisible characters and marks of the writing direction."""


def clean_line(value: str, *, limit: int) -> str:
    """Return a line of text in Unicode NFC, trimmed, without invisible remains of copying.

    Raises ValidationError, also for control characters and bidirectional overrides (Unicode UTR 36).
    """
    too_long = ValidationError(_("Please use at most %(limit)d characters") % {"limit": limit})
    if is_oversized(value, limit=limit):
        raise too_long
    text = unicodedata.normalize("NFC", SPACES.sub(" ", ZERO_WIDTH.sub("", value)))
    text = text.strip(EDGES)
    if len(text) > limit:
        raise too_long
    without_joiners = re.sub("[\u200c\u200d]", "", text)  # Persian and Hindi names need them
    if any(unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") for character in without_joiners):
        raise ValidationError(_("Please remove the invisible control characters"))
    return text


def normalize_password(value: str) -> str:
    """Return a password in Unicode NFC (RFC 8265 section 4): devices type "é" as one character or as two."""
    if not is_oversized(value, limit=MAX_PASSWORD_LENGTH):
        password = unicodedata.normalize("NFC", value)
        if len(password) <= MAX_PASSWORD_LENGTH:
            return password
    message = _("Password must be at most %(limit)d characters") % {"limit": MAX_PASSWORD_LENGTH}
    raise ValidationError(message, code="password_too_long")


def validate_password_length(value: str) -> None:
    """Raise ValidationError for a password that is too long, so that Django's forms do not hash it."""
    normalize_password(value)


def refused_body_status(request: HttpRequest, *, limit: int) -> HTTPStatus | None:
    """Return the status that refuses a body of more than `limit` bytes before it is read, else None.

    411 for chunked encoding and an invalid Content-Length (RFC 9110 section 15.5.12), 413 for one above the
    limit. Without either header there is no body (RFC 9112 section 6.3).
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if "HTTP_TRANSFER_ENCODING" in request.META or not (length.isascii() and length.isdecimal()):
        return HTTPStatus.LENGTH_REQUIRED
    # `int` raises ValueError for thousands of digits.
    if len(length) > len(str(limit)) or int(length) > limit:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None
