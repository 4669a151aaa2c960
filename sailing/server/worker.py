"""gunicorn's thread worker, which gives a request to a thread once it has arrived (docs/decisions/015).

The main thread peeks at what has arrived and guesses when it is a request; gunicorn's parser reads it in the
thread. A wrong guess costs time, never the framing. A test fails when gunicorn changes these methods.
"""

import io
import re
import selectors
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

import structlog
from gunicorn import http
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker

from sailing import redaction
from sailing.web.early_responses import EarlyResponses
from sailing.web.health import PROBES

logger = structlog.get_logger(__name__)

HEAD_SECONDS = 5.0  # for the head of a request, from the connection or from its first byte on one kept alive
REQUEST_SECONDS = 15.0  # the same for the whole request
QUEUE_SECONDS = 3.0  # in the queue, when a slow database holds all threads for example
UPLOAD_QUEUE_SECONDS = 15.0  # in the queue for the thread of large requests; a router gives up after 30
RESPONSE_SECONDS = 30.0  # to produce a response and send it; also to receive a large request
DOWNLOAD_SECONDS = 600.0  # the same in Django admin, which has files to download
SWEEP_SECONDS = 0.5  # between two checks of the deadlines

MAX_QUEUED_REQUESTS = 16  # in one process: at 5 to 50 ms each, less than half a second of work
MAX_HEAD_SIZE = 32_768  # bytes
MAX_BODY_SIZE = 10_500_000  # bytes; Django admin has a form with a file of 10 MB
PEEK_SIZE = 65_536  # Linux ignores a higher SO_RCVLOWAT; a thread of its own reads larger requests

_PROBE = re.compile(rb"(?:GET|HEAD) (?:%s)[ ?]" % "|".join(PROBES).encode())
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*0*([0-9]{1,15})[ \t]*(?=\r\n)", re.IGNORECASE)


