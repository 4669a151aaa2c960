"""A running site with the views of the peers, worker processes, and requests over plain sockets.

http.client is about as slow as the site itself.
"""

import itertools
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.faults.site import RunningSite, running
from tests.processes import ROOT

LOG = ROOT / ".cache" / "site.log"
CONNECTIONS = 8
"""As many as the site has threads."""
UNLIMITED = "1000000/m"
"""A rate limit that no benchmark reaches; attempts are still counted."""
RATES = dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE", "MAIL_RATES"], UNLIMITED)

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
NUMBER = "0123456789"
"""In a request: replaced by a different number in each."""


@dataclass(frozen=True)
class Request:
    """A GET, or a POST of a body."""

    path: str
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def encode(self, others: Mapping[str, str] | None = None) -> str:
        posted = {"Content-Type": "application/json", "Content-Length": str(len(self.body))}
        headers = (
            {"Host": "127.0.0.1"} | (posted if self.body else {}) | dict(self.headers) | dict(others or {})
        )
        lines = [f"{'POST' if self.body else 'GET'} {self.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", self.body])


def graphql(query: str, *, token: str = "", **variables: object) -> Request:
    """Return a request to the API."""
    body = json.dumps({"query": query, "variables": variables})
    return Request("/graphql", body, {"Authorization": f"Bearer {token}"} if token else {})


class Connection:
    """A keep-alive connection."""

    def __init__(self, port: int, timeout: float = 300) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: str, number: int) -> bytes:
        """Send an encoded request and return the body of the response, which must have the status 200."""
        head, body = self.exchange(request, number)
        assert head.startswith(b"HTTP/1.1 200 "), (head, body[:1000])
        return body

    def exchange(self, request: str, number: int) -> tuple[bytes, bytes]:
        """Send an encoded request; return the head and the body of the response."""
        self.socket.sendall(request.replace(NUMBER, f"{number:010}").encode("ascii"))
        answer = b""
        while received := self.socket.recv(65536):
            answer += received
            head, _, body = answer.partition(b"\r\n\r\n")
            length = LENGTH.search(head)
            if length and len(body) >= int(length[1]):
                return head, body
        # The server has closed the connection, as asked.
        assert b"transfer-encoding: chunked" in answer.lower(), answer[:1000]
        return head, body


class Server(RunningSite):
    """A site that gets the same request again and again, each time with another number."""

    numbers = itertools.count()

    def send(self, request: Request) -> bytes:
        """Return the body of one response."""
        return Connection(self.port).send(request.encode(), next(self.numbers))

    def measure_rate(self, request: Request, seconds: float) -> float:
        """Send a request repeatedly over CONNECTIONS; return the responses per second."""
        started = time.perf_counter()
        return len(self._load(request, seconds, CONNECTIONS)) / (time.perf_counter() - started)

    def measure_time(self, request: Request, seconds: float) -> float:
        """Send a request repeatedly over one connection; return the median milliseconds of a response."""
        return median(self._load(request, seconds, 1)) * 1000

    def _load(self, request: Request, seconds: float, connections: int) -> list[float]:
        encoded = request.encode()
        times: list[float] = []
        end = time.perf_counter() + seconds

        def run_client(_number: int) -> None:
            connection = Connection(self.port)
            while not times or time.perf_counter() < end:
                started = time.perf_counter()
                connection.send(encoded, next(self.numbers))
                times.append(time.perf_counter() - started)

        with ThreadPoolExecutor(connections) as pool:
            list(pool.map(run_client, range(connections)))
        return times


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """Run gunicorn as in production, but without rate limits and a sender of mails, during the block."""
    own = {"DJANGO_SETTINGS_MODULE": "benchmarks.site", "EMBEDDED_WORKER": "false", "WEB_CONCURRENCY": "2"}
    # A worker that restarts would end connections, and hide a memory leak.
    site = Server(folder=LOG.parent, settings=RATES | own | settings, options=["--max-requests=0"])
    try:
        site.start()
        yield site
    finally:
        site.kill()


@contextmanager
def workers(count: int, **settings: str) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Run `manage.py worker` processes, which have started and wait when the block begins."""
    with ExitStack() as stack:
        processes = [stack.enter_context(running(LOG, "worker", **settings)) for _worker in range(count)]
        time.sleep(4)
        yield processes


def read_memory(pid: int) -> float:
    """Return the private memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) / 1024
