"""gunicorn's thread worker, with requests received by the main thread and a bounded queue.

A thread gets a request once all of it has arrived, so a client that sends slowly holds none. Past a short
queue, a request gets 503 at once (OWASP Denial of Service Cheat Sheet; docs/decisions/015).

The main thread only collects bytes in the buffer of gunicorn's parser, and guesses when they are a request.
The parser reads it in the thread: a wrong guess costs time, never the framing. gunicorn documents no hooks
for this: most methods that are overridden here are its own; `tests/test_worker.py` fails when they change.
"""

import os
import re
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from operator import attrgetter
from typing import Any

import structlog
from gunicorn import http
from gunicorn.http import errors, wsgi
from gunicorn.workers.gthread import TConn, ThreadWorker

from sailing.operations import redaction
from sailing.operations.health import PROBES
from sailing.web.early_responses import build_response

logger = structlog.get_logger(__name__)

HEAD_SECONDS = 5.0  # for the head of a request, from the connection or from its first byte on one kept alive
REQUEST_SECONDS = 15.0  # the same for the whole request, and one more for each MIN_BYTES_PER_SECOND received
MIN_BYTES_PER_SECOND = 100_000
QUEUE_SECONDS = 3.0  # in the queue, when a slow database holds all threads for example
RESPONSE_SECONDS = 30.0  # to produce a response and send it, and to send each part of a download
DOWNLOAD_SECONDS = 600.0  # to send a whole response of Django admin, which has files to download
LINGER_SECONDS = 2.0  # for the client to close a connection after we have shut down our side
SWEEP_SECONDS = 0.5  # between two checks of the deadlines

MAX_QUEUED_REQUESTS = 16
"""In one process: at 5 to 50 ms each, less than half a second of work."""

MAX_HEAD_SIZE = 32_768
MAX_BODY_SIZE = 10_500_000
"""Bytes. The largest body that the site accepts is a form of Django admin with a file of 10 MB."""

MAX_BUFFERED_SIZE = 33_554_432
"""Bytes of unfinished requests in one process. Past it the connections with the most are closed."""

READ_SIZE = 65_536
MAX_ACCEPTS_IN_A_ROW = 32  # while load is shed

ERROR_STATUSES: dict[type[Exception], int] = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
}
"""For errors of gunicorn's parser; all others of its kind are 400."""

_PROBE = re.compile(rb"(?:GET|HEAD) (%s)[ ?]" % "|".join(PROBES).encode())
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*0*([0-9]{1,15})(?=[ \t]*\r\n)", re.IGNORECASE)
_EXPECT_CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class RefusedRequest(Exception):
    """A request that gunicorn would serve and the site does not. Its argument is the status."""


class Response(wsgi.Response):
    """gunicorn's response without the `Server` header."""

    def default_headers(self) -> list[str]:
        return [line for line in super().default_headers() if not line.startswith("Server:")]


