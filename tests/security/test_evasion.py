"""Headers in which a client names an address of its own choosing: rate limits count it all the same."""

import json
from itertools import count
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.security.corpus import SUBSCRIBE

pytestmark = pytest.mark.django_db

RATE = 3
SPOOFED = [
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded",
    "X-Forwarded-Host",
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
"""What the client's own address is to the first trusted proxy, and that one's to the second."""

_addresses = (f"192.0.2.{number % 250 + 1}" for number in count())


@pytest.fixture(autouse=True)
def _rate(settings: Settings) -> None:
    settings.SUBSCRIBE_RATE = f"{RATE}/d"


def ask(headers: dict[str, str]) -> int:
    body = json.dumps({"query": f"mutation {{ {SUBSCRIBE} }}"})
    response: Any = Client(REMOTE_ADDR="10.0.0.1").post(
        "/graphql", body, content_type="application/json", headers=headers
    )
    return int(response.status_code)


def through(proxies: int, headers: dict[str, str]) -> dict[str, str]:
    """What arrives of a request: each trusted proxy has appended the address that it saw."""
    seen = ([PROXIES[0]] if proxies == 1 else PROXIES)[:proxies]
    sent = [headers["X-Forwarded-For"]] if "X-Forwarded-For" in headers else []
    forwarded = ", ".join([*sent, *seen])
    return headers | ({"X-Forwarded-For": forwarded} if forwarded else {})


@pytest.mark.parametrize("proxies", [0, 1, 2])
@pytest.mark.parametrize("name", SPOOFED)
def test_a_header_makes_nobody_another_client(settings: Settings, proxies: int, name: str) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    statuses = []
    for _try in range(RATE + 2):
        address = next(_addresses)
        value = f"for={address};host={address}" if name == "Forwarded" else address
        if name == "X-Forwarded-Host":
            value = "localhost"
        statuses.append(ask(through(proxies, {name: value})))
    assert statuses == [200] * RATE + [429] * 2


@pytest.mark.parametrize("proxies", [1, 2])
@pytest.mark.parametrize(
    "sent",
    ["{0}, {0}, {0}", "{0},", ", {0}", "unknown, {0}", '"{0}"', "{0}:443", "[::1]", "{0}\t", "x" * 4000],
)
def test_nor_does_an_odd_list_of_addresses(settings: Settings, proxies: int, sent: str) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    statuses = [
        ask(through(proxies, {"X-Forwarded-For": sent.format(next(_addresses))})) for _try in range(RATE + 2)
    ]
    assert statuses == [200] * RATE + [429] * 2


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_what_the_outermost_proxy_saw_makes_another_client(settings: Settings, proxies: int) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    if proxies:
        lists = [", ".join([next(_addresses), *PROXIES[1:proxies]]) for _try in range(RATE + 2)]
        assert [ask({"X-Forwarded-For": forwarded}) for forwarded in lists] == [200] * (RATE + 2)
    else:
        statuses = [ask({"X-Forwarded-For": next(_addresses)}) for _try in range(RATE + 2)]
        assert statuses[-1] == 429
