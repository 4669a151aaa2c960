"""gunicorn as in production, on a free port, and a client that sends requests to it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median

from tests.processes import PYTHON_PROGRAMS, ROOT, children, free_port, wait_until

CONNECTIONS = 8
"""As many as the site has threads."""

UNLIMITED = "1000000/m"
"""A rate limit that no benchmark reaches; attempts are still counted."""


@dataclass(frozen=True)
class Request:
    """A GET, or a POST of a body. `{number}` in the body differs in each request."""

    path: str
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def get_headers(self) -> dict[str, str]:
        return ({"Content-Type": "application/json"} if self.body else {}) | dict(self.headers)


def graphql(query: str, *, token: str = "", **variables: object) -> Request:
    """Return a request to the API."""
    body = json.dumps({"query": query, "variables": variables})
    return Request("/graphql", body, {"Authorization": f"Bearer {token}"} if token else {})


class Server:
    """A running gunicorn."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process = process
        self.port = port
        self._number = 0

    def send(self, request: Request) -> tuple[HTTPResponse, bytes]:
        """Return one response and its body. Raises AssertionError for a status other than 200."""
        body = request.body.replace("{number}", f"{self._number:010}")
        self._number += 1
        connection = HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("POST" if body else "GET", request.path, body or None, request.get_headers())
        response = connection.getresponse()
        content = response.read()
        connection.close()
        assert response.status == 200, (response.status, content[:500])
        return response, content

    def load(
        self, request: Request, *, seconds: float, connections: int = CONNECTIONS
    ) -> tuple[float, float]:
        """Send a request repeatedly; return the responses per second and the median milliseconds.

        Raises RuntimeError for an unexpected response.
        """
        order = {
            "port": self.port,
            "path": request.path,
            "body": request.body,
            "headers": request.get_headers(),
            "connections": connections,
            "seconds": seconds,
            "first": self._number,
        }
        # In another process, because its work would slow this one's measurements down.
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
        return len(found["times"]) / found["seconds"], median(found["times"]) * 1000

    def get_workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        return children(self.process.pid)

    def is_started(self) -> bool:
        assert self.process.poll() is None, "The server does not start: see .cache/bench.log"
        try:
            HTTPConnection("127.0.0.1", self.port, timeout=5).connect()
        except OSError:
            return False
        return bool(self.get_workers())


def get_environment(**changes: str) -> dict[str, str]:
    """Return the environment of a site without rate limits and without a sender of mails."""
    rates = dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE", "MAIL_RATES"], UNLIMITED)
    return os.environ | {"EMBEDDED_WORKER": "false", **rates, **changes}


@contextmanager
def server(
    *,
    settings: str = "benchmarks.site",
    application: str = "sailing.wsgi",
    configuration: str = "gunicorn.conf.py",
    **environment: str,
) -> Iterator[Server]:
    """Run gunicorn during the block."""
    port = free_port()
    variables = get_environment(
        DJANGO_SETTINGS_MODULE=settings,
        PORT=str(port),
        SITE_URL=f"http://127.0.0.1:{port}",
        **environment,
    )
    gunicorn = str(PYTHON_PROGRAMS / "gunicorn")
    command = [gunicorn, f"--config={configuration}", f"--bind=127.0.0.1:{port}", application]
    log = ROOT / ".cache" / "bench.log"  # request lines, as in production
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=variables, stderr=output)
        try:
            site = Server(process, port)
            wait_until(site.is_started, "the server answers", 60)
            yield site
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def prepare_database(url: str) -> None:
    """Create the tables of a database."""
    subprocess.run(
        [PYTHON_PROGRAMS / "python", "manage.py", "migrate", "--noinput", "--verbosity=0"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url},
        check=True,
    )


def read_memory(pid: int | str) -> float:
    """Return the private memory of a process in MB."""
    found = re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else 0.0
