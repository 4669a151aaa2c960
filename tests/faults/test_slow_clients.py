"""Clients that send or read slowly, by the thousand, while another visitor loads pages (standard 26)."""

import http.client
import resource
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import quantiles

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.programs import wait_until
from tests.faults.site import Site

CLIENTS = 2000
SECONDS = 6.0
"""How long a visitor loads pages; longer than the deadline for a request's head."""

REOPENED_AT_ONCE = 10
TCP_ESTABLISHED = 1
MAX_P95_SECONDS = 0.5

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = (
    b"POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
)
VIDEO = b"GET /static/media/ocean-loop.mp4 HTTP/1.1\r\nHost: localhost\r\n"
VIDEOS = (VIDEO + b"\r\n") * 8
RANGES = (VIDEO + b"Range: bytes=0-\r\n\r\n") * 8


@pytest.fixture
def site(make_site: MakeSite, database: PostgresDatabase) -> Site:
    return make_site(database)


class SlowClients(threading.Thread):
    """Opens CLIENTS connections that send `opening` and then, if asked to, a byte every now and then.

    What the site closes is opened again, a few at a time: these are slow clients, not a flood.
    """

    def __init__(self, port: int, opening: bytes, *, dribbles: bool = False) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.opening = opening
        self.dribbles = dribbles
        self.ended = threading.Event()
        self.are_connected = threading.Event()
        self.failures: list[str] = []
        self.open: list[socket.socket] = []

    def run(self) -> None:
        for _client in range(CLIENTS):
            self._open_one()
        self.are_connected.set()
        while not self.ended.wait(0.1):
            self.open = [client for client in self.open if not self._is_closed(client)]
            for _client in range(min(REOPENED_AT_ONCE, CLIENTS - len(self.open))):
                self._open_one()
            if self.dribbles:
                for client in self.open[::20]:
                    with suppress(OSError):
                        client.send(b"x")

    def _open_one(self) -> None:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        client.settimeout(5)
        try:
            client.connect(("127.0.0.1", self.port))
            client.sendall(self.opening)
        except OSError:  # the site has refused it
            client.close()
            return
        client.setblocking(False)
        self.open.append(client)

    @staticmethod
    def _is_closed(client: socket.socket) -> bool:
        """Whether the site has closed a connection; nothing is read from it."""
        state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
        if state == TCP_ESTABLISHED:
            return False
        client.close()
        return True

    def end(self) -> None:
        self.ended.set()
        self.join(10)
        for client in self.open:
            client.close()


@contextmanager
def slow_clients(site: Site, opening: bytes, *, dribbles: bool = False) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CLIENTS + 1000), hard))
    clients = SlowClients(site.port, opening, dribbles=dribbles)
    clients.start()
    try:
        assert clients.are_connected.wait(30), f"only {len(clients.open)} are connected"
        # They come within a second or two, which is a crowd, and may be told to come again.
        wait_until(lambda: site.fetch("/newsletter").status == 200, "the crowd is through", 10)
        yield
    finally:
        clients.end()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def load_pages(site: Site) -> list[float]:
    """Load one page after another, each on a new connection; return how many seconds each took."""
    seconds: list[float] = []
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        before = time.monotonic()
        assert site.fetch("/newsletter", timeout=10).status == 200, f"page {len(seconds)}"
        seconds.append(time.monotonic() - before)
        time.sleep(0.02)
    return seconds


@pytest.mark.parametrize(
    ("opening", "dribbles"),
    [
        pytest.param(b"", False, id="silent", marks=pytest.mark.long),
        pytest.param(HALF_HEAD, False, id="half a head", marks=pytest.mark.long),
        pytest.param(HALF_HEAD, True, id="a head byte by byte", marks=pytest.mark.long),
        pytest.param(HALF_BODY, False, id="half a body"),
        pytest.param(HALF_BODY, True, id="a body byte by byte", marks=pytest.mark.long),
        pytest.param(VIDEOS, False, id="videos that are not read", marks=pytest.mark.long),
        pytest.param(RANGES, False, id="ranges of videos that are not read", marks=pytest.mark.long),
    ],
)
def test_slow_clients_do_not_slow_another_visitor(site: Site, opening: bytes, dribbles: bool) -> None:
    with slow_clients(site, opening, dribbles=dribbles):
        seconds = load_pages(site)
    p95 = quantiles(seconds, n=20)[-1]
    assert p95 < MAX_P95_SECONDS, f"p95 {p95:.3f} s of {len(seconds)} pages"


def test_a_stopping_site_answers_slow_clients_that_finish_in_time(site: Site) -> None:
    client = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    client.putrequest("POST", "/graphql")
    body = b'{"query": "{ __typename }"}'
    client.putheader("Content-Type", "application/json")
    client.putheader("Content-Length", str(len(body)))
    client.endheaders(body[:5])
    time.sleep(0.5)
    site.signal_all(signal.SIGTERM)
    client.send(body[5:])
    assert client.getresponse().status == 200
    client.close()
