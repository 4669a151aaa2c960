"""Negotiation of the content encoding (RFC 9110 section 12.5.3)."""

import re
from collections.abc import Sequence

_CODING = re.compile(
    r"\s*(?P<name>[\w*.+-]+)\s*(?:;\s*q=(?P<weight>0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?",
    re.ASCII | re.IGNORECASE,
)


def negotiate_encoding(accept_encoding: str, offered: Sequence[str]) -> str | None:
    """Return the best of the offered encodings that an Accept-Encoding header accepts; None for identity.

    The greatest weight wins, and among equals the first one offered. Malformed entries are ignored.
    """
    found = (_CODING.fullmatch(entry) for entry in accept_encoding.split(","))
    weights = {entry["name"].lower(): float(entry["weight"] or 1) for entry in found if entry}

    def weight(encoding: str) -> float:
        return weights.get(encoding, weights.get("*", 0.0))

    best = max(offered, key=weight)
    return best if weight(best) > 0 else None
