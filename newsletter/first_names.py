"""First names of subscribers, which mails greet them by."""

import re
import unicodedata
from html import unescape

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from sailing.input_limits import clean_line

MAX_FIRST_NAME_LENGTH = 50
NAME_PUNCTUATION = " '’.&-\u200c\u200d"


def clean_first_name(text: str) -> str:
    """Return a first name for mails, or a blank one if the text is none: an address, a number, markup."""
    # Mail programs turn "example.com" into a link.
    plain = re.sub(r"<[^<>]*>", " ", unescape(text)).replace(".", ". ")
    try:
        name = clean_line(" ".join(plain.split()), limit=MAX_FIRST_NAME_LENGTH)
    except ValidationError:
        return ""
    is_name = all(unicodedata.category(each)[0] in "LM" or each in NAME_PUNCTUATION for each in name)
    return name if is_name and any(map(str.isalpha, name)) else ""


def validate_first_name(text: str) -> None:
    if clean_first_name(text) != text:
        raise ValidationError(_("Please enter a first name, of letters only."))
