"""Thousands of clients send slowly while another visitor loads pages."""

import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles

from tests.faults.site import RunningSite
from tests.processes import wait_until

CLIENTS = 2000
SECONDS = 6.0
"""Of loading pages; longer than the deadline for a request's head."""

REOPENED_AT_ONCE = 10
TCP_ESTABLISHED = 1
MAX_P95_SECONDS = 0.5

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = (
    b"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
)


class SlowClients(threading.Thread):
    """Open CLIENTS connections that send `opening`. Closed ones are reopened a few at a time."""

    def __init__(self, port: int, opening: bytes) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.opening = opening
        self.ended = threading.Event()
        self.are_connected = threading.Event()
        self.open: list[socket.socket] = []

    def run(self) -> None:
        for _client in range(CLIENTS):
            self._open_one()
        self.are_connected.set()
        while not self.ended.wait(0.1):
            self.open = [client for client in self.open if not self._is_closed(client)]
            for _client in range(min(REOPENED_AT_ONCE, CLIENTS - len(self.open))):
                self._open_one()

    def _open_one(self) -> None:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        client.settimeout(5)
        try:
            client.connect(("127.0.0.1", self.port))
            client.sendall(self.opening)
        except OSError:  # refused by the site
            client.close()
            return
        client.setblocking(False)
        self.open.append(client)

    @staticmethod
    def _is_closed(client: socket.socket) -> bool:
        """Return whether the site has closed a connection, without reading from it."""
        state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        if state == TCP_ESTABLISHED:
            return False
        client.close()
        return True

    def kill(self) -> None:
        self.ended.set()
        self.join(10)
        for client in self.open:
            client.close()


@contextmanager
def slow_clients(site: RunningSite, opening: bytes) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CLIENTS + 1000), hard))
    clients = SlowClients(site.port, opening)
    clients.start()
    try:
        assert clients.are_connected.wait(30), f"only {len(clients.open)} are connected"
        # 2,000 connections within two seconds cause some load shedding.
        wait_until(lambda: site.fetch("/newsletter").status == 200, "the connections are accepted", 10)
        yield
    finally:
        clients.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


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
