"""Negotiation of the content encoding (RFC 9110 section 12.5.3)."""

import pytest

from sailing.web.pages.encodings import negotiate_encoding

OFFERED = ["br", "gzip"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;Q=0.5", "gzip"),
        ("br;q=0.5, gzip", "gzip"),
        ("br ; q=0.8 , gzip;q=0.8", "br"),
        ("*", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("*;q=0, gzip", "gzip"),
        ("", None),
        ("identity", None),
        ("br;q=0", None),
        ("br;q=0.000, gzip;q=0.0", None),
        ("x-abracadabra, bro, notgzip", None),
        ("br;q=2, gzip;q=nan", None),
        ("br;level=9", None),
        (",, ;q=1,", None),
    ],
)
def test_best_accepted_encoding_is_chosen(header: str, expected: str | None) -> None:
    assert negotiate_encoding(header, OFFERED) == expected
