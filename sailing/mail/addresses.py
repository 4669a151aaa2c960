"""Validation and normalization of email addresses."""

import re
from urllib.parse import unquote

import idna
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.translation import gettext as _

from sailing.input_limits import is_oversized

MAX_EMAIL_LENGTH = 254
"""RFC 5321 section 4.5.3.1.3: a path of 256 octets minus its angle brackets."""

INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2069\ufeff]")
NAMED_ADDRESS = re.compile(r"([^<>]*)<([^<>]+)>[\s;,.]*")
OPENING = ' ;,.:<([„“”«»‚‘’"'
CLOSING = OPENING + ")]>!?…"
PAIRED = ("'", "*", "_", "`", "~")
"""An address may begin with these, and none ends with them."""

validate_public = EmailValidator(allowlist=[])
"""Refuses domains that are not public, such as `localhost`."""


def normalize_email(value: str) -> str:
    """Return an address as it is stored: unwrapped, in lower case, its domain in ASCII (RFC 5891).

    A plain unique constraint then keeps one row for a mailbox. RFC 5321 allows mailboxes that differ in
    letter case only, but no provider has them. Only ASCII letters are lowered: others, such as the Kelvin
    sign, would turn into the letter of somebody else's address.
    Raises ValidationError for a blank, oversized or invalid address, and for one with other than ASCII
    characters before the @, which hardly any mail server takes (RFC 6531).
    """
    address = unwrap_address(value)
    if not address:
        raise ValidationError(_("Email is required"), code="required")
    if len(address) <= MAX_EMAIL_LENGTH:  # encoding a longer one is wasted work
        address = _to_ascii(address)
    if len(address) > MAX_EMAIL_LENGTH:
        raise _too_long()
    return address


def unwrap_address(text: str) -> str:
    """Return an address without what mail programs, phones and chats leave around a copied one.

    That is a name, brackets, quotes, a link, punctuation and invisible characters. email.ts has the same.
    Raises ValidationError for an oversized text: the time is quadratic in its length.
    """
    if is_oversized(text, limit=MAX_EMAIL_LENGTH):
        raise _too_long()
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
