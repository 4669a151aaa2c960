"""A running site with the views of the peers, requests to it, and worker processes."""

import itertools
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.faults.site import RunningSite
from tests.processes import ROOT, running

LOG = ROOT / ".cache" / "site.log"
RATES = dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE", "MAIL_RATES"], "1000000/m")
"""Limits that no benchmark reaches; attempts are still counted."""

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
NUMBER = "0123456789"
"""In a request: replaced by a different number in each."""


def write_request(path: str, body: str = "", **headers: str) -> str:
    """Return a GET, or a POST of a body, with headers such as `Accept_Encoding`."""
    if body:
        headers |= {"Content_Type": "application/json", "Content_Length": str(len(body))}
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", body])


def graphql(query: str, *, token: str = "", **variables: object) -> str:
    """Return a request to the API."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return write_request("/graphql", json.dumps({"query": query, "variables": variables}), **headers)


class Connection:
    """A keep-alive connection over a plain socket: http.client is about as slow as the site itself."""

    def __init__(self, port: int, timeout: float = 300) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: str, number: int) -> bytes:
        """Send a request and return the body of the response, which must have the status 200."""
        head, body = self.exchange(request, number)
        assert head.startswith(b"HTTP/1.1 200 "), (head, body[:1000])
        return body

    def exchange(self, request: str, number: int) -> tuple[bytes, bytes]:
        """Send a request; return the head and the body of the response."""
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

    def send(self, request: str) -> bytes:
        """Return the body of one response."""
        return Connection(self.port).send(request, next(self.numbers))

    def measure_rate(self, request: str, seconds: float) -> float:
        """Send a request repeatedly over eight connections; return the responses per second."""
        started = time.perf_counter()
        times = self._load(request, seconds, connections=8)  # as many as the site has threads
        return len(times) / (time.perf_counter() - started)

    def measure_time(self, request: str, seconds: float) -> float:
        """Send a request repeatedly over one connection; return the median milliseconds of a response."""
        return median(self._load(request, seconds, connections=1)) * 1000

    def _load(self, request: str, seconds: float, connections: int) -> list[float]:
        times: list[float] = []
        end = time.perf_counter() + seconds

        def run_client(_number: int) -> None:
            connection = Connection(self.port)
            while not times or time.perf_counter() < end:
                started = time.perf_counter()
                connection.send(request, next(self.numbers))
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
        time.sleep(5)
        yield processes


def read_memory(pid: int) -> float:
    """Return the private memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) / 1024
