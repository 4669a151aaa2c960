"""Single requests, compared with peers that do the same work, and with each other."""

import json
import random
import time
from collections import defaultdict
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection
from itertools import product
from statistics import median
from timeit import repeat
from typing import Any

from argon2.low_level import Type, hash_secret

from accounts import tokens
from accounts.tests.factories import PASSWORD, MemberFactory
from benchmarks.report import Report
from benchmarks.servers import NUMBER, Server, graphql, server, write_request
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.models import OutboxEmail
from tests.faults.visitors import SUBSCRIBE
from tests.security.corpus import bodies

BROWSER = {"Accept_Encoding": "gzip, deflate, br, zstd", "Accept_Language": "en"}
ME = """{
  me {
    id email firstName lastName nickname phone nationality isEmailVerified avatar createdAt updatedAt
  }
}"""
SIGN_IN = """mutation ($email: String!, $password: String!) {
  signIn(input: {email: $email, password: $password}) {
    token
    user { id email firstName lastName nickname phone nationality isEmailVerified createdAt }
  }
}"""
RESET = "mutation ($email: String!) { requestPasswordReset(email: $email) }"
NEW_ADDRESS = f"new.{NUMBER}@example.org"
"""A different one in each request."""

STATES: dict[str, dict[str, dict[str, Any] | None]] = {
    SIGN_IN: {"unknown": None, "wrong password": {}, "deactivated": {"is_active": False}},
    RESET: {
        "unknown": None,
        "verified": {"is_email_verified": True},
        "unverified": {},
        "inactive": {"is_active": False},
    },
    SUBSCRIBE: {
        "new": None,
        "pending": {},
        "confirmed": {"confirmed": True},
        "unsubscribed": {"unsubscribed": True},
        "bounced": {"bounced": True},
    },
}
"""The fields of the row of an address in each state; None without a row."""


def compare_rates(report: Report, what: str, site: Server, ours: str, peer: str, *, at_least: float) -> None:
    """Compare the responses per second."""
    seconds, rounds = report.choose((2, 9), (0.3, 1))
    sides = partial(site.measure_rate, ours, seconds), partial(site.measure_rate, peer, seconds)
    report.compare(what, *sides, "requests/s", rounds, at_least=at_least)


def measure_page(report: Report) -> None:
    """Compare a page of the catch-all view with a minimal view that returns the same bytes."""
    ours, peer = (write_request(path, **BROWSER) for path in ("/landing", "/peer/page"))
    with server() as site:
        assert site.send(ours) == site.send(peer)
        compare_rates(report, "page, signed out", site, ours, peer, at_least=0.95)


def measure_me(report: Report) -> None:
    """Compare `me` with a plain JSON view that checks the same token and reads the same row."""
    token = tokens.issue(MemberFactory())
    ours, peer = graphql(ME, token=token), write_request("/peer/me", Authorization=f"Bearer {token}")
    with server() as site:
        assert json.loads(site.send(ours))["data"]["me"] == json.loads(site.send(peer))
        compare_rates(report, "`me`", site, ours, peer, at_least=0.95)


def measure_subscribe(report: Report) -> None:
    """Compare `subscribeNewsletter` with a plain Django view that stores the same rows."""
    ours = graphql(SUBSCRIBE, email=NEW_ADDRESS)
    peer = write_request("/peer/subscribe", json.dumps({"email": NEW_ADDRESS, "userType": "sailor"}))
    with server() as site:
        assert _count_new_rows(site, ours) == _count_new_rows(site, peer)
        compare_rates(report, "`subscribeNewsletter`", site, ours, peer, at_least=0.8)


def _count_new_rows(site: Server, request: str) -> list[int]:
    models = (Subscription, SubscriptionLink, ConsentEvent, OutboxEmail)
    before = [model._default_manager.count() for model in models]
    site.send(request)
    return [model._default_manager.count() - count for model, count in zip(models, before, strict=True)]


def measure_sign_in(report: Report) -> None:
    """Compare `signIn` with one Argon2id hash, one at a time, because the site limits concurrent hashes."""
    seconds, rounds = report.choose((1, 15), (0.3, 1))
    ours = graphql(SIGN_IN, email=MemberFactory().email, password=PASSWORD)
    with server() as site:
        assert json.loads(site.send(ours))["data"]["signIn"]["token"]
        sides = partial(site.measure_time, ours, seconds), _measure_hash
        report.compare("`signIn`", *sides, "ms", rounds, at_most=1.3)


def _measure_hash() -> float:
    """Return the median milliseconds of a hash."""
    parameters = {"time_cost": 2, "memory_cost": 19 * 1024, "parallelism": 1, "hash_len": 32}
    hash_once = partial(hash_secret, PASSWORD.encode(), b"sixteen bytes...", type=Type.ID, **parameters)
    return median(repeat(hash_once, number=1, repeat=40)) * 1000


def measure_enumeration(report: Report) -> None:
    """Compare the times for addresses in each state, which must not disclose members and subscribers."""
    rounds = report.choose(60, 2)
    with server() as site:
        for document, states in STATES.items():
            values = {"password": "Foul winds, 2025!"} if document == SIGN_IN else {}
            for _request in range(8):  # both workers render the first time
                site.send(graphql(document, email=NEW_ADDRESS, **values))
            factory = SubscriptionFactory if document == SUBSCRIBE else MemberFactory
            for (state, fields), number in product(states.items(), range(rounds)):
                if fields is not None:
                    factory(email=_get_address(state, number), **fields)
            times: dict[str, list[float]] = defaultdict(list)
            for number in range(rounds):
                for state in random.sample(list(states), len(states)):
                    started = time.perf_counter()
                    site.send(graphql(document, email=_get_address(state, number), **values))
                    times[state].append((time.perf_counter() - started) * 1000)
            medians = {state: median(found) for state, found in times.items()}
            difference = max(medians.values()) - min(medians.values())
            shown = ", ".join(f"{state} {milliseconds:.1f}" for state, milliseconds in medians.items())
            report.check(f"difference of {shown}", difference, "ms", at_most=20)


def measure_corpus(report: Report) -> None:
    """Measure how soon each hostile GraphQL request is refused."""
    with server() as site:
        for name, body in bodies().items():
            times = [_measure_refusal(site.port, body) for _round in range(report.choose(15, 1))]
            report.check(name, median(times), "ms", at_most=50)


def _measure_refusal(port: int, body: bytes) -> float:
    started, connection = time.perf_counter(), HTTPConnection("127.0.0.1", port, timeout=10)
    with suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read completely
        connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
    assert 400 <= connection.getresponse().status < 500, body[:100]
    return (time.perf_counter() - started) * 1000


def _get_address(state: str, number: int) -> str:
    return f"{state.replace(' ', '-')}{number}@example.com"
