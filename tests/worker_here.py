"""gunicorn's worker in a thread of the tests: its own main loop, real connections, a clock set by hand."""

import os
import queue
import selectors
import signal
import socket
import threading
from collections.abc import Iterator
from http.client import parse_headers
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.wsgi import FileWrapper

from sailing import closing, worker
from sailing.worker import BoundedWorker
from sailing.wsgi import application
from tests.faults.programs import wait_until

PATIENCE = 10
"""Seconds until a test takes an answer for one that never comes."""

LARGE = 20_000_000
"""Bytes; more than the system takes in for a client that does not read."""


class Connection:
    """A client's end."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.received = self.socket.makefile("rb")

    def send(self, *heads: str) -> None:
        """Requests without a body, in one packet; each `head` is its first line and its headers."""
        self.socket.sendall("".join(f"{head}\r\nHost: localhost\r\n\r\n" for head in heads).encode())

    def answer(self) -> tuple[int, bytes]:
        """The status and the body of the next answer."""
        status = self.received.readline().split()[1]
        headers = parse_headers(self.received)
        return int(status), self.received.read(int(headers["Content-Length"]))

    def close(self) -> None:
        self.received.close()
        self.socket.close()

    def is_closed(self) -> bool:
        """Whether the site has closed it. What is sent to try it is answered with a reset, some time."""
        try:
            self.socket.sendall(b"x")
        except OSError:
            return True
        return False


class Worker(BoundedWorker):
    """Counts how often it was told of new connections, and gave its sign of life."""

    tellings = 0
    rounds = 0

    def notify(self) -> None:
        super().notify()
        self.rounds += 1

    def accept(self, listener: Any) -> None:
        self.tellings += 1
        super().accept(listener)


class Site:
    """One worker with one thread for requests.

    `held`: what is not answered until `release`. `large`: what has an answer that nobody takes in at once.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.begun: queue.Queue[str] = queue.Queue()
        self.released = threading.Semaphore(0)
        self.held = {"/held"}
        self.large = {"/large", "/large-file"}
        self.application = application.application  # makes the refusals
        self.connections: list[Connection] = []
        clock = SimpleNamespace(monotonic=lambda: self.now)
        for module in (worker, closing):
            monkeypatch.setattr(module, "time", clock)
        listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port: int = listener.getsockname()[1]
        config = Config()
        for name, value in {"threads": 1, "graceful_timeout": PATIENCE, "keepalive": PATIENCE}.items():
            config.set(name, value)
        self.worker: Any = Worker(0, os.getppid(), [listener], None, 15, config, Mock(spec=Logger))
        self.worker.wsgi = self
        self.worker.tpool = self.worker.get_thread_pool()
        self.worker.poller = selectors.DefaultSelector()
        self.worker.method_queue.init()
        self.thread = threading.Thread(target=self.worker.run)
        self.thread.start()
        self.wait_for_main()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        path = environ["PATH_INFO"]
        self.begun.put(path)
        if path in self.held:
            self.released.acquire(timeout=3 * PATIENCE)
        size = LARGE if path in self.large else 2
        start_response("200 OK", [("Content-Length", str(size))])
        if path != "/large-file":
            return [b"x" * size]
        file = TemporaryFile()  # noqa: SIM115 - gunicorn closes it
        file.truncate(size)
        return FileWrapper(file)

    def connect(self, *heads: str) -> Connection:
        connection = Connection(self.port)
        self.connections.append(connection)
        if heads:
            connection.send(*heads)
        return connection

    def ask(self, path: str = "/") -> int:
        """The status of an answer to a client of its own."""
        return self.connect(f"GET {path} HTTP/1.1").answer()[0]

    def hold(self, *behind: str) -> Connection:
        """A client who holds the thread; `behind` is what it sends behind its request in the same packet."""
        connection = self.connect("GET /held HTTP/1.1", *behind)
        self.wait_for("/held")
        return connection

    def wait_for(self, path: str) -> None:
        """Until the application is asked for a path."""
        while self.begun.get(timeout=PATIENCE) != path:
            pass

    def release(self) -> None:
        """Let one request go on that is held."""
        self.released.release()

    def wait_for_main(self) -> None:
        """Until the main thread has done what it was given until now."""
        been = threading.Event()
        self.worker.method_queue.defer(been.set)
        assert been.wait(PATIENCE)

    def later(self, seconds: float) -> None:
        """So much time passes, and the main thread sees it."""
        self.now += seconds
        begun = self.worker.rounds

        def has_gone_round() -> bool:
            self.wait_for_main()
            return bool(self.worker.rounds >= begun + 2)  # the first may have looked at the clock before

        wait_until(has_gone_round, "the main thread sees what time it is", PATIENCE)

    def wait_until_it_lingers(self, connection: Connection) -> None:
        """Until the site has ended its side of a connection."""
        client = connection.socket.getsockname()
        wait_until(
            lambda: any(end.getpeername() == client for end in list(self.worker.closing.ends)),
            "it lingers",
            PATIENCE,
        )

    def wait_until_all_is_closed(self) -> None:
        wait_until(lambda: self.worker.nr_conns == 0, "every connection is closed", PATIENCE)

    def close(self) -> None:
        for connection in self.connections:
            connection.close()
        self.released.release(100)
        self.worker.handle_exit(signal.SIGTERM, None)
        self.thread.join(PATIENCE)
        self.worker.tmp.close()
        assert not self.thread.is_alive()
        assert self.worker.nr_conns == 0, "a connection was counted wrongly"


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    found = Site(monkeypatch)
    yield found
    found.close()
