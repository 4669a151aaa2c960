"""gunicorn's worker with threads, with bounds: on how long a request may take, and on how many wait."""

import selectors
import socket
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog
from gunicorn.workers.gthread import TConn, ThreadWorker

from sailing import overload
from sailing.closing import LingeringClose

logger = structlog.get_logger(__name__)

DEADLINE = 15.0
"""Seconds for the whole of a request to arrive."""

LONGEST_ANSWER = 60.0
"""Seconds from the begin of a request to the end of its answer, however slowly the client reads it."""

LONGEST_PROBE = 5.0
"""The same for those who ask how the process is."""

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
"""Bytes of a refused request that are taken in before it is answered."""


@dataclass
class Lane:
    """Threads for requests of one kind, and who has been given to them."""

    pool: ThreadPoolExecutor
    most: int
    seconds: float
    admitted: dict[Future[Any], tuple[Any, float]] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        return len(self.admitted) >= self.most


class BoundedWorker(ThreadWorker):
    """Cuts off a client that holds a thread for too long, and refuses what would wait for one too long.

    gunicorn waits without end for the rest of a head or a body, and for a client to take its answer. A
    handful of clients that announce more than they send, or read nothing, would hold every thread of the
    site (OWASP Denial of Service Cheat Sheet, "Slow HTTP"). So reading ends at a deadline, and writing at a
    later one: in between, an answer under way is written on.

    And it queues requests without end: with more than the site can do, each waits longer than the one
    before, until nobody gets an answer in time. Here the queue is short. Past it, and after a while in it,
    a request is refused (`sailing.overload`) by the thread that accepts it: to say no must cost next to
    nothing. How the process is, is answered by threads apart, so that a busy one is not taken for a dead
    one; one for each question, as only the answer to one of them may have to wait for the database.
    """

    sender: Any
    """The sender of the outbox, in a process that has one (`gunicorn.conf.py`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ends: dict[Any, tuple[float, float]] = {}
        self.refused: list[str] = []
        self.told = 0.0

    def init_process(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        super().init_process()

    def run(self) -> None:
        """The main thread's work, until the process is told to end."""
        self.requests = Lane(self.tpool, self.cfg.threads + MOST_WAITING, LONGEST_ANSWER)
        self.probes = {
            path: Lane(ThreadPoolExecutor(1, path), 1 + MOST_WAITING, LONGEST_PROBE)
            for path in overload.PROBES
        }
        self.closing = LingeringClose(self.poller, self._count_down)
        super().run()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """gunicorn's handler of SIGTERM. No mail is begun while the last requests are answered."""
        if self.alive and hasattr(self, "sender"):
            self.method_queue.defer(self.sender.stop)  # a handler of signals may wait for no lock
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """gunicorn's handler of SIGINT and SIGQUIT, of which Ctrl+C brings one in the midst of the other.

        gunicorn's own takes a lock, and where both came at once waited for itself until it was killed.
        """
        self.handle_exit(sig, frame)

    def accept(self, listener: Any) -> None:
        """Take new connections. When full, those whose request is there already get no further."""
        for _connection in range(ACCEPTED_AT_ONCE):
            if not self.requests.is_full:
                super().accept(listener)
                return
            try:
                client, address = listener.accept()
            except OSError:  # there is no other, or it has gone
                return
            self.nr_conns += 1
            head = _seen(client)
            if head and not overload.probed(head):
                self._refuse(client, head)
            else:
                self.enqueue_req(TConn(self.cfg, client, address, listener.getsockname()))

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread. gunicorn's main thread calls it, for a new and for a kept one."""
        if not conn.initialized and not conn.data_ready:
            self._await_data(conn)  # else a silent client would hold a thread
            return
        head = _head(conn)
        probes = None if _read_ahead(conn) else self.probes.get(overload.probed(head))
        lane = self.requests if probes is None or probes.is_full else probes
        if lane.is_full:
            self._refuse(conn.sock, head)
            return
        future = lane.pool.submit(self.handle, conn, lane.seconds)
        lane.admitted[future] = (conn, time.monotonic())
        future.add_done_callback(lambda done: self.method_queue.defer(self._finish, lane, conn, done))

    def handle(self, conn: Any, seconds: float = LONGEST_ANSWER) -> Any:
        """Read a request and answer it, in a thread of a lane."""
        begun = time.monotonic()
        self.ends[conn] = (begun + DEADLINE, begun + seconds)
        try:
            return super().handle(conn)
        finally:
            del self.ends[conn]

    def notify(self) -> None:
        """The worker's sign of life, at least once a second from its main thread."""
        super().notify()
        now = time.monotonic()
        self._cut_off(now)
        self._refuse_those_who_waited(now)
        self.closing.end_late()
        if self.refused and now >= self.told + 1:
            logger.warning("overloaded", refused=len(self.refused), request_ids=self.refused)
            self.refused, self.told = [], now

    def _cut_off(self, now: float) -> None:
        for conn, (reading, writing) in self.ends.copy().items():  # the threads change it
            if now >= min(reading, writing):
                with suppress(OSError):  # the client has just gone
                    conn.sock.shutdown(socket.SHUT_RDWR if now >= writing else socket.SHUT_RD)

    def _refuse_those_who_waited(self, now: float) -> None:
        for lane in (self.requests, *self.probes.values()):
            for future, (conn, since) in list(lane.admitted.items()):
                if now - since >= LONGEST_WAIT and future.cancel():  # only one that has not begun
                    del lane.admitted[future]
                    self._refuse(conn.sock, _head(conn))

    def _finish(self, lane: Lane, conn: Any, future: Future[Any]) -> None:
        """What follows an answer, in the main thread."""
        if future.cancelled():  # refused, and at its end
            return
        del lane.admitted[future]
        if future.exception() or future.result():
            self.finish_request(conn, future)
        else:  # gunicorn would wait here for the client
            self.closing.begin(conn.sock)

    def _await_data(self, conn: Any) -> None:
        conn.set_timeout()
        self.pending_conns.append(conn)
        readable = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, readable)

    def _refuse(self, client: socket.socket, head: bytes) -> None:
        request_id = overload.request_id(head)
        self.refused.append(request_id)
        with suppress(OSError):  # nothing has come, or the client has gone
            client.recv(MOST_READ, socket.MSG_DONTWAIT)
        with suppress(OSError):  # the client has gone, or takes nothing
            client.send(overload.refusal(self.wsgi.application, head, request_id), socket.MSG_DONTWAIT)
        if overload.is_whole(head):
            self.closing.close(client)
        else:
            self.closing.begin(client)

    def _count_down(self) -> None:
        self.nr_conns -= 1


def _head(conn: Any) -> bytes:
    """The first bytes of a connection's next request."""
    return _read_ahead(conn) or _seen(conn.sock)


def _read_ahead(conn: Any) -> bytes:
    """What came behind a connection's last request and was read with it."""
    read: bytes = conn.parser.unreader.buf.getvalue() if conn.parser else b""
    return read


def _seen(client: socket.socket) -> bytes:
    """What has come of a request, left where it is; nothing when nothing has."""
    with suppress(OSError):
        return client.recv(overload.HEAD, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    return b""
