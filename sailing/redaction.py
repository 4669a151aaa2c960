"""Remove secrets and personal data from what is logged or reported (OWASP Logging Cheat Sheet)."""

import re
from typing import Any

MAX_TEXT_LENGTH = 10_000  # in characters; libraries quote what a client sent, and tracebacks are shorter

LINK_PATHS = (  # of the pages behind mail links, each followed by a token
    "/account/verify/",
    "/account/reset/",
    "/account/email/",
    "/newsletter/confirm/",
    "/newsletter/manage/",
)

# Also matches upper case, doubled, escaped or encoded slashes, and a path inside a sentence. The possessive
# quantifiers make the search linear.
_SLASHES = r"(?:\\*+/|%(?:25)*+2f)++"
_LINK_TOKEN = re.compile(
    "({}).+".format("|".join(path[1:].replace("/", _SLASHES) for path in LINK_PATHS)),
    re.IGNORECASE | re.DOTALL,
)

# Matches from the start of a word, so that a long word without an @ is read once.
_ADDRESS = re.compile(r"""(?<![^\s@<>"'()=,])[^\s@<>"'()=,]++@[^\s@<>"'()=,]+""")

# In a URL, perhaps encoded more than once, or in JSON.
_ENCODED_AT = re.compile(r"%(?:25)*40|\\u0040", re.IGNORECASE)

_QUERY = re.compile(r"""(\bhttps?://[^\s?#"'<>]+\?)[^\s"'<>]+""", re.IGNORECASE)
"""The query of a URL. A form sent by GET puts its values there, passwords included."""

# RFC 7519: the first part of a token is an object in base64. A match begins with its first character.
_BEARER_TOKEN = re.compile(r"(?<![\w-])eyJ[\w-]*+\.[\w-]*+\.[\w-]*+")

# Databases quote rows that they refuse. One may hold line breaks, so it ends with its exception.
_ROW = re.compile(
    r"(Failing row contains )\(.*?(?=\n\nThe above exception was |\n\nDuring handling of |\Z)", re.DOTALL
)


def redact(text: str) -> str:
    """Return the text without tokens, addresses, queries of URLs and the values of refused rows."""
    text = _ROW.sub(r"\1(…)", _LINK_TOKEN.sub(r"\1…", text))
    text = _ENCODED_AT.sub("@", _QUERY.sub(r"\1…", text))
    return _BEARER_TOKEN.sub("[token]", _ADDRESS.sub("[address]", text))


def redact_value(value: Any) -> Any:
    """Redact every text inside a value. Values that JSON does not have become their `repr`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redact(str(name)): redact_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [redact_value(inner) for inner in value]
    text = redact(value if isinstance(value, str) else repr(value))
    if len(text) <= MAX_TEXT_LENGTH:
        return text
    half = MAX_TEXT_LENGTH // 2  # the end of a traceback names the error
    return f"{text[:half]} … {len(text) - 2 * half} characters cut … {text[-half:]}"
