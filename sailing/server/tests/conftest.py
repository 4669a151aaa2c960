"""The gunicorn worker in a thread of the test, with real connections and a fake clock."""

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
from tests.processes import ROOT, wait_until

TIMEOUT_SECONDS = 10
"""After which a test gives up."""

LARGE = 20_000_000
"""Bytes; more than the kernel buffers for a client that does not read."""


class Client:
    """A client's connection."""

    def __init__(self, port: int, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(TIMEOUT_SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.received = self.socket.makefile("rb")
        self.headers = Message()

    def send(self, *heads: str) -> None:
        """Send requests without bodies in one packet. A `head` is a request line with headers."""
        self.socket.sendall("".join(f"{head}\r\nHost: localhost\r\n\r\n" for head in heads).encode())

    def read_response(self) -> tuple[int, bytes]:
        """Return the status and the body of the next response, and store its headers in `headers`."""
        status = self.received.readline().split()[1]
        self.headers = parse_headers(self.received)
        return int(status), self.received.read(int(self.headers["Content-Length"]))

    def read_status(self) -> int:
        return self.read_response()[0]

    def close(self) -> None:
        self.received.close()
        self.socket.close()

    def is_closed(self) -> bool:
        """Send a byte, which a closed connection answers with a reset."""
        try:
            self.socket.sendall(b"x")
        except OSError:
            return True
        return False


class Worker(BufferingWorker):
    """Counts the iterations of its main loop."""

    iterations = 0

    def notify(self) -> None:
        super().notify()
        self.iterations += 1


class WorkerSite:
    """A worker with one thread for requests and a WSGI application for tests.

    `held`: paths that are not answered until `release`. `large`: paths with a large response. `bodies`:
    the bodies of the requests that reached the application.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, queue_size: int) -> None:
        self.now = 100.0
        self.started: queue.Queue[str] = queue.Queue()
        self.released = threading.Semaphore(0)
        self.held = {"/held"}
        self.large = {"/large", "/large-file", "/large-range", "/large-stream"}
        self.bodies: list[bytes] = []
        self.environ: dict[str, Any] = {}
        self.application = application.application  # it renders the early responses
        self.clients: list[Client] = []
        monkeypatch.setattr(worker, "MAX_QUEUED_REQUESTS", queue_size)
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
        wait_until(lambda: self.worker.iterations > 0, "the main loop runs", TIMEOUT_SECONDS)

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
        """Return a client that has sent these bytes of a request, once the worker has received them."""
        client = self.connect()
        client.socket.sendall(data)
        self.wait_until_received(client, len(data))
        return client

    def wait_until_received(self, client: Client, size: int) -> None:
        """Wait until the worker has received this many bytes of a client's next request."""
        address = client.socket.getsockname()
        wait_until(
            lambda: any(
                each.client == address and len(each.received) == size for each in self.list_waiting()
            ),
            f"the worker has {size} bytes",
            TIMEOUT_SECONDS,
        )

    def wait_until_sending(self) -> None:
        """Wait until the worker waits for a client to read."""
        wait_until(
            lambda: any(each.events == selectors.EVENT_WRITE for each in self.list_waiting()),
            "the worker waits for a client to read",
            TIMEOUT_SECONDS,
        )

    def list_waiting(self) -> list[Connection]:
        """Return the waiting connections, as the main thread sees them."""
        found: queue.Queue[list[Connection]] = queue.Queue()
        self.worker.call_soon(lambda: found.put(self.worker.list_waiting()))
        return found.get(timeout=TIMEOUT_SECONDS)

    def get(self, path: str = "/") -> int:
        """Return the status of a response to a new client."""
        return self.connect(f"GET {path} HTTP/1.1").read_status()

    def hold(self) -> Client:
        """Return a client whose request holds the thread."""
        client = self.connect("GET /held HTTP/1.1")
        self.wait_for("/held")
        return client

    def wait_for(self, path: str) -> None:
        """Wait until the application is called for a path."""
        while self.started.get(timeout=TIMEOUT_SECONDS) != path:
            pass

    def release(self) -> None:
        """Answer one held request."""
        self.released.release()

    def wait_for_main_thread(self) -> None:
        """Wait until the main thread has made all calls scheduled so far."""
        done = threading.Event()
        self.worker.call_soon(done.set)
        assert done.wait(TIMEOUT_SECONDS)

    def advance(self, seconds: float) -> None:
        """Move the clock and wait until the main thread has enforced its deadlines."""
        self.now += seconds
        target = self.worker.iterations + 3

        def has_iterated() -> bool:
            self.wait_for_main_thread()
            return bool(self.worker.iterations >= target)

        wait_until(has_iterated, "the main thread sees the time", TIMEOUT_SECONDS)

    def has_stopped_after(self, seconds: float) -> bool:
        """Move the clock and return whether the worker has ended."""
        self.now += seconds
        self.thread.join(0.2)
        return not self.thread.is_alive()

    def wait_for_connections(self, number: int) -> None:
        wait_until(
            lambda: self.worker.open_connections == number, f"{number} connections are open", TIMEOUT_SECONDS
        )

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
        assert not self.worker.list_waiting()


@pytest.fixture
def queue_size() -> int:
    return worker.MAX_QUEUED_REQUESTS


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, queue_size: int) -> Iterator[WorkerSite]:
    started = WorkerSite(monkeypatch, queue_size)
    yield started
    started.close()
