"""Validation and normalization of email addresses."""

import re
from urllib.parse import unquote

import idna
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.translation import gettext as _

from sailing.input_limits import is_oversized

MAX_EMAIL_LENGTH = 254  # RFC 5321 section 4.5.3.1.3: a path of 256 octets minus its angle brackets

INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff]")
NAMED_ADDRESS = re.compile(r"([^<>]*)<([^<>]+)>[\s;,.]*")
OPENING = ' ;,.:<([„“”«»‚‘’"'
CLOSING = OPENING + ")]>!?…"
PAIRED = ("'", "*", "_", "`", "~")  # an address may begin with these, and none ends with them

validate_public = EmailValidator(allowlist=[])  # refuses `localhost`


def normalize_email(value: str) -> str:
    """Return an address as it is stored: unwrapped, in lower case, its domain in ASCII (RFC 5891).

    Raises ValidationError, also for other than ASCII before the @: few mail servers take it (RFC 6531).
    """
    address = unwrap_address(value)
    if not address:
        raise ValidationError(_("Email is required"), code="required")
    validate_email_length(address)  # encoding a longer one is wasted work
    local, at, domain = address.rpartition("@")
    if at and domain and not local.isascii():
        message = _("The part before the @ may have no accents and no other special letters")
        raise ValidationError(message, code="not_ascii")
    try:
        # Strict encoding: mapping look-alike characters, such as the Kelvin sign, yields another domain.
        if any(character.lower().isascii() for character in domain if not character.isascii()):
            raise ValidationError("look-alike")
        address = f"{local.lower()}{at}{idna.encode(domain.lower()).decode('ascii')}"
        validate_public(address)
        if '"' in local:  # in a list of recipients, the comma in `"a,b@c"@example.org` would separate two
            raise ValidationError("quoted")
    except (ValidationError, UnicodeError):
        raise ValidationError(_("Please enter a valid email address"), code="invalid") from None
    validate_email_length(address)
    return address


def unwrap_address(text: str) -> str:
    """Return a copied address without a name, brackets, quotes, a link or punctuation, as email.ts does."""
    if is_oversized(text, limit=MAX_EMAIL_LENGTH):  # the time is quadratic in the length
        validate_email_length(text)
    address = INVISIBLE.sub("", text).replace("＠", "@").replace("﹫", "@")
    if named := NAMED_ADDRESS.fullmatch(address):
        name, inner = named.groups()
        if "@" not in name or unwrap_address(name).lower() == unwrap_address(inner).lower():
            address = inner
    before = ""
    while address != before:
        before = address
        address = address.strip().lstrip(OPENING).rstrip(CLOSING)
        if address[:1] == address[-1:] and address[:1] in PAIRED:
            address = address[1:-1]
        if address[:7].lower() == "mailto:":
            address = unquote(address[7:].partition("?")[0])  # RFC 6068 section 2
    return address


def validate_email_length(value: str) -> None:
    if len(value) > MAX_EMAIL_LENGTH:
        message = _("Email must be at most %(limit)d characters") % {"limit": MAX_EMAIL_LENGTH}
        raise ValidationError(message, code="max_length")
