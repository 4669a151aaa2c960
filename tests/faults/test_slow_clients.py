"""Thousands of clients send slowly while another visitor loads pages."""

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from statistics import quantiles

from tests.faults.site import RunningSite
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
