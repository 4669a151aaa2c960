"""What a request says of its visitor: the address and its networks, and where the visitor came from."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from sailing.attribution import ATTRIBUTION_FIELDS, UTM_FIELDS, clean_attribution
from sailing.client import Client, get_client
from sailing.web.middleware import ClientAddressMiddleware


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "192.0.2.1:4711", "192.0.2.1"),
        (1, "6.6.6.6, [2001:db8::1]:443", "2001:db8::1"),
        (1, "::ffff:192.0.2.1", "192.0.2.1"),
        (1, "192.0.2.999:4711", "unknown"),
        (1, "6.6.6.6, " + "x" * 4000, "unknown"),
    ],
)
def test_address_is_what_a_proxy_appended(settings: Any, proxies: int, forwarded: str, expected: str) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})
    ClientAddressMiddleware(lambda _request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == expected


@pytest.mark.parametrize(
    ("address", "networks", "widest"),
    [
        ("192.0.2.77", ["192.0.2.77"], "192.0.2.0/24"),
        (
            "2001:db8:1234:5678:9abc::1",
            ["2001:db8:1234:5678::/64", "2001:db8:1234:5600::/56", "2001:db8:1234::/48"],
            "2001:db8:1234::/48",
        ),
        ("fe80::1%eth0", ["fe80::/64", "fe80::/56", "fe80::/48"], "fe80::/48"),
        ("", ["unknown"], "unknown"),
    ],
)
def test_networks_of_a_client(address: str, networks: list[str], widest: str) -> None:
    assert get_client(RequestFactory().get("/", REMOTE_ADDR=address)) == Client(tuple(networks), widest)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" Facebook ", "facebook"),
        ("20261126_launch", "20261126_launch"),
        ("x" * 65, ""),
        ("jan.novak@example.com", ""),
        ("420 777-123-456", ""),
        ("u8Kd9sLq2PzW0xVb", ""),
        ("9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d", ""),
        ("<script>alert(1)</script>", ""),
        ("a\u202eb", ""),
    ],
)
def test_tag_is_kept_only_if_it_cannot_name_a_person_or_hide_markup(given: str, kept: str) -> None:
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
def test_referrer_is_kept_if_it_names_another_host(given: str | None, kept: str, settings: Any) -> None:
    settings.SITE_URL = "https://sailing.example"
    assert clean_attribution({"referrer": given})["referrer"] == kept


def test_other_keys_are_ignored() -> None:
    assert clean_attribution({"email": "a@example.com"}) == dict.fromkeys(ATTRIBUTION_FIELDS, "")