class BodyRefused(errors.ParseException):
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Pool(ThreadPoolExecutor):
    """Threads, and the connections whose requests they serve or that wait for one."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.max_requests = threads + MAX_QUEUED_REQUESTS
        self.conns: set[TConn] = set()


class WholeRequestWorker(ThreadWorker):
    """Waits for whole requests. A connection is in a pool, in `waiting`, or kept alive by gunicorn."""

    tpool: Pool
    background_worker: Any = None  # set by gunicorn.conf.py

    handle_quit = ThreadWorker.handle_exit  # Ctrl+C sends SIGINT and SIGQUIT: stop as after SIGTERM

    def get_thread_pool(self) -> Pool:
        self.upload_pool, self.probe_pool = Pool(1), Pool(1)
        return Pool(self.cfg.threads)

    def run(self) -> None:
        self.early_responses = EarlyResponses()
        self.waiting: set[TConn] = set()
        self.swept_at = 0.0
        self.max_keepalived = self.worker_connections // 2  # idle ones leave room for others
        super().run()

    def set_accept_enabled(self, enabled: bool) -> None:
        """When the worker stops, answer who has connected, and refuse others, who would wait for its end."""
        super().set_accept_enabled(enabled)
        if enabled or self.alive:
            return
        for listener in self.sockets:
            for _connection in range(self.cfg.backlog):
                self.accept(listener)
            listener.close()
        if self.background_worker:
            self.background_worker.stop()

    # --- The main thread: from a connection to a whole request ---------------------------------------

    def enqueue_req(self, conn: TConn) -> None:
        """Await a request, the first of a connection or the next one, and queue it for a thread."""
        conn.data_ready = True
        conn.sock.setblocking(False)
        conn.started = time.monotonic()
        conn.timeout = conn.started + HEAD_SECONDS
        self._peek(conn)

    def _peek(self, conn: TConn, awaited: int = 1) -> None:
        """Queue a request that has arrived, or wait for more. `awaited` bytes should have arrived by now."""
        data = conn.parser.unreader.buf.getvalue() if conn.parser else b""
        arrived, is_open = 0, True
        try:
            peeked = conn.sock.recv(PEEK_SIZE, socket.MSG_PEEK)
            data, arrived, is_open = data + peeked, len(peeked), len(peeked) >= awaited
        except BlockingIOError:
            pass
        except OSError:
            is_open = False
        conn.head, end, body = data.partition(b"\r\n\r\n")
        conn.head += b"\r\n"
        lengths = _CONTENT_LENGTH.findall(conn.head)
        missing = int(lengths[0]) - len(body) if len(lengths) == 1 else 0
        if not end and not is_open:
            self._drop(conn)
        elif not end and len(data) > MAX_HEAD_SIZE:
            self._refuse(conn, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif not end:
            self._wait(conn, arrived + 1)
        elif missing <= 0 or missing > MAX_BODY_SIZE:
            self._submit(conn, self.probe_pool if _PROBE.match(conn.head) else self.tpool)
        elif arrived + missing > PEEK_SIZE or not is_open:
            self._submit(conn, self.upload_pool)
        else:
            conn.timeout = conn.started + REQUEST_SECONDS
            self._wait(conn, arrived + missing)

    def _wait(self, conn: TConn, size: int) -> None:
        """Wait until so many bytes have arrived or the client is gone, and until `timeout` at most."""
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)
        self.waiting.add(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._resume, conn, size))

    def _resume(self, conn: TConn, size: int, _sock: Any) -> None:
        self._stop_waiting(conn)
        self._peek(conn, size)

    def _stop_waiting(self, conn: TConn) -> None:
        self.poller.unregister(conn.sock)
        self.waiting.remove(conn)

    def _submit(self, conn: TConn, pool: Pool) -> None:
        if len(pool.conns) >= pool.max_requests:
            self._refuse(conn, HTTPStatus.SERVICE_UNAVAILABLE)
            return
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        is_upload = pool is self.upload_pool
        conn.timeout = time.monotonic() + (UPLOAD_QUEUE_SECONDS if is_upload else QUEUE_SECONDS)
        pool.conns.add(conn)
        conn.future = pool.submit(self.handle, conn)
        conn.future.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        for pool in (self.tpool, self.upload_pool, self.probe_pool):
            pool.conns.discard(conn)
        if fs.cancelled():
            self._refuse(conn, HTTPStatus.SERVICE_UNAVAILABLE)
        elif fs.exception() or not fs.result():
            self._drop(conn)  # gunicorn would wait for the client here, in the main thread
        else:
            super().finish_request(conn, fs)  # it keeps the connection alive

    def murder_pending(self) -> None:
        now = time.monotonic()
        if now < self.swept_at + SWEEP_SECONDS:
            return
        self.swept_at = now
        for conn in [each for each in self.waiting if now >= each.timeout]:
            self._stop_waiting(conn)
            self._drop(conn)
        for pool in (self.tpool, self.upload_pool, self.probe_pool):
            for conn in [each for each in pool.conns if now >= each.timeout and not each.future.cancel()]:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)  # its thread gets an error

    def _refuse(self, conn: TConn, status: HTTPStatus) -> None:
        request = None
        with suppress(Exception):  # no request, however strange, may end the main thread
            request = next(http.get_parser(self.cfg, iter([conn.head + b"\r\n"]), conn.client))
        self._send_error(conn.sock, request, status)
        self._drop(conn)

    def _drop(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()

    # --- A thread: from a request to its response ----------------------------------------------------

    def handle(self, conn: TConn) -> bool:
        conn.timeout = time.monotonic() + RESPONSE_SECONDS
        return bool(super().handle(conn))

    def handle_request(self, req: http.Request, conn: TConn) -> bool:
        names = {name for name, _value in req.headers}
        if req.version >= (1, 1) and "HOST" not in names:
            raise errors.InvalidHeader("HOST")  # RFC 9112 section 3.2
        length = getattr(req.body.reader, "length", None)
        if length is None:  # Django reads no chunks
            raise BodyRefused(HTTPStatus.LENGTH_REQUIRED)
        if length > MAX_BODY_SIZE:
            raise BodyRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if req.path.startswith("/admin/") and not length:
            conn.timeout = time.monotonic() + DOWNLOAD_SECONDS
            conn.sock.settimeout(RESPONSE_SECONDS)  # for each part
        if "EXPECT" not in names:  # gunicorn invites such a body when the application starts
            body = req.body.read()
            if len(body) < length:  # the client is gone, and Django would take the part for the whole
                raise errors.NoMoreData
            req.body = io.BytesIO(body)
        try:
            return bool(super().handle_request(req, conn))
        except TimeoutError:  # gunicorn would log it as an error
            return False

    def handle_error(self, req: http.Request | None, client: Any, addr: Any, exc: Exception) -> None:
        default = HTTPStatus.BAD_REQUEST if isinstance(exc, errors.ParseException) else 500
        self._send_error(client, req, getattr(exc, "status", default), exc)

    def _send_error(
        self, sock: Any, request: http.Request | None, status: int, error: Exception | None = None
    ) -> None:
        method, path, headers = "", "", {}
        if request:
            method, path, headers = request.method, request.path, dict(request.headers)
        response, request_id = self.early_responses.build(status, method, path, headers)
        details = {"code": status, "request": redaction.redact(f"{method} {path}"), "request_id": request_id}
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            logger.error("application_failed", exc_info=error, **details)
        else:
            logger.info("request_refused", kind=type(error).__name__, **details)
        sock.setblocking(False)
        with suppress(OSError):
            sock.recv(PEEK_SIZE)  # closing with unread bytes would reset the connection
        with suppress(OSError):
            sock.sendall(response)
