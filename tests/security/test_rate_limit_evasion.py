"""Headers with a forged client address do not evade rate limits."""

from itertools import count

import pytest
from django.test import Client
from pytest_django import Settings

from tests.api import post_graphql
from tests.security.corpus import SUBSCRIBE

pytestmark = pytest.mark.django_db

RATE = 3
SPOOFED = ["X-Real-IP", "X-Client-IP", "Remote-Addr", "True-Client-IP", "CF-Connecting-IP", "Via"]
PROXIES = ["203.0.113.7", "198.51.100.8"]
"""The address that each trusted proxy appends."""

_addresses = (f"192.0.2.{number % 250 + 1}" for number in count())


@pytest.fixture(autouse=True)
def _rate(settings: Settings) -> None:
    settings.SUBSCRIBE_RATE = f"{RATE}/d"


def subscribe(headers: dict[str, str]) -> int:
    """Return the status of a subscription."""
    client = Client(REMOTE_ADDR="10.0.0.1", headers=headers)
    return int(post_graphql(f"mutation {{ {SUBSCRIBE} }}", client=client).http.status_code)


def add_proxies(proxies: int, headers: dict[str, str]) -> dict[str, str]:
    """Return the headers after each trusted proxy has appended an address."""
    seen = ([PROXIES[0]] if proxies == 1 else PROXIES)[:proxies]
    sent = [headers["X-Forwarded-For"]] if "X-Forwarded-For" in headers else []
    forwarded = ", ".join([*sent, *seen])
    return headers | ({"X-Forwarded-For": forwarded} if forwarded else {})


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_forged_headers_do_not_change_the_client(settings: Settings, proxies: int) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    statuses = []
    for names in [["X-Forwarded-For"], SPOOFED] * 2:
        address = next(_addresses)
        forged = {"Forwarded": f"for={address};host={address}", "X-Forwarded-Host": "localhost"}
        statuses.append(subscribe(add_proxies(proxies, {**forged, **dict.fromkeys(names, address)})))
    assert statuses == [200] * RATE + [429]


def test_malformed_address_list_does_not_change_the_client(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    sent = [
        "{0}, {0}, {0}",
        "{0},",
        ", {0}",
        "unknown, {0}",
        '"{0}"',
        "{0}:443",
        "[::1]",
        "{0}\t",
        "x" * 4000,
    ]
    headers = [{"X-Forwarded-For": text.format(next(_addresses))} for text in sent]
    statuses = [subscribe(add_proxies(1, each)) for each in headers]
    assert statuses == [200] * RATE + [429] * (len(sent) - RATE)


@pytest.mark.parametrize("proxies", [1, 2])
def test_address_from_the_outermost_proxy_is_the_client(settings: Settings, proxies: int) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    lists = [", ".join([next(_addresses), *PROXIES[1:proxies]]) for _try in range(RATE + 1)]
    assert [subscribe({"X-Forwarded-For": forwarded}) for forwarded in lists] == [200] * (RATE + 1)
