"""Servers for the benchmarks: gunicorn as in production, on a free port."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median

import tests.environment  # noqa: F401 - the settings of the tests, for the servers too
from benchmarks import comparison
from tests.processes import PYTHON_PROGRAMS, ROOT, children, free_port

CONNECTIONS = 8
"""As many as the site has threads."""
UNLIMITED = "1000000/m"
"""A rate limit that no benchmark reaches; attempts are still counted."""


@dataclass(frozen=True)
class Request:
    """An HTTP request. `{number}` in the body is replaced by a different number in each request."""

    path: str
    body: str = ""
    headers: Mapping[str, str] | None = None
    status: int = 200

    def text(self) -> str:
        """Return the request as it is sent."""
        body = self.body.replace("{number}", "0123456789")
        head = {"Host": "127.0.0.1", **(self.headers or {})}
        if body:
            head |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        lines = [f"{'POST' if body else 'GET'} {self.path} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
        return "\r\n".join([*lines, "", body])


@dataclass(frozen=True)
class Load:
    """The result of a load."""

    rate: float
    """Responses per second."""
    milliseconds: float
    """The median response time."""


class Server:
    """A running gunicorn."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process = process
        self.port = port
        self._number = 0

    def send(self, request: Request) -> tuple[HTTPResponse, bytes]:
        """Return one response and its body. Raises AssertionError for an unexpected status."""
        body = request.body.replace("{number}", f"{self._number:010}")
        self._number += 1
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = dict(request.headers or {}) | ({"Content-Type": "application/json"} if body else {})
        connection.request("POST" if body else "GET", request.path, body or None, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        assert response.status == request.status, (response.status, content[:500])
        return response, content

    def load(self, request: Request, *, seconds: float, connections: int = CONNECTIONS) -> Load:
        """Send a request repeatedly. Raises RuntimeError for an unexpected response."""
        order = {
            "port": self.port,
            "request": request.text(),
            "status": request.status,
            "connections": connections,
            "seconds": seconds,
            "first": self._number,
        }
        done = subprocess.run(
            [sys.executable, ROOT / "benchmarks" / "traffic.py"],
            input=json.dumps(order).encode(),
            stdout=subprocess.PIPE,
            check=True,
        )
        found = json.loads(done.stdout)
        if found["failures"]:
            raise RuntimeError(found["failures"][0])
        self._number = found["next"]
        return Load(rate=len(found["times"]) / found["seconds"], milliseconds=median(found["times"]) * 1000)

    def workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        return children(self.process.pid)


@contextmanager
def server(
    *,
    settings: str = "benchmarks.site",
    application: str = "sailing.wsgi",
    config: str = "gunicorn.conf.py",
    **environment: str,
) -> Iterator[Server]:
    """Run gunicorn during the block."""
    port = free_port()
    variables = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings,
        "PORT": str(port),
        "SITE_URL": f"http://127.0.0.1:{port}",
        "SIGNIN_RATE": UNLIMITED,
        "SIGNUP_RATE": UNLIMITED,
        "SUBSCRIBE_RATE": UNLIMITED,
        **environment,
    }
    command = [
        str(PYTHON_PROGRAMS / "gunicorn"),
        "--config",
        config,
        "--bind",
        f"127.0.0.1:{port}",
        application,
    ]
    log = ROOT / ".cache" / "bench.log"  # request lines, as in production
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=variables, stderr=output)
        try:
            _wait_until_started(process, port, log)
            yield Server(process, port)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def compare(
    what: str, *sides: tuple[Server, Request], effort: comparison.Effort, bar: comparison.Bar
) -> bool:
    """Print the responses per second of both sides; return whether the ratio meets the bar."""

    def rate(site: Server, request: Request) -> float:
        return site.load(request, seconds=effort.seconds).rate

    rates = comparison.measure_alternately(*(partial(rate, *side) for side in sides), rounds=effort.rounds)
    return comparison.report(what, *rates, unit="requests/s", bar=bar)


def prepare_database(address: str | None = None) -> None:
    """Migrate the database of a URL, by default that of DATABASE_URL."""
    variables = os.environ | ({"DATABASE_URL": address} if address else {})
    subprocess.run(
        [PYTHON_PROGRAMS / "python", "manage.py", "migrate", "--noinput", "--verbosity=0"],
        cwd=ROOT,
        env=variables,
        check=True,
    )


def _wait_until_started(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"The server does not start:\n{log.read_text()[-2000:]}")
