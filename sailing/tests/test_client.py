"""The client of a request: its address and its networks."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from sailing.client import Client, get_client
from sailing.web.middleware import ClientAddressMiddleware


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "127.0.0.1"),
        (1, "192.0.2.1:4711", "192.0.2.1"),
        (1, "6.6.6.6, [2001:db8::1]:443", "2001:db8::1"),
        (1, "::ffff:192.0.2.1", "192.0.2.1"),
        (1, "192.0.2.999:4711", "unknown"),
        (1, "6.6.6.6, " + "x" * 4000, "unknown"),
    ],
)
def test_address_is_what_the_trusted_proxy_appended(
    settings: Any, proxies: int, forwarded: str, expected: str
) -> None:
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
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert get_client(request) == Client(tuple(networks), widest)
