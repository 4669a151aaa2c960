"""Text for the log and for reports of errors, without what it must not tell.

A path of a link in a mail keeps no token, and nobody is named: a database quotes the values that it
refuses, and tracebacks quote the database (OWASP Logging Cheat Sheet, "Data to exclude").
"""

import re

from sailing import token_paths

# From the start of a word on, so that a long one without an @ is read once.
_ADDRESS = re.compile(r"""(?<![^\s@<>"'()=,])[^\s@<>"'()=,]++@[^\s@<>"'()=,]+""")

_BEARER_TOKEN = re.compile(r"\beyJ[\w-]*\.[\w-]*\.[\w-]*")  # RFC 7519: its first part is an object in base64

# A row may hold line breaks: what ends it is the end of its exception, in a chain of them or by itself.
_ROW = re.compile(
    r"(Failing row contains )\(.*?(?=\n\nThe above exception was |\n\nDuring handling of |\Z)", re.DOTALL
)


def masked(text: str) -> str:
    """The text with an ellipsis for the token of a link, with all that follows it, and for the values of a
    refused row, with `[address]` for every email address and `[token]` for every bearer token."""
    text = _ROW.sub(r"\1(…)", token_paths.masked(text))
    return _BEARER_TOKEN.sub("[token]", _ADDRESS.sub("[address]", text))
