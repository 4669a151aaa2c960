"""Email addresses: one spelling for one mailbox."""

import idna
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.translation import gettext as _

from sailing.input_limits import is_oversized

MAX_EMAIL_LENGTH = 254
"""RFC 5321 section 4.5.3.1.3: a path of 256 octets, less its angle brackets."""

validate_public = EmailValidator(allowlist=[])
"""Of a domain name that the world knows: no `localhost`."""


def normalize_email(value: str) -> str:
    """The address as it is stored: trimmed, in lower case, its domain in ASCII (RFC 5891).

    One mailbox then is one string, which a plain unique constraint holds. Mailboxes that differ in
    letter case only are allowed by RFC 5321 and offered by nobody.
    Raises ValidationError for what is blank, too long or no address.
    """
    if is_oversized(value, limit=MAX_EMAIL_LENGTH):
        raise _too_long()
    address = value.strip()
    if not address:
        raise ValidationError(_("Email is required"), code="required")
    if len(address) <= MAX_EMAIL_LENGTH:  # what is longer is not worth the work below
        address = _in_ascii(address)
    if len(address) > MAX_EMAIL_LENGTH:
        raise _too_long()
    return address


def validate_email_length(value: str) -> None:
    """Raise ValidationError for an address beyond the limit: a validator for fields of forms."""
    if len(value) > MAX_EMAIL_LENGTH:
        raise _too_long()


def _too_long() -> ValidationError:
    message = _("Email must be at most %(limit)d characters") % {"limit": MAX_EMAIL_LENGTH}
    return ValidationError(message, code="max_length")


def _in_ascii(address: str) -> str:
    local, at, domain = address.rpartition("@")
    try:
        # Strictly as registries write it: a mapping of look-alikes could name somebody else's domain.
        ascii_domain = idna.encode(domain.lower()).decode("ascii")
        address = f"{local.lower()}{at}{ascii_domain}"
        validate_public(address)
        # RFC 5321 allows `"a,b@c"@example.org`: quoted, with commas and control characters inside, which
        # a list of recipients would take for several addresses. Nobody has such a mailbox.
        if '"' in local:
            raise ValidationError("quoted")
    except (ValidationError, UnicodeError):
        raise ValidationError(_("Please enter a valid email address"), code="invalid") from None
    return address
