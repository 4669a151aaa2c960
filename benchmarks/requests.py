"""Single requests, compared with peers that do the same work."""

import json
import time
from statistics import median

from argon2.low_level import Type, hash_secret

from benchmarks import comparison, members
from benchmarks.comparison import Bar
from benchmarks.servers import Request, Server, graphql, server
from newsletter.models import ConsentEvent, Subscription, SubscriptionLink

BROWSER = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en"}
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
SIGN_UP = """mutation ($email: String!, $password: String!) {
  signUp(input: {firstName: "Jana", lastName: "Novak", email: $email, password: $password}) { token }
}"""
RESET = "mutation ($email: String!) { requestPasswordReset(email: $email) }"
SUBSCRIBE = """mutation ($email: String!) {
  subscribeNewsletter(input: {email: $email, userType: "sailor"}) { success message }
}"""


def compare_rates(
    what: str, ours: tuple[Server, Request], peer: tuple[Server, Request], *, smoke: bool, at_least: float
) -> bool:
    """Compare the responses per second."""
    seconds, rounds = (0.3, 1) if smoke else (2, 9)
    sides = [lambda side=side: side[0].load(side[1], seconds=seconds)[0] for side in (ours, peer)]
    bar = Bar(at_least, is_minimum=True)
    return comparison.compare(what, *sides, unit="requests/s", bar=bar, rounds=rounds)


def measure_page(smoke: bool) -> list[bool]:
    """Compare a page of the catch-all view with a minimal view that returns the same bytes."""
    ours, peer = Request("/landing", headers=BROWSER), Request("/peer/page", headers=BROWSER)
    comparison.print_heading()
    with server() as site:
        assert site.send(ours)[1] == site.send(peer)[1]
        return [compare_rates("page, signed out", (site, ours), (site, peer), smoke=smoke, at_least=0.95)]


def measure_me(smoke: bool) -> list[bool]:
    """Compare `me` with a plain JSON view that checks the same token and reads the same row."""
    ours = graphql(ME, token=members.create_token())
    peer = Request("/peer/me", headers=ours.headers)
    comparison.print_heading()
    with server() as site:
        assert json.loads(site.send(ours)[1])["data"]["me"] == json.loads(site.send(peer)[1])
        return [compare_rates("`me`", (site, ours), (site, peer), smoke=smoke, at_least=0.95)]


def subscribe(name: str) -> Request:
    """Return a request that subscribes a new address."""
    return graphql(SUBSCRIBE, email=f"{name}.{{number}}@example.org")


def measure_subscribe(smoke: bool) -> list[bool]:
    """Compare `subscribeNewsletter` with a plain Django view that stores the same rows."""
    ours = subscribe("ours")
    peer = Request(
        "/peer/subscribe", json.dumps({"email": "peer.{number}@example.org", "userType": "sailor"})
    )
    comparison.print_heading()
    with server() as site:
        before, after_ours, after_peer = _count_rows(), _send(site, ours), _send(site, peer)
        assert [2 * b - a for a, b in zip(before, after_ours, strict=True)] == after_peer
        return [compare_rates("`subscribeNewsletter`", (site, ours), (site, peer), smoke=smoke, at_least=0.8)]


def _send(site: Server, request: Request) -> list[int]:
    site.send(request)
    return _count_rows()


def _count_rows() -> list[int]:
    return [model._default_manager.count() for model in (Subscription, SubscriptionLink, ConsentEvent)]


def measure_sign_in(smoke: bool) -> list[bool]:
    """Compare `signIn` with one Argon2id hash with the same parameters.

    One request at a time, because the site limits concurrent hashes.
    """
    seconds, rounds = (0.3, 1) if smoke else (1, 15)
    members.create_token()
    ours = graphql(SIGN_IN, email=members.EMAIL, password=members.PASSWORD)
    comparison.print_heading()
    with server() as site:
        assert json.loads(site.send(ours)[1])["data"]["signIn"]["token"]
        return [
            comparison.compare(
                "`signIn`",
                lambda: site.load(ours, seconds=seconds, connections=1)[1],
                lambda: _measure_hash(seconds),
                unit="ms",
                bar=Bar(1.3),
                rounds=rounds,
            )
        ]


def _measure_hash(seconds: float) -> float:
    """Return the median milliseconds of a hash."""
    parameters = {"time_cost": 2, "memory_cost": 19 * 1024, "parallelism": 1, "hash_len": 32}
    times = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        started = time.perf_counter()
        hash_secret(members.PASSWORD.encode(), b"sixteen bytes...", type=Type.ID, **parameters)
        times.append((time.perf_counter() - started) * 1000)
    return median(times)
