"""gunicorn worker: the main thread does all socket I/O, a thread pool runs the application.

A slow client never holds a thread. The time that a client may take, the number of waiting clients and the
number of queued requests are limited (OWASP Denial of Service Cheat Sheet). Past a short queue, load is shed:
a request gets 503 at once (docs/decisions/015).
"""

import os
import resource
import selectors
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from ipaddress import ip_network
from typing import Any

import structlog
from django.conf import settings
from gunicorn.http import errors, get_parser, wsgi
from gunicorn.workers import base
from whitenoise.responders import SlicedFile

from sailing.operations.health import PROBES
from sailing.server import early_responses
from sailing.server.connection import Connection, RefusedRequest

logger = structlog.get_logger(__name__)

HEAD_SECONDS = 5.0
"""For the first byte of a new connection, and from it to the end of the request's head."""

REQUEST_SECONDS = 15.0
"""From the first byte of a request to the last byte of its body."""

RESPONSE_SECONDS = 60.0
"""From the end of a request to the last byte of its response, and again for each `PROGRESS_SIZE` of it."""

PROGRESS_SIZE = 1_048_576
"""Bytes of a long response that a client must read in `RESPONSE_SECONDS`: a slow mobile connection can, and
a client that reads just enough to hold a thread has to receive more than an attack is worth."""

PROBE_SECONDS = 5.0
"""The same for liveness and readiness probes, and for the response to a refused request."""

LINGER_SECONDS = 2.0
"""For the client to close a connection after we have shut down our side."""

STOP_IDLE_SECONDS = 2.0
"""For a request on an idle connection to arrive during a graceful shutdown."""

MAX_QUEUED_REQUESTS = 16
"""In one process: at 5 to 50 ms each, less than half a second of work."""

QUEUE_SECONDS = 3.0
"""For a request in the queue, when a slow database holds all threads for example."""

MAX_WAITING_PER_CLIENT = 256
"""Connections of one client that wait for it to send or read. One more closes the oldest."""

MAX_WAITING = 2048
"""The same for all clients of one process. One more closes the oldest of the client with the most."""

MAX_BUFFERED_SIZE = 33_554_432
"""Bytes of unfinished requests and unsent responses in one process. Past it the largest are dropped."""

MAX_KERNEL_UNSENT_SIZE = 65_536
"""Bytes in a socket's send buffer. By default it grows to megabytes, so that 2,000 clients that do not read
exhaust the kernel's memory for sockets."""

MAX_OPEN_FILES = 8192
MAX_ACCEPTS_IN_A_ROW = 32
"""While load is shed."""

SWEEP_SECONDS = 0.5

SWITCH_INTERVAL_SECONDS = 0.0001
"""A fiftieth of Python's default. The main thread waits for the interpreter lock after each system call, and
threads that compute would make it wait for the default of 5 ms each time."""

ERROR_STATUSES: dict[type[Exception], HTTPStatus] = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
}
"""For requests that gunicorn cannot parse; all other errors are 400."""


class Response(wsgi.Response):
    """gunicorn's response without the `Server` header, and with sendfile for ranges of files."""

    def default_headers(self) -> list[str]:
        return [line for line in super().default_headers() if not line.startswith("Server:")]

    def sendfile(self, body: wsgi.FileWrapper) -> bool:
        """Send WhiteNoise's file for a range, whose descriptor is positioned at the start of the range."""
        if isinstance(body.filelike, SlicedFile):
            body = wsgi.FileWrapper(body.filelike.fileobj)
        is_sent: bool = super().sendfile(body)
        return is_sent


@dataclass
class BoundedPool:
    """Threads with a bounded queue, and the requests that run or wait in it."""

    executor: ThreadPoolExecutor
    max_requests: int
    response_seconds: float
    requests: dict[Future[bool], tuple[Connection, bytes, float]] = field(default_factory=dict)
    """The connection, the request and the time of its arrival."""

    @property
    def is_full(self) -> bool:
        return len(self.requests) >= self.max_requests


