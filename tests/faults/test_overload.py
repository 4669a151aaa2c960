"""Others are served while thousands of clients send slowly, and during a flood of password guesses."""

import random
import resource
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from statistics import quantiles

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.site import RunningSite
from tests.faults.visitors import SIGN_UP
from tests.processes import wait_until

CLIENTS = 2000
SECONDS = 4.0
"""Of loading pages; shorter than the deadline for a request's head."""
MAX_P95_SECONDS = 0.5

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = (
    b"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
)


@contextmanager
def slow_clients(site: RunningSite, opening: bytes) -> Iterator[None]:
    """Open CLIENTS connections that send `opening` and nothing more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CLIENTS + 1000), hard))
    with ExitStack() as clients:
        clients.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _client in range(CLIENTS):
            client = clients.enter_context(socket.socket())
            client.settimeout(5)
            with suppress(OSError):  # refused by the site
                client.connect(("127.0.0.1", site.port))
                client.sendall(opening)
        # 2,000 connections within two seconds cause some load shedding.
        wait_until(lambda: site.fetch("/newsletter").status == 200, "the connections are accepted", 10)
        yield


def load_pages(site: RunningSite) -> list[float]:
    """Load pages on new connections one after another; return the seconds of each."""
    seconds: list[float] = []
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        before = time.monotonic()
        assert site.fetch("/newsletter", timeout=10).status == 200, f"page {len(seconds)}"
        seconds.append(time.monotonic() - before)
        time.sleep(0.02)
    return seconds


def test_slow_clients_do_not_delay_other_visitors(site: RunningSite) -> None:
    for opening in (b"", HALF_HEAD, HALF_BODY):
        with slow_clients(site, opening):
            seconds = load_pages(site)
        p95 = quantiles(seconds, n=20)[-1]
        assert p95 < MAX_P95_SECONDS, f"{opening!r}: p95 {p95:.3f} s of {len(seconds)} pages"


SIGN_IN = """mutation ($email: String!, $password: String!) {
  signIn(input: {email: $email, password: $password}) { token }
}"""
EMAIL, PASSWORD = "jana@example.org", "Fair winds, 2025!"

GUESSES = 100
PAUSE_SECONDS = 0.04
"""25 guesses a second."""
GUESSES_PER_SIGN_IN = 10


def random_address(numbers: random.Random) -> str:
    """Return an address in a random /48 or /24."""
    if numbers.random() < 0.5:
        return f"2001:{numbers.randrange(0x1000, 0xFFFF):x}:{numbers.randrange(0xFFFF):x}::1"
    return f"{numbers.randrange(11, 120)}.{numbers.randrange(256)}.{numbers.randrange(256)}.7"


def test_members_sign_in_during_a_flood_of_guesses(make_site: MakeSite, database: PostgresDatabase) -> None:
    """Half of the guesses are for the member's account."""
    site = make_site(database, TRUSTED_PROXY_COUNT="1")
    assert not site.post_graphql(SIGN_UP, email=EMAIL, address="192.0.2.1").code
    numbers = random.Random(1)

    def guess(number: int, address: str) -> str:
        email = EMAIL if number % 2 else f"guess{number}@example.org"
        return site.post_graphql(SIGN_IN, email=email, password="Foul winds, 2025!", address=address).code

    def sign_in(number: int) -> str:
        return site.post_graphql(
            SIGN_IN, email=EMAIL, password=PASSWORD, address=f"192.0.2.{100 + number}"
        ).code

    guesses, sign_ins = [], []
    started = time.monotonic()
    with ThreadPoolExecutor(40) as pool:
        for number in range(GUESSES):
            guesses.append(pool.submit(guess, number, random_address(numbers)))
            if number % GUESSES_PER_SIGN_IN == 0:
                sign_ins.append(pool.submit(sign_in, number))
            time.sleep(max(0, started + (number + 1) * PAUSE_SECONDS - time.monotonic()))
    assert Counter(done.result() for done in sign_ins) == {"": len(sign_ins)}
    assert Counter(done.result() for done in guesses)["INVALID_CREDENTIALS"] > GUESSES / 2
