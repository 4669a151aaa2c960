"""gunicorn with the site's worker and an application for tests, and clients that write to its socket."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.client import parse_headers
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ROOT, environment, free_port, kill_group, wait_until


class Client:
    def __init__(self, port: int, data: bytes = b"", *, receive_buffer: int = 0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.received = self.socket.makefile("rb")
        self.headers = Message()
        self.send(data)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read_response(self) -> tuple[int, bytes]:
        """Return the status and the body of the next response, and store its headers in `headers`."""
        status = self.received.readline().split()[1]
        self.headers = parse_headers(self.received)
        return int(status), self.received.read(int(self.headers["Content-Length"]))

    def is_closed(self) -> bool:
        """Return whether the worker closes the connection without a (further) response."""
        try:
            return self.received.read(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.received.close()
        self.socket.close()


class Server:
    """A running gunicorn with one worker, which has one thread."""

    def __init__(self, folder: Path) -> None:
        self.held = folder / "held"
        self.log = folder / "server.log"
        self.port = free_port()
        self.clients: list[Client] = []
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "gunicorn", f"--bind=127.0.0.1:{self.port}"),
                    "--config=sailing/server/tests/gunicorn_settings.py",
                    "sailing.server.tests.application",
                ],
                cwd=ROOT,
                env=environment(HELD=str(self.held)),
                stderr=log,
                start_new_session=True,
            )

    def is_listening(self) -> bool:
        try:
            return self.get("/healthz") == 200
        except OSError:  # the connection is refused
            return False

    def connect(self, data: bytes = b"", **options: Any) -> Client:
        client = Client(self.port, data, **options)
        self.clients.append(client)
        return client

    def get(self, path: str = "/") -> int:
        """Return the status of a response on a new connection."""
        return self.connect(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()).read_response()[0]

    def hold(self) -> Client:
        """Return a client whose request holds its thread until `release`."""
        self.held.touch()
        client = self.connect(b"GET /admin/held HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.wait_for_requests()
        return client

    def wait_for_requests(self) -> None:
        """Wait until the worker has the requests that were sent before."""
        assert self.get("/healthz") == 200

    def release(self) -> None:
        self.held.unlink(missing_ok=True)

    def read_log(self, event: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if f'"{event}"' in line]


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        wait_until(server.is_listening, "the server answers")
        yield server
    finally:
        kill_group(server.process)
        for client in server.clients:
            client.close()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """Return a server that several tests use. No test leaves a connection behind."""
    yield shared_server
    shared_server.release()
    while shared_server.clients:
        shared_server.clients.pop().close()