class BufferingWorker(base.Worker):
    """Buffers requests and responses, so that a thread never waits for a slow client.

    A connection is in a pool (`BoundedPool.requests`), or waits for its client to send, read or close
    (`waiting`). It is in both while a thread produces a long response.
    """

    def init_process(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_OPEN_FILES)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        super().init_process()

    def run(self) -> None:
        """Serve until the process is told to stop, then shut down gracefully."""
        self.calls: deque[Callable[[], None]] = deque()
        self.open_connections = 0
        self.waiting: dict[str, dict[Connection, None]] = {}
        self.waiting_count = 0
        self.refused_ids: list[str] = []
        self.swept_at = self.logged_at = 0.0
        self.poller = selectors.DefaultSelector()
        threads = self.cfg.threads
        self.main_pool = BoundedPool(
            ThreadPoolExecutor(threads, "request"), threads + MAX_QUEUED_REQUESTS, RESPONSE_SECONDS
        )
        self.probe_pools = {
            path: BoundedPool(ThreadPoolExecutor(1, path), 1 + MAX_QUEUED_REQUESTS, PROBE_SECONDS)
            for path in PROBES
        }
        self.pools = (self.main_pool, *self.probe_pools.values())
        # gunicorn's signal handlers write to the same pipe (`init_signals`).
        self.poller.register(self.PIPE[0], selectors.EVENT_READ, self._run_calls)
        for listener in self.sockets:
            listener.setblocking(False)
            self.poller.register(listener, selectors.EVENT_READ, partial(self._accept, listener))
        while self.alive and self.ppid == os.getppid():
            self._run_once()
        self._stop()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop gracefully on SIGTERM. A signal handler must not take a lock, so it only wakes the loop."""
        self.alive = False
        self._wake()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Stop gracefully on SIGINT and SIGQUIT too. Ctrl+C sends one while the other is being handled."""
        self.handle_exit(sig, frame)

    def _run_once(self) -> None:
        self.notify()
        for key, _events in self.poller.select(SWEEP_SECONDS):
            key.data()
        now = time.monotonic()
        if now >= self.swept_at + SWEEP_SECONDS:
            self.swept_at = now
            self._sweep(now)

    def _stop(self) -> None:
        if background_worker := getattr(self, "background_worker", None):
            background_worker.stop()
        for listener in self.sockets:
            self.poller.unregister(listener)
            while not self.main_pool.is_full and self._accept(listener):
                pass  # clients that connected before the signal
            # gunicorn closes its own descriptor too, so that the next client is refused instead of waiting.
            listener.close()
        now = time.monotonic()
        for connection in self.list_waiting():
            if connection.started_at is None:
                connection.deadline = min(connection.deadline, now + STOP_IDLE_SECONDS)
        while self.open_connections and time.monotonic() < now + self.cfg.graceful_timeout:
            self._run_once()
        for pool in self.pools:
            pool.executor.shutdown(wait=False)
        self.poller.close()

    # --- Events of the main thread ------------------------------------------------------------------

    def call_soon(self, function: Callable[..., None], *args: Any) -> None:
        """Schedule a call on the main thread. Thread-safe."""
        self.calls.append(partial(function, *args))
        self._wake()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # the pipe is full: the loop wakes anyway
            os.write(self.PIPE[1], b".")

    def _run_calls(self) -> None:
        with suppress(BlockingIOError):
            os.read(self.PIPE[0], 4096)
        for _call in range(len(self.calls)):
            self.calls.popleft()()

    def _accept(self, listener: socket.socket) -> bool:
        """Accept one connection and leave the next to another worker, or many while load is shed.

        Return whether more may be waiting.
        """
        for _connection in range(MAX_ACCEPTS_IN_A_ROW):
            try:
                client, address = listener.accept()
            except BlockingIOError:
                return False
            except OSError as error:  # the client is gone, or too many files are open
                logger.warning("accept_failed", error=error.errno)
                self._close_oldest(self._get_largest_group())
                return False
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_KERNEL_UNSENT_SIZE)
            self.open_connections += 1
            connection = Connection(
                client,
                address or ("", 0),
                listener.getsockname(),
                lambda connection: self.call_soon(self._flush, connection),
            )
            connection.deadline = time.monotonic() + HEAD_SECONDS
            self._read(connection)
            if not self.main_pool.is_full:
                break
        return True

    def _sweep(self, now: float) -> None:
        """Enforce the deadlines and the limit on buffered bytes."""
        for connection in [each for each in self.list_waiting() if now >= each.deadline]:
            if connection.is_unfinished:
                self._refuse(connection, bytes(connection.received), HTTPStatus.REQUEST_TIMEOUT)
            else:
                self._drop(connection)
        self._limit_buffered()
        for pool in self.pools:
            for future, (connection, request, since) in list(pool.requests.items()):
                if now - since >= QUEUE_SECONDS and future.cancel():  # a running one is not cancelled
                    del pool.requests[future]
                    self._refuse(connection, request, HTTPStatus.SERVICE_UNAVAILABLE)
                elif now >= connection.deadline:
                    connection.unsent.discard()
        if self.refused_ids and now >= self.logged_at + 1:
            logger.warning("overloaded", refused=len(self.refused_ids), request_ids=self.refused_ids)
            self.refused_ids, self.logged_at = [], now

    # --- From request to response -------------------------------------------------------------------

    def _read(self, connection: Connection) -> None:
        if connection.is_closed:  # by an earlier event of this round
            return
        if not connection.receive():
            self._drop(connection)
        elif connection.is_lingering:
            connection.received.clear()
        else:
            self._take_request(connection)

    def _take_request(self, connection: Connection) -> None:
        """Submit the next request, or wait for the rest of it."""
        now = time.monotonic()
        if connection.started_at is None and connection.received:
            connection.started_at = now
            connection.deadline = now + HEAD_SECONDS
        try:
            request = connection.take_request()
        except RefusedRequest as error:
            self._refuse(connection, bytes(connection.received), error.status)
            return
        if request is not None:
            self._submit(connection, request)
            return
        if connection.is_head_complete and connection.started_at is not None:
            connection.deadline = connection.started_at + REQUEST_SECONDS
        self._wait_for_client(connection, selectors.EVENT_READ)

    def _submit(self, connection: Connection, request: bytes) -> None:
        """Queue a complete request for a thread, or refuse it when the queue is full."""
        self._stop_waiting(connection)
        pool = self.probe_pools.get(early_responses.get_probe(request))
        if pool is None or pool.is_full:
            pool = self.main_pool
        if pool.is_full:
            self._refuse(connection, request, HTTPStatus.SERVICE_UNAVAILABLE)
            return
        now = time.monotonic()
        connection.is_with_thread = True
        connection.deadline = now + pool.response_seconds
        connection.unsent.sent_size = 0
        future = pool.executor.submit(self._respond, connection, request)
        pool.requests[future] = (connection, request, now)
        future.add_done_callback(lambda done: self.call_soon(self._finish, pool, connection, done))

    def _finish(self, pool: BoundedPool, connection: Connection, future: Future[bool]) -> None:
        """Send the response of a thread that is done."""
        if pool.requests.pop(future, None) is None:  # it was refused and cancelled
            return
        connection.is_with_thread = False
        connection.is_answered = True
        connection.is_closing = bool(future.exception()) or not future.result()
        self._flush(connection)

    def _flush(self, connection: Connection) -> None:
        """Send as much as the socket takes, then wait for the client to read."""
        if connection.is_closed:
            return
        try:
            is_sent = connection.unsent.flush_to(connection.socket)
        except OSError:
            self._drop(connection)
            return
        if connection.unsent.sent_size >= PROGRESS_SIZE:
            connection.unsent.sent_size = 0
            connection.deadline = time.monotonic() + RESPONSE_SECONDS
        if not is_sent:
            self._wait_for_client(connection, selectors.EVENT_WRITE)
            return
        self._stop_waiting(connection)
        if not connection.is_answered:
            return
        if connection.is_closing:
            self._close_gracefully(connection)
            return
        connection.is_answered = False
        connection.started_at = None
        idle_seconds = self.cfg.keepalive if self.alive else STOP_IDLE_SECONDS
        connection.deadline = time.monotonic() + idle_seconds
        self._take_request(connection)

    def _close_gracefully(self, connection: Connection) -> None:
        """Shut down our side and discard what the client still sends (RFC 9112 section 9.6).

        Closing a socket with unread bytes resets it, and a reset may overtake the response.
        """
        if connection.has_no_more_input:
            self._drop(connection)
            return
        try:
            connection.socket.shutdown(socket.SHUT_WR)
        except OSError:  # the client is gone
            self._drop(connection)
            return
        connection.is_lingering = True
        connection.received.clear()
        connection.deadline = time.monotonic() + LINGER_SECONDS
        self._wait_for_client(connection, selectors.EVENT_READ)

    def _refuse(self, connection: Connection, head: bytes, status: HTTPStatus) -> None:
        """Answer without a thread and close the connection. `head` is what has arrived of the request."""
        self._stop_waiting(connection)
        request_id = early_responses.get_request_id(head)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            connection.has_no_more_input = not connection.received
            self.refused_ids.append(request_id)  # a log line for each costs more than the response
        else:
            request = early_responses.describe_request(head)
            logger.info("request_refused", code=status, request=request, request_id=request_id)
        connection.unsent.sendall(
            early_responses.build_response(self.wsgi.application, head, status, request_id)
        )
        connection.is_with_thread = False
        connection.is_answered = connection.is_closing = True
        connection.deadline = time.monotonic() + PROBE_SECONDS
        self._flush(connection)

    # --- In a thread ------------------------------------------------------------------------------

    def _respond(self, connection: Connection, request: bytes) -> bool:
        """Run the application for a request; return whether the connection stays open for another one."""
        try:
            return self._run_application(connection, request)
        except BrokenPipeError:
            return False
        except (errors.ParseException, errors.NoMoreData, StopIteration) as error:
            status = ERROR_STATUSES.get(type(error), HTTPStatus.BAD_REQUEST)
            kind = type(error).__name__
        except Exception:
            logger.exception("application_failed")
            status, kind = HTTPStatus.INTERNAL_SERVER_ERROR, ""
        request_id = early_responses.get_request_id(request)
        logger.info(
            "request_refused",
            code=status,
            kind=kind,
            request=early_responses.describe_request(request),
            request_id=request_id,
        )
        with suppress(BrokenPipeError):
            connection.unsent.sendall(
                early_responses.build_response(self.wsgi.application, request, status, request_id)
            )
        return False

    def _run_application(self, connection: Connection, request: bytes) -> bool:
        parsed = next(get_parser(self.cfg, iter([request]), connection.client))
        names = [name for name, _value in parsed.headers]
        if parsed.version >= (1, 1) and "HOST" not in names:  # RFC 9112 section 3.2
            raise errors.InvalidHeader("HOST")
        response, environ = wsgi.create(
            parsed, connection.unsent, connection.client, connection.server, self.cfg, Response
        )
        environ["wsgi.multithread"] = True
        self.nr += 1
        if self.nr >= self.max_requests and self.alive:
            self.alive = False
            self._wake()
        if not self.alive or not self.cfg.keepalive:
            response.force_close()
        body: Iterable[bytes] = self.wsgi(environ, response.start_response)
        try:
            if isinstance(body, environ["wsgi.file_wrapper"]):
                response.write_file(body)
            else:
                for part in body:
                    response.write(part)
            response.close()
        except Exception:
            if not response.headers_sent:
                raise
            logger.exception("application_failed")  # the response ends early
            return False
        finally:
            if hasattr(body, "close"):
                body.close()
        return not response.should_close()

    # --- Waiting connections ------------------------------------------------------------------------

    def _wait_for_client(self, connection: Connection, events: int) -> None:
        if not connection.events:
            self.waiting.setdefault(self._get_client(connection), {})[connection] = None
            self.waiting_count += 1
        if connection.events != events:
            callback = partial(self._read if events == selectors.EVENT_READ else self._flush, connection)
            change = self.poller.modify if connection.events else self.poller.register
            change(connection.socket, events, callback)
            connection.events = events
        self._limit_waiting(connection)

    def _stop_waiting(self, connection: Connection) -> None:
        if not connection.events:
            return
        connection.events = 0
        self.poller.unregister(connection.socket)
        client = self._get_client(connection)
        self.waiting[client].pop(connection)
        self.waiting_count -= 1
        if not self.waiting[client]:
            del self.waiting[client]

    def _limit_waiting(self, connection: Connection) -> None:
        group = self.waiting[self._get_client(connection)]
        if len(group) > MAX_WAITING_PER_CLIENT and not settings.TRUSTED_PROXY_COUNT:
            self._close_oldest(group)
        elif self.waiting_count > MAX_WAITING:
            self._close_oldest(self._get_largest_group())

    def _limit_buffered(self) -> None:
        """Close the connections with the most buffered bytes while the limit is exceeded."""
        sizes = {each: len(each.received) + each.unsent.size for each in self.list_waiting()}
        excess = sum(sizes.values()) - MAX_BUFFERED_SIZE
        for connection in sorted(sizes, key=sizes.__getitem__, reverse=True):
            if excess <= 0:
                break
            excess -= sizes[connection]
            self._drop(connection)

    def _get_largest_group(self) -> dict[Connection, None]:
        return max(self.waiting.values(), key=len, default={})

    def _close_oldest(self, group: dict[Connection, None]) -> None:
        if oldest := next(iter(group), None):
            self._drop(oldest)

    def list_waiting(self) -> list[Connection]:
        return [connection for group in self.waiting.values() for connection in group]

    def _get_client(self, connection: Connection) -> str:
        """Return the key that a client's connections are counted by. Behind a proxy all have the same."""
        if settings.TRUSTED_PROXY_COUNT:
            return ""
        address = connection.client[0]
        return str(ip_network((address, 64), strict=False)) if ":" in address else address

    def _drop(self, connection: Connection) -> None:
        self._stop_waiting(connection)
        connection.close()
        self.open_connections -= 1
