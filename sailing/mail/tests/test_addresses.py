"""Normalization of email addresses."""

import re

import pytest
from django.core.exceptions import ValidationError
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sailing.mail.addresses import MAX_EMAIL_LENGTH, normalize_email
from sailing.mail.models import OutboxEmail

SIMPLE = re.compile(r"[^\s@\",;<>()\x00-\x1f\x7f]+@[a-z0-9.-]+\.[a-z0-9-]+")

anything = st.one_of(
    st.text(max_size=300),
    st.builds("{}@{}".format, st.text(max_size=280), st.text(max_size=40)),
    st.builds("{}{}{}".format, st.text(max_size=5), st.emails(), st.text(max_size=5)),
)


@settings(max_examples=30)
@given(anything)
@example('"a,all@example.org,b"@example.com')
@example('"\x01"@example.com')
@example("sailor@example.com\r\nBcc: all@example.org")
@example("sailor@example.com\ud800")
@example("\ud800@example.com")
def test_address_is_refused_or_one_mailbox_of_plain_characters(typed: str) -> None:
    try:
        address = normalize_email(typed)
    except ValidationError:
        return
    assert SIMPLE.fullmatch(address)
    assert len(address) <= MAX_EMAIL_LENGTH
    assert address == address.lower()
    assert normalize_email(address) == normalize_email(f"\t {address.upper()}\n") == address
    OutboxEmail._meta.get_field("recipient").clean(address, None)


@pytest.mark.parametrize(
    ("typed", "result"),
    [
        ("Jana@Example.ORG", "jana@example.org"),
        ("jana@straße.de", "jana@xn--strae-oqa.de"),  # not strasse.de, which is another domain
        ("jana@ČLUN.cz", "jana@xn--lun-eqa.cz"),
        ("", "required"),
        ("\u212aapitan@example.org", "not_ascii"),
        ("root@localhost", "invalid"),
        ("a@[127.0.0.1]", "invalid"),
        ("a@\u212aapitan.example", "invalid"),
    ],
)
def test_address_is_normalized_or_refused_with_its_reason(typed: str, result: str) -> None:
    try:
        found = normalize_email(typed)
    except ValidationError as refused:
        found = str(refused.code)
    assert found == result


def test_oversized_input_is_refused_unparsed() -> None:
    for typed in ("a" * 100_000, f"{'*_' * 50_000}a{'_*' * 50_000}", f"a@{'ü' * 100_000}"):
        with pytest.raises(ValidationError, match="at most 254"):
            normalize_email(typed)
