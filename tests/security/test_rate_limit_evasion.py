"""Headers with a forged client address do not evade rate limits."""

from itertools import count

import pytest
from django.test import Client
from pytest_django import Settings

from tests.api import post_graphql
from tests.security.corpus import SUBSCRIBE

pytestmark = pytest.mark.django_db

RATE = 3
SPOOFED = [
    "X-Forwarded",
    "X-Real-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
    "X-Originating-IP",
    "X-Remote-IP",
    "X-Remote-Addr",
    "Remote-Addr",
    "True-Client-IP",
    "CF-Connecting-IP",
    "Fastly-Client-IP",
    "Client-IP",
    "Via",
]
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
@pytest.mark.parametrize("names", [["X-Forwarded-For"], SPOOFED])
def test_forged_headers_do_not_change_the_client(settings: Settings, proxies: int, names: list[str]) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    statuses = []
    for _try in range(RATE + 2):
        address = next(_addresses)
        forged = {"Forwarded": f"for={address};host={address}", "X-Forwarded-Host": "localhost"}
        statuses.append(subscribe(add_proxies(proxies, {**forged, **dict.fromkeys(names, address)})))
    assert statuses == [200] * RATE + [429] * 2


@pytest.mark.parametrize("proxies", [1, 2])
@pytest.mark.parametrize(
    "sent",
    ["{0}, {0}, {0}", "{0},", ", {0}", "unknown, {0}", '"{0}"', "{0}:443", "[::1]", "{0}\t", "x" * 4000],
)
def test_malformed_address_list_does_not_change_the_client(
    settings: Settings, proxies: int, sent: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    headers = [{"X-Forwarded-For": sent.format(next(_addresses))} for _try in range(RATE + 2)]
    statuses = [subscribe(add_proxies(proxies, each)) for each in headers]
    assert statuses == [200] * RATE + [429] * 2


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_address_from_the_outermost_proxy_is_the_client(settings: Settings, proxies: int) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    if proxies:
        lists = [", ".join([next(_addresses), *PROXIES[1:proxies]]) for _try in range(RATE + 2)]
        assert [subscribe({"X-Forwarded-For": forwarded}) for forwarded in lists] == [200] * (RATE + 2)
    else:
        statuses = [subscribe({"X-Forwarded-For": next(_addresses)}) for _try in range(RATE + 2)]
        assert statuses[-1] == 429
