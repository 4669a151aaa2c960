"""gunicorn's worker in a thread of the test: its own main loop, real connections, a clock set by hand."""

import os
import queue
import runpy
import selectors
import signal
import socket
import threading
from collections.abc import Iterator
from email.message import Message
from http.client import parse_headers
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.wsgi import FileWrapper
from whitenoise.responders import SlicedFile

from sailing.server import worker
from sailing.server.connection import Connection
from sailing.server.worker import BufferingWorker
from sailing.wsgi import application
from tests.faults.programs import ROOT, wait_until

TIMEOUT_SECONDS = 10
"""After which a test takes a response for one that never comes."""

LARGE = 20_000_000
"""Bytes; more than the kernel takes for a client that does not read."""


class Client:
    """One client's connection."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(TIMEOUT_SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.received = self.socket.makefile("rb")
        self.headers = Message()

    def send(self, *heads: str) -> None:
        """Send requests without a body in one packet; each `head` is a request line with headers."""
        self.socket.sendall("".join(f"{head}\r\nHost: localhost\r\n\r\n" for head in heads).encode())

    def read_response(self) -> tuple[int, bytes]:
        """Return the status and the body of the next response; `headers` has its headers."""
        status = self.received.readline().split()[1]
        self.headers = parse_headers(self.received)
        return int(status), self.received.read(int(self.headers["Content-Length"]))

    def read_status(self) -> int:
        return self.read_response()[0]

    def close(self) -> None:
        self.received.close()
        self.socket.close()

    def is_closed(self) -> bool:
        """Whether the site has closed the connection. What is sent to find out is answered with a reset."""
        try:
            self.socket.sendall(b"x")
        except OSError:
            return True
        return False


class Worker(BufferingWorker):
    """Counts the turns of its main loop, and how often it was told of new connections."""

    turns = 0
    accepts = 0

    def notify(self) -> None:
        super().notify()
        self.turns += 1

    def _accept(self, listener: Any) -> None:
        self.accepts += 1
        super()._accept(listener)


class Site:
    """One worker with one thread for requests, and an application of the test's own.

    `held`: paths that are not answered until `release`. `large`: paths with a large response. `bodies`:
    those of the requests that reached the application.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.started: queue.Queue[str] = queue.Queue()
        self.released = threading.Semaphore(0)
        self.held = {"/held"}
        self.large = {"/large", "/large-file", "/large-range", "/large-stream"}
        self.bodies: list[bytes] = []
        self.environ: dict[str, Any] = {}
        self.application = application.application  # renders the early responses
        self.clients: list[Client] = []
        monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: self.now))
        listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port: int = listener.getsockname()[1]
        config = Config()
        own = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
        own |= {"threads": 1, "graceful_timeout": TIMEOUT_SECONDS, "keepalive": TIMEOUT_SECONDS}
        for name in own.keys() & config.settings.keys():
            config.set(name, own[name])
        self.worker: Any = Worker(0, os.getppid(), [listener], None, 15, config, Mock(spec=Logger))
        self.worker.wsgi = self
        self.worker.PIPE = os.pipe()
        for end in self.worker.PIPE:
            os.set_blocking(end, False)
        self.thread = threading.Thread(target=self.worker.run)
        self.thread.start()
        wait_until(lambda: self.worker.turns > 0, "the main loop runs", TIMEOUT_SECONDS)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        path = environ["PATH_INFO"]
        self.environ = environ
        self.started.put(path)
        self.bodies.append(environ["wsgi.input"].read())
        if path in self.held:
            self.released.acquire(timeout=3 * TIMEOUT_SECONDS)
        if path == "/failing":
            raise ZeroDivisionError
        size = LARGE if path in self.large else 2
        start_response("200 OK", [("Content-Length", str(size))])
        if path == "/large-stream":
            return (b"x" * 100_000 for _part in range(size // 100_000))
        if path == "/breaking":
            return (b"x" * (1 // number) for number in (1, 0))
        if path not in ("/large-file", "/large-range"):
            return [b"x" * size]
        file = TemporaryFile()  # noqa: SIM115 - gunicorn closes it
        if path == "/large-file":
            file.truncate(size)
            return FileWrapper(file)
        file.write(b"before")
        file.truncate(len(b"before") + size + 1)
        return FileWrapper(SlicedFile(file, len(b"before"), len(b"before") + size - 1))

    def connect(self, *heads: str, receive_buffer: int = 0) -> Client:
        client = Client(self.port, receive_buffer)
        self.clients.append(client)
        if heads:
            client.send(*heads)
        return client

    def send_part(self, data: bytes) -> Client:
        """Return a client of which the worker has received these bytes and waits for more."""
        client = self.connect()
        client.socket.sendall(data)
        self.wait_until_received(client, len(data))
        return client

    def wait_until_received(self, client: Client, size: int) -> None:
        """Wait until the worker has received this number of bytes of a client's next request."""
        address = client.socket.getsockname()
        wait_until(
            lambda: any(
                each.client == address and len(each.received) == size for each in self.list_waiting()
            ),
            f"{size} bytes have been received",
            TIMEOUT_SECONDS,
        )

    def wait_until_sending(self) -> None:
        """Wait until the worker waits for a client to read its response."""
        wait_until(
            lambda: any(each.events == selectors.EVENT_WRITE for each in self.list_waiting()),
            "it waits for the client to read",
            TIMEOUT_SECONDS,
        )

    def list_waiting(self) -> list[Connection]:
        """Return the connections that wait for their client, as the main thread sees them."""
        found: queue.Queue[list[Connection]] = queue.Queue()
        self.worker._call(lambda: found.put(self.worker._all_waiting()))
        return found.get(timeout=TIMEOUT_SECONDS)

    def get(self, path: str = "/") -> int:
        """Return the status of a response to a client of its own."""
        return self.connect(f"GET {path} HTTP/1.1").read_status()

    def hold(self, *behind: str) -> Client:
        """Return a client that holds the thread; `behind`: requests in the same packet behind its own."""
        client = self.connect("GET /held HTTP/1.1", *behind)
        self.wait_for("/held")
        return client

    def wait_for(self, path: str) -> None:
        """Wait until the application is called for a path."""
        while self.started.get(timeout=TIMEOUT_SECONDS) != path:
            pass

    def release(self) -> None:
        """Let one held request go on."""
        self.released.release()

    def wait_for_main_thread(self) -> None:
        """Wait until the main thread has done what it was given until now."""
        done = threading.Event()
        self.worker._call(done.set)
        assert done.wait(TIMEOUT_SECONDS)

    def advance(self, seconds: float) -> None:
        """Let time pass, and wait until the main thread has acted on it."""
        self.now += seconds
        turns = self.worker.turns
        wait_until(lambda: self._turn_count() >= turns + 3, "the main thread sees the time", TIMEOUT_SECONDS)

    def has_stopped_after(self, seconds: float) -> bool:
        """Let time pass, and return whether the worker has ended."""
        self.now += seconds
        self.thread.join(0.2)
        return not self.thread.is_alive()

    def _turn_count(self) -> int:
        self.wait_for_main_thread()
        return int(self.worker.turns)

    def wait_for_connections(self, number: int) -> None:
        wait_until(lambda: self.worker.open_connections == number, f"{number} are open", TIMEOUT_SECONDS)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.released.release(100)
        self.worker.handle_exit(signal.SIGTERM, None)
        self.thread.join(TIMEOUT_SECONDS)
        self.worker.tmp.close()
        for end in self.worker.PIPE:
            os.close(end)
        assert not self.thread.is_alive()
        assert self.worker.open_connections == 0
        assert not self.worker.waiting_count
        assert not self.worker.waiting


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    found = Site(monkeypatch)
    yield found
    found.close()
