"""Where the links in mails lead: what follows these paths is a token, and a token is a key.

So no log line holds one, and no answer there is kept, told to other sites or indexed, whatever the
answer is: a redirect to https and a refused host come before any view. Our own pages, from where Google
Analytics may report where a visitor came from, are not told either: each link in `document.html` and
what extends it says so itself.
"""

import re

PREFIXES = ("/account/verify/", "/account/reset/", "/newsletter/confirm/", "/newsletter/unsubscribe/")

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""For every answer under these paths."""

# Also in a path with large letters, with doubled, escaped or encoded slashes, and in one inside a sentence.
# A match begins with a word and takes each run of slashes whole, so a long text is read once.
_SLASHES = r"(?:\\*+/|%(?:25)*+2f)++"
_TOKEN = re.compile(
    "({}).+".format("|".join(prefix[1:].replace("/", _SLASHES) for prefix in PREFIXES)),
    re.IGNORECASE | re.DOTALL,
)


def has_token(path: str) -> bool:
    """Whether a path is one of a link in a mail."""
    return path.startswith(PREFIXES)


def masked(text: str) -> str:
    """The text up to the first token, with an ellipsis for it and all that follows."""
    found = _TOKEN.search(text)
    return f"{text[: found.end(1)]}…" if found else text
