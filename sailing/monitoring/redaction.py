"""Text for the log and for reports of errors, without what it must not tell.

A path of a link in a mail keeps no token, and nobody is named: a database quotes the values that it
refuses, and tracebacks quote the database (OWASP Logging Cheat Sheet, "Data to exclude").
"""

import re

from sailing.email import token_paths

# From the start of a word on, so that a long one without an @ is read once.
_ADDRESS = re.compile(r"""(?<![^\s@<>"'()=,])[^\s@<>"'()=,]++@[^\s@<>"'()=,]+""")

_ENCODED_AT = re.compile(r"%(?:25)*40|\\u0040", re.IGNORECASE)
"""An @ in an address of a page or in JSON, perhaps encoded more than once."""

_QUERY = re.compile(r"""(\bhttps?://[^\s?#"'<>]+\?)[^\s"'<>]+""", re.IGNORECASE)
"""What follows the question mark: a form that is sent by GET has its values there, passwords included."""

# RFC 7519: the first part of a token is an object in base64. A match begins with its first character.
_BEARER_TOKEN = re.compile(r"(?<![\w-])eyJ[\w-]*+\.[\w-]*+\.[\w-]*+")

# A row may hold line breaks: what ends it is the end of its exception, in a chain of them or by itself.
_ROW = re.compile(
    r"(Failing row contains )\(.*?(?=\n\nThe above exception was |\n\nDuring handling of |\Z)", re.DOTALL
)


def masked(text: str) -> str:
    """Return the text without what it must not tell.

    An ellipsis stands for the token of a link and all that follows it, for the values of a refused row and
    for the query of a URL, `[address]` for every email address and `[token]` for every bearer token.
    """
    text = _ROW.sub(r"\1(…)", token_paths.redact(text))
    text = _ENCODED_AT.sub("@", _QUERY.sub(r"\1…", text))
    return _BEARER_TOKEN.sub("[token]", _ADDRESS.sub("[address]", text))
