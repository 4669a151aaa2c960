"""gunicorn's worker with threads, with bounds: on how long a request may arrive, and on how many wait."""

import selectors
import socket
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from sailing import overload

DEADLINE = 15.0
"""Seconds for the whole of a request to arrive."""

MOST_WAITING = 16
"""Requests that wait for a thread, in one process: with 20 to 50 ms each, less than half a second's work."""

LONGEST_WAIT = 3.0
"""Seconds for a thread to become free, when those at work are held up (a slow database, say)."""

REFUSERS = 2
"""Threads that do nothing but say no, and that the process is alive. They ask no database."""

REFUSED_DEADLINE = 1.0

SWITCH_SECONDS = 0.0005
"""How long a thread computes while others wait to: a tenth of Python's own. To refuse takes a dozen turns."""

PROBES = (b"GET /healthz ", b"HEAD /healthz ")


class BoundedWorker(ThreadWorker):
    """Stops reading from a client that holds a thread for longer than the deadline, and refuses what would
    wait for a thread too long.

    gunicorn waits without end for the rest of a head or a body. A handful of clients that announce more
    than they send would hold every thread of the site (OWASP Denial of Service Cheat Sheet, "Slow HTTP").
    Only reading ends: an answer under way is written to its end.

    And it queues requests without end: with more than the site can do, each waits longer than the one
    before, until nobody gets an answer in time. Here the queue is short. Past it, and after a while in it,
    a request goes to a thread that refuses (`sailing.overload`), which also answers whether the process is
    alive, so that a busy one is not taken for a dead one.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ends: dict[Any, float] = {}
        self.admitted: dict[Future[Any], tuple[Any, float]] = {}

    def init_process(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self.refusing = ThreadPoolExecutor(REFUSERS, "refusing", initializer=overload.refuse_here)
        super().init_process()

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread. gunicorn's main thread calls it, for a new and for a kept one."""
        if not conn.initialized and not conn.data_ready:
            self._await_data(conn)  # else a silent client would hold a thread
        elif len(self.admitted) < self.cfg.threads + MOST_WAITING and not _is_probe(conn):
            self._admit(conn)
        else:
            self._refuse(conn)

    def handle(self, conn: Any) -> Any:
        """Read a request and answer it, in a thread of the pool."""
        seconds = REFUSED_DEADLINE if overload.refuses_here() else DEADLINE
        self.ends[conn] = time.monotonic() + seconds
        try:
            return super().handle(conn)
        finally:
            del self.ends[conn]

    def notify(self) -> None:
        """The worker's sign of life, at least once a second from its main thread."""
        super().notify()
        now = time.monotonic()
        for conn, end in list(self.ends.items()):
            if now >= end:
                with suppress(OSError):  # the client has just gone
                    conn.sock.shutdown(socket.SHUT_RD)
        for future, (conn, since) in list(self.admitted.items()):
            if now - since >= LONGEST_WAIT and future.cancel():  # only one that has not begun
                del self.admitted[future]
                self._refuse(conn)

    def _await_data(self, conn: Any) -> None:
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.pending_conns.append(conn)
        readable = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, readable)

    def _admit(self, conn: Any) -> None:
        future = self.tpool.submit(self.handle, conn)
        self.admitted[future] = (conn, time.monotonic())
        future.add_done_callback(lambda done: self.method_queue.defer(self._finish_admitted, conn, done))

    def _refuse(self, conn: Any) -> None:
        future = self.refusing.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def _finish_admitted(self, conn: Any, future: Future[Any]) -> None:
        if self.admitted.pop(future, None):  # else it was refused meanwhile
            self.finish_request(conn, future)


def _is_probe(conn: Any) -> bool:
    with suppress(OSError):
        begin: bytes = conn.sock.recv(len(max(PROBES, key=len)), socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return begin.startswith(PROBES)
    return False
