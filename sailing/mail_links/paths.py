"""Paths of the pages behind mail links, each followed by a token.

No log line may contain a token, and no response under these paths may be cached, indexed or named as
referrer to other sites, including responses from before the views (https redirect, refused host). Links
from these pages to our own carry `referrerpolicy="no-referrer"`, because Google Analytics reports referrers.
"""

import re

PREFIXES = (
    "/account/verify/",
    "/account/reset/",
    "/account/email/undo/",  # before the shorter one, which it begins with
    "/account/email/",
    "/newsletter/confirm/",
    "/newsletter/unsubscribe/",
    "/newsletter/preferences/",
)

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""For every response under these paths."""

# Also matches upper case, doubled, escaped or encoded slashes, and a path inside a sentence. The possessive
# quantifiers make the search linear.
_SLASHES = r"(?:\\*+/|%(?:25)*+2f)++"
_TOKEN = re.compile(
    "({}).+".format("|".join(prefix[1:].replace("/", _SLASHES) for prefix in PREFIXES)),
    re.IGNORECASE | re.DOTALL,
)


def has_token(path: str) -> bool:
    """Return whether a path is that of a mail link."""
    return path.startswith(PREFIXES)


def redact(text: str) -> str:
    """Replace the first token in a text, and all that follows it, with an ellipsis."""
    match = _TOKEN.search(text)
    return f"{text[: match.end(1)]}…" if match else text
