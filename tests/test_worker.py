"""A client that announces more than it sends does not hold a thread for good."""

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.workers.gthread import ThreadWorker

from sailing import worker
from sailing.worker import DEADLINE, BoundedWorker


@dataclass(frozen=True)
class Connection:
    """As much of gunicorn's connection as is needed."""

    sock: socket.socket


class Site:
    """A worker with one thread, which reads once from its client; the clock is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.server, self.client = socket.socketpair()
        self.now = 100.0
        self.read: list[bytes] = []
        reading = threading.Event()

        def handle(_worker: Any, conn: Connection) -> None:
            reading.set()
            self.read.append(conn.sock.recv(100))

        monkeypatch.setattr(ThreadWorker, "__init__", lambda _worker: None)
        monkeypatch.setattr(ThreadWorker, "handle", handle)
        monkeypatch.setattr(ThreadWorker, "notify", lambda _worker: None)
        monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.worker = BoundedWorker()
        self.thread = threading.Thread(target=self.worker.handle, args=(Connection(self.server),))
        self.thread.start()
        assert reading.wait(10)

    def close(self) -> None:
        self.client.close()
        self.thread.join(10)
        self.server.close()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    found = Site(monkeypatch)
    yield found
    found.close()


def test_reading_ends_at_the_deadline(site: Site) -> None:
    site.now += DEADLINE
    site.worker.notify()
    site.thread.join(10)
    assert site.read == [b""]
    assert not site.worker.ends


def test_before_it_a_slow_client_is_waited_for(site: Site) -> None:
    site.now += DEADLINE - 1
    site.worker.notify()
    site.client.sendall(b"late")
    site.thread.join(10)
    assert site.read == [b"late"]


def test_an_answer_under_way_is_written_to_its_end(site: Site) -> None:
    site.now += DEADLINE
    site.worker.notify()
    site.server.sendall(b"the rest")
    assert site.client.recv(100) == b"the rest"


def test_a_client_that_has_gone_disturbs_nobody(site: Site) -> None:
    site.now += DEADLINE
    gone = socket.socket()
    gone.close()
    site.worker.ends = {Connection(gone): 0.0, **site.worker.ends}
    site.worker.notify()
    site.thread.join(10)
    assert site.read == [b""]
