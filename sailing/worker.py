"""gunicorn's worker with threads, with bounds: on how long a request may arrive, and on how many wait."""

import selectors
import socket
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import structlog
from gunicorn.workers.gthread import TConn, ThreadWorker

from sailing import overload

logger = structlog.get_logger(__name__)

DEADLINE = 15.0
"""Seconds for the whole of a request to arrive."""

MOST_WAITING = 16
"""Requests that wait for a thread, in one process: with 5 to 50 ms each, less than half a second's work."""

LONGEST_WAIT = 3.0
"""Seconds for a thread to become free, when those at work are held up (a slow database, say)."""

SWITCH_SECONDS = 0.0001
"""How long a thread may compute while another waits for its turn: a fiftieth of Python's own. The thread that
accepts and refuses has to wait for its turn at each call of the system, among threads that compute."""

ACCEPTED_AT_ONCE = 32
"""Connections that are refused in a row before anything else is looked at."""

MOST_READ = 65_536
"""Bytes of a refused request that are taken in. What comes after it is cut off."""


class BoundedWorker(ThreadWorker):
    """Stops reading from a client that holds a thread for longer than the deadline, and refuses what would
    wait for a thread too long.

    gunicorn waits without end for the rest of a head or a body. A handful of clients that announce more
    than they send would hold every thread of the site (OWASP Denial of Service Cheat Sheet, "Slow HTTP").
    Only reading ends: an answer under way is written to its end.

    And it queues requests without end: with more than the site can do, each waits longer than the one
    before, until nobody gets an answer in time. Here the queue is short. Past it, and after a while in it,
    a request is refused (`sailing.overload`) by the thread that accepts it: to say no must cost next to
    nothing. Whether the process is alive is answered by a thread apart, so that a busy one is not taken for
    a dead one.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ends: dict[Any, float] = {}
        self.admitted: dict[Future[Any], tuple[Any, float]] = {}
        self.refused = 0
        self.told = 0.0

    def init_process(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self.probes = ThreadPoolExecutor(1, "probe")
        super().init_process()

    @property
    def is_full(self) -> bool:
        most: int = self.cfg.threads + MOST_WAITING
        return len(self.admitted) >= most

    def accept(self, listener: Any) -> None:
        """Take new connections. When full, those whose request is there already get no further."""
        for _connection in range(ACCEPTED_AT_ONCE):
            if not self.is_full:
                super().accept(listener)
                return
            try:
                client, address = listener.accept()
            except OSError:  # there is no other, or it has gone
                return
            client.setblocking(False)
            head = _seen(client)
            if head and not overload.is_probe(head):
                self._say_no(client, head)
                client.close()
            else:
                self.nr_conns += 1
                self.enqueue_req(TConn(self.cfg, client, address, listener.getsockname()))

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread. gunicorn's main thread calls it, for a new and for a kept one."""
        if not conn.initialized and not conn.data_ready:
            self._await_data(conn)  # else a silent client would hold a thread
            return
        head = _seen(conn.sock)
        if overload.is_probe(head):
            self._submit(self.probes, conn)
        elif self.is_full:
            self._refuse(conn, head)
        else:
            self.admitted[self._submit(self.tpool, conn)] = (conn, time.monotonic())

    def handle(self, conn: Any) -> Any:
        """Read a request and answer it, in a thread of the pool."""
        self.ends[conn] = time.monotonic() + DEADLINE
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
                self._refuse(conn, _seen(conn.sock))
        if self.refused and now >= self.told + 1:
            logger.warning("overloaded", refused=self.refused)
            self.refused, self.told = 0, now

    def finish_request(self, conn: Any, future: Future[Any]) -> None:
        """gunicorn's main thread calls it, for what a thread has done; or was going to, and was refused."""
        if not future.cancelled():
            self.admitted.pop(future, None)
            super().finish_request(conn, future)

    def _await_data(self, conn: Any) -> None:
        conn.set_timeout()
        self.pending_conns.append(conn)
        readable = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, readable)

    def _submit(self, pool: ThreadPoolExecutor, conn: Any) -> Future[Any]:
        future = pool.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))
        return future

    def _refuse(self, conn: Any, head: bytes) -> None:
        conn.sock.setblocking(False)
        self._say_no(conn.sock, head)
        self.nr_conns -= 1
        conn.close()

    def _say_no(self, client: socket.socket, head: bytes) -> None:
        self.refused += 1
        with suppress(OSError):  # the client has gone, or takes nothing
            client.recv(MOST_READ)  # unread, it would have the answer thrown away with the connection
            client.send(overload.refusal(self.wsgi.application, head))


def _seen(client: socket.socket) -> bytes:
    """What has come of a request, left where it is; nothing when nothing has."""
    with suppress(OSError):
        return client.recv(overload.HEAD, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    return b""
