"""Which of several encodings of an answer a browser takes (RFC 9110 section 12.5.3)."""

import re
from collections.abc import Iterable

_CODING = re.compile(
    r"\s*(?P<name>[\w*.+-]+)\s*(?:;\s*q=(?P<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?",
    re.ASCII | re.IGNORECASE,
)


def preferred(accept_encoding: str, offered: Iterable[str]) -> str | None:
    """The encoding to answer with; None for none at all, which everybody takes.

    Takes the header's value and the encodings at hand. The one of the greatest weight wins, of equal
    ones the first offered. An entry that is not well-formed does not count.
    """
    found = (_CODING.fullmatch(entry) for entry in accept_encoding.split(","))
    weights = {entry["name"].lower(): float(entry["weight"] or 1) for entry in found if entry}

    def weight(encoding: str) -> float:
        return weights.get(encoding, weights.get("*", 0.0))

    best = max(offered, key=weight, default=None)
    return best if best and weight(best) > 0 else None
