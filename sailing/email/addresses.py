"""Validation and normalisation of email addresses."""

import idna
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.translation import gettext as _

from sailing.input_limits import is_oversized

MAX_EMAIL_LENGTH = 254
"""RFC 5321 section 4.5.3.1.3: a path of 256 octets minus its angle brackets."""

validate_public = EmailValidator(allowlist=[])
"""Refuses domains that are not public, such as `localhost`."""


def normalize_email(value: str) -> str:
    """Return an address as it is stored: trimmed, in lower case, its domain in ASCII (RFC 5891).

    A plain unique constraint then keeps one row for a mailbox. RFC 5321 allows mailboxes that differ in
    letter case only, but no provider has them. Only ASCII letters are lowered: others, such as the Kelvin
    sign, would turn into the letter of somebody else's address.
    Raises ValidationError for a blank, oversized or invalid address, and for one with other than ASCII
    characters before the @, which hardly any mail server takes (RFC 6531).
    """
    if is_oversized(value, limit=MAX_EMAIL_LENGTH):
        raise _too_long()
    address = value.strip()
    if not address:
        raise ValidationError(_("Email is required"), code="required")
    if len(address) <= MAX_EMAIL_LENGTH:  # encoding a longer one is wasted work
        address = _to_ascii(address)
    if len(address) > MAX_EMAIL_LENGTH:
        raise _too_long()
    return address


def validate_email_length(value: str) -> None:
    """Raise ValidationError for an oversized address. A validator for form fields."""
    if len(value) > MAX_EMAIL_LENGTH:
        raise _too_long()


def _too_long() -> ValidationError:
    message = _("Email must be at most %(limit)d characters") % {"limit": MAX_EMAIL_LENGTH}
    return ValidationError(message, code="max_length")


def _to_ascii(address: str) -> str:
    local, at, domain = address.rpartition("@")
    if at and domain and not local.isascii():
        message = _("The part before the @ may have no accents and no other special letters")
        raise ValidationError(message, code="not_ascii")
    try:
        # Strict encoding: mapping look-alike characters could yield somebody else's domain.
        if any(character.lower().isascii() for character in domain if not character.isascii()):
            raise ValidationError("look-alike")
        ascii_domain = idna.encode(domain.lower()).decode("ascii")
        address = f"{local.lower()}{at}{ascii_domain}"
        validate_public(address)
        # RFC 5321 allows `"a,b@c"@example.org`. A list of recipients would take the quoted comma for a
        # separator, and no real mailbox is spelled like this.
        if '"' in local:
            raise ValidationError("quoted")
    except (ValidationError, UnicodeError):
        raise ValidationError(_("Please enter a valid email address"), code="invalid") from None
    return address
