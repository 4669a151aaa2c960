"""Where a visitor came from: what is kept of the tags and of the referring site."""

import pytest
from pytest_django import Settings

from sailing.attribution import ATTRIBUTION_FIELDS, UTM_FIELDS, clean_attribution


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" Facebook ", "facebook"),
        ("20261126_launch", "20261126_launch"),
        ("x" * 64, "x" * 64),
        ("x" * 65, ""),
        ("jan.novak@example.com", ""),
        ("420 777-123-456", ""),
        ("u8Kd9sLq2PzW0xVb", ""),
        ("9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d", ""),
        ("<script>alert(1)</script>", ""),
        ("a\u202eb", ""),
    ],
)
def test_tag_is_kept_only_if_it_cannot_name_a_person_or_hide_markup(given: str | None, kept: str) -> None:
    for field in UTM_FIELDS:
        assert clean_attribution({field: given})[field] == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Sailing-Forum.example", "sailing-forum.example"),
        (None, ""),
        ("192.0.2.7", ""),
        ("https://forum.example/thread?user=7", ""),
        ("a." * 60 + "example", ""),
        ("sailing.example", ""),
    ],
)
def test_referrer_is_kept_only_if_it_is_the_name_of_another_host(
    given: str | None, kept: str, settings: Settings
) -> None:
    settings.SITE_URL = "https://sailing.example"
    assert clean_attribution({"referrer": given})["referrer"] == kept


def test_other_keys_are_ignored() -> None:
    kept = clean_attribution({"email": "a@example.com", "utm_term": "sails"})
    assert kept == dict.fromkeys(ATTRIBUTION_FIELDS, "")
