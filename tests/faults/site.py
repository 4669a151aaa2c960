"""A running site: gunicorn with its workers, as in production."""

import http.client
import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests import processes
from tests.processes import kill_group, wait_until


class Response:
    """An HTTP response, with the error code of GraphQL."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.text = body.decode()

    @property
    def code(self) -> str:
        """The code of the first error, blank without one."""
        errors = json.loads(self.text).get("errors") or [{"extensions": {"code": ""}}]
        return str(errors[0]["extensions"]["code"])


class RunningSite:
    """A gunicorn process group on a free port."""

    def __init__(self, *, folder: Path, settings: dict[str, str], options: list[str] | None = None) -> None:
        self.port = processes.free_port()
        self.log = folder / "site.log"
        self.settings = settings | {"PORT": str(self.port), "TMPDIR": str(folder)}
        self.options = options or []
        self.worker_count = int(settings["WEB_CONCURRENCY"])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        gunicorn = [
            str(processes.PYTHON_PROGRAMS / "gunicorn"),
            f"--bind=127.0.0.1:{self.port}",
            *self.options,
        ]
        self.process = processes.start(self.log, *gunicorn, "sailing.wsgi", **self.settings)
        wait_until(
            lambda: self.is_alive() and len(self.workers()) == self.worker_count, "the site answers", 60
        )

    def find_problems(self) -> dict[str, str]:
        """Return the problems that `manage.py doctor` finds, by the name of their watch."""
        try:
            output = processes.manage("doctor", **self.settings)
        except subprocess.CalledProcessError as ended:
            output = ended.stdout
        found = (re.fullmatch(r"PROBLEM +(\w+) +(.*)", line) for line in output.splitlines())
        return {match[1]: match[2] for match in found if match}

    def wait(self, seconds: float | None = None) -> int:
        """Wait until gunicorn has ended; return its exit status."""
        assert self.process
        return self.process.wait(seconds)

    def kill(self) -> None:
        if self.process:
            kill_group(self.process)

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    def workers(self) -> list[int]:
        return processes.children(self.pid)

    def signal_all(self, number: signal.Signals) -> None:
        """Send a signal to gunicorn and every worker, as a platform that stops a container does."""
        for pid in [*self.workers(), self.pid]:
            os.kill(pid, number)

    def fetch(self, path: str, body: Any = None, *, address: str = "", timeout: float = 30) -> Response:
        """Return the response to GET, or with a body to POST. Raises OSError or HTTPException.

        `address` is the client's in X-Forwarded-For.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        method, data = ("GET", None) if body is None else ("POST", json.dumps(body))
        headers = {"X-Forwarded-For": address} if address else {}
        try:
            connection.request(method, path, data, headers | {"Content-Type": "application/json"})
            response = connection.getresponse()
            return Response(response.status, dict(response.headers), response.read())
        finally:
            connection.close()

    def post_graphql(self, query: str, *, address: str = "", **variables: Any) -> Response:
        return self.fetch("/graphql", {"query": query, "variables": variables}, address=address)

    def is_alive(self) -> bool:
        return self._is_ok("/healthz")

    def is_ready(self) -> bool:
        return self._is_ok("/readyz")

    def _is_ok(self, path: str) -> bool:
        try:
            return self.fetch(path, timeout=5).status == 200
        except (OSError, http.client.HTTPException):
            return False