class BoundedPool(ThreadPoolExecutor):
    """Threads with a bounded queue, and the requests that run or wait in it."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.max_requests = threads + MAX_QUEUED_REQUESTS
        self.requests: set[TConn] = set()


class BufferingWorker(ThreadWorker):
    """Receives each request completely before a thread gets it.

    A connection is in a pool, or in one of gunicorn's collections: `keepalived_conns` between two requests,
    `pending_conns` while the main thread waits for more of a request or for the client to close.
    """

    sockets: list[Any]
    pending_conns: deque[TConn]
    keepalived_conns: deque[TConn]

    def init_process(self) -> None:
        wsgi.Response = Response
        self.probe_pools = {path.encode(): BoundedPool(1) for path in PROBES}
        self.refused_ids: list[str] = []
        self.swept_at = 0.0
        self.max_keepalived = self.worker_connections // 2  # idle ones leave room for others
        super().init_process()

    def get_thread_pool(self) -> BoundedPool:
        return BoundedPool(self.cfg.threads)

    @property
    def pools(self) -> list[BoundedPool]:
        return [self.tpool, *self.probe_pools.values()]

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Stop gracefully on SIGINT and SIGQUIT too. Ctrl+C sends one while the other is being handled."""
        self.handle_exit(sig, frame)

    def set_accept_enabled(self, enabled: bool) -> None:
        """When the worker stops, answer who has connected, and refuse others, who would wait for its end."""
        super().set_accept_enabled(enabled)
        if self.alive and self.is_parent_alive():
            return
        for listener in self.sockets:
            # A worker that is replaced after `max_requests` leaves them to the others.
            left = self.cfg.backlog if self.nr < self.max_requests else 0
            while left and self.nr_conns < self.worker_connections and self._accept_one(listener):
                left -= 1
            listener.close()
        self.sockets = []
        if background_worker := getattr(self, "background_worker", None):
            background_worker.stop()

    # --- The main thread: from a connection to a complete request -----------------------------------

    def accept(self, listener: Any) -> None:
        """Accept one connection and leave the next to another worker, or many while load is shed."""
        for _connection in range(MAX_ACCEPTS_IN_A_ROW):
            if not self._accept_one(listener) or len(self.tpool.requests) < self.tpool.max_requests:
                return

    def _accept_one(self, listener: Any) -> bool:
        try:
            sock, address = listener.accept()
        except OSError:  # none is left, or the client is gone
            return False
        self.nr_conns += 1
        self.enqueue_req(TConn(self.cfg, sock, address, listener.getsockname()))
        return True

    def enqueue_req(self, conn: TConn) -> None:
        """Receive a request, the first of a connection or the next one, then queue it for a thread."""
        if conn.parser is None:
            conn.parser = http.get_parser(self.cfg, conn.sock, conn.client)
            conn.data_ready = True
        conn.sock.setblocking(False)
        conn.started = time.monotonic()
        conn.timeout = conn.started + HEAD_SECONDS
        conn.expected_size = None
        self._receive(conn)

    def _receive(self, conn: TConn) -> None:
        buffer = conn.parser.unreader.buf
        while not self._is_complete(conn):
            try:
                data = conn.sock.recv(READ_SIZE)
            except BlockingIOError:
                self._wait(conn, self._receive)
                return
            except OSError:
                data = b""
            if not data:
                self._drop(conn)
                return
            if conn.expected_size is None and buffer.tell() > MAX_HEAD_SIZE:
                self._refuse(conn, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                self._close(conn)
                return
            buffer.write(data)
        self._submit(conn)

    def _is_complete(self, conn: TConn) -> bool:
        """Guess whether a whole request has arrived."""
        buffer = conn.parser.unreader.buf
        size: int = buffer.seek(0, os.SEEK_END)
        if conn.expected_size is None:
            end = buffer.getvalue().find(b"\r\n\r\n") + 4
            if end < 4:
                return False
            head = buffer.getvalue()[:end]
            found = _CONTENT_LENGTH.findall(head)
            length = int(found[0]) if len(found) == 1 else 0
            conn.expected_size = end + (length if length <= MAX_BODY_SIZE else 0)
            if size < conn.expected_size and _EXPECT_CONTINUE.search(head):
                with suppress(OSError):
                    conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        conn.timeout = conn.started + REQUEST_SECONDS + size / MIN_BYTES_PER_SECOND
        return bool(size >= conn.expected_size)

    def _submit(self, conn: TConn) -> None:
        """Queue a request, or refuse it when the queue is full. Each probe has a thread of its own."""
        probe = _PROBE.match(conn.parser.unreader.buf.getvalue())
        pool = self.probe_pools[probe[1]] if probe else self.tpool
        if len(pool.requests) >= pool.max_requests:
            self._refuse(conn, HTTPStatus.SERVICE_UNAVAILABLE)
            self._drop(conn)  # waiting for the client would cost more than the response
            return
        conn.queued_until = time.monotonic() + QUEUE_SECONDS
        conn.timeout = conn.queued_until + RESPONSE_SECONDS
        pool.requests.add(conn)
        conn.future = pool.submit(self.handle, conn)
        conn.future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def _refuse(self, conn: TConn, status: HTTPStatus) -> None:
        """Send an error. No request, however strange, may end the main thread."""
        data = conn.parser.unreader.buf.getvalue()
        request = None
        with suppress(Exception):  # of gunicorn's parser
            request = next(http.get_parser(self.cfg, iter([data]), conn.client))
        response, request_id = build_response(self.wsgi.application, _describe(request), status)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            self.refused_ids.append(request_id)  # a log line for each costs more than the response
        else:
            logger.info("request_refused", code=status, request_id=request_id)
        with suppress(OSError):
            conn.sock.send(response)

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        for pool in self.pools:
            pool.requests.discard(conn)
        if fs.cancelled() or not fs.result():
            self._close(conn)
        else:
            super().finish_request(conn, fs)  # it keeps the connection alive

    # --- The main thread: waiting for clients -------------------------------------------------------

    def _wait(self, conn: TConn, callback: Callable[[TConn], None]) -> None:
        """Call back when the client has sent more, or close the connection at its `timeout`."""
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._resume, conn, callback))

    def _resume(self, conn: TConn, callback: Callable[[TConn], None], sock: socket.socket) -> None:
        self.poller.unregister(sock)
        self.pending_conns.remove(conn)
        callback(conn)

    def _close(self, conn: TConn) -> None:
        """Shut down our side, and discard what the client still sends (RFC 9112 section 9.6).

        Closing a socket with unread bytes resets it, and a reset may overtake the response.
        """
        conn.timeout = time.monotonic() + LINGER_SECONDS
        conn.parser.unreader.take_buffered()  # a pool may keep a cancelled request for long
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:  # the client is gone
            self._drop(conn)
        else:
            self._wait(conn, self._discard)

    def _discard(self, conn: TConn) -> None:
        data = b""
        with suppress(OSError):
            data = conn.sock.recv(READ_SIZE)
        if data:
            self._wait(conn, self._discard)
        else:
            self._drop(conn)

    def _drop(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Enforce the deadlines and the limit on buffered bytes, after a round of gunicorn's main loop."""
        now = time.monotonic()
        if now < self.swept_at + SWEEP_SECONDS:
            return
        self.swept_at = now
        self._limit_buffered()
        self.pending_conns = deque(sorted(self.pending_conns, key=attrgetter("timeout")))
        super().murder_pending()
        for pool in self.pools:
            for conn in list(pool.requests):
                is_late = now >= conn.queued_until and not conn.future.cancelled()
                if is_late and conn.future.cancel():  # a running one is not cancelled
                    self._refuse(conn, HTTPStatus.SERVICE_UNAVAILABLE)
                elif now >= conn.timeout:
                    with suppress(OSError):
                        conn.sock.shutdown(socket.SHUT_RDWR)  # its thread gets an error
        if self.refused_ids:
            logger.warning("overloaded", refused=len(self.refused_ids), request_ids=self.refused_ids)
            self.refused_ids = []

    def _limit_buffered(self) -> None:
        sizes = {conn: conn.parser.unreader.buf.getbuffer().nbytes for conn in self.pending_conns}
        excess = sum(sizes.values()) - MAX_BUFFERED_SIZE
        for conn in sorted(sizes, key=sizes.__getitem__, reverse=True):
            if excess <= 0:
                break
            excess -= sizes[conn]
            conn.timeout = 0.0

    # --- A thread: from a request to its response ---------------------------------------------------

    def handle_request(self, req: http.Request, conn: TConn) -> bool:
        req._expected_100_continue = False  # `_is_complete` has answered it
        if req.version >= (1, 1) and all(name != "HOST" for name, _value in req.headers):
            raise errors.InvalidHeader("HOST")  # RFC 9112 section 3.2
        length = getattr(req.body.reader, "length", None)
        if length is None:  # chunked, which Django does not read
            raise RefusedRequest(HTTPStatus.LENGTH_REQUIRED)
        if length > MAX_BODY_SIZE:
            raise RefusedRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        conn.sock.settimeout(RESPONSE_SECONDS)
        if req.path in PROBES:  # its thread waits for no client: one small response fits into any buffer
            req.force_close()
        seconds = DOWNLOAD_SECONDS if req.path.startswith("/admin/") else RESPONSE_SECONDS
        conn.timeout = time.monotonic() + seconds
        try:
            return bool(super().handle_request(req, conn))
        except TimeoutError:  # the client reads too slowly
            return False

    def handle_error(self, req: http.Request | None, client: Any, addr: Any, exc: Exception) -> None:
        """Send the site's error page."""
        if isinstance(exc, RefusedRequest):
            status = exc.args[0]
        else:
            default = 400 if isinstance(exc, errors.ParseException) else 500
            status = ERROR_STATUSES.get(type(exc), default)
        response, request_id = build_response(self.wsgi.application, _describe(req), status)
        line = redaction.redact(f"{req.method} {req.path}") if req else ""
        details = {"code": status, "kind": type(exc).__name__, "request": line, "request_id": request_id}
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            logger.error("application_failed", exc_info=exc, **details)
        else:
            logger.info("request_refused", **details)
        with suppress(OSError):
            client.sendall(response)


def _describe(req: http.Request | None) -> dict[str, Any] | None:
    """Return the part of the WSGI environment on which an early response depends."""
    if req is None:
        return None
    headers = {f"HTTP_{name.replace('-', '_')}": value for name, value in req.headers}
    return {**headers, "REQUEST_METHOD": req.method, "PATH_INFO": req.path, "QUERY_STRING": req.query}
