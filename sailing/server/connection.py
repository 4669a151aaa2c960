"""Connections with buffers for incoming requests and outgoing responses.

Only the main thread of a worker uses the socket. A thread gets a complete request and writes its response
into a buffer, so that a slow client never holds it (OWASP Denial of Service Cheat Sheet, "Slow HTTP").
"""

import errno
import os
import re
import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice, takewhile
from typing import BinaryIO

READ_SIZE = 65_536
"""Bytes per read from a socket or a file."""

MAX_HEAD_SIZE = 32_768
"""Bytes of the request line and the headers."""

MAX_BODY_SIZE = 3_000_000
"""Bytes. The largest body that the site accepts is the plain form of an import with a file of 2.5 MB."""

MAX_UNSENT_SIZE = 262_144
"""Bytes of a streamed response in memory. Past it, the thread waits for the client to read."""

_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length(?![\w-])([^\r\n]*)", re.IGNORECASE)
_LENGTH = re.compile(rb":[ \t]*([0-9]{1,15})[ \t]*")
_TRANSFER_ENCODING = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
_EXPECT_CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class RefusedRequest(Exception):
    """A request that is refused before it reaches the application; `status` is the response's."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


@dataclass
class FilePart:
    """The unsent part of a file. It owns the descriptor."""

    descriptor: int
    offset: int
    count: int


class UnsentResponse:
    """The buffer between a thread, which writes a response, and the main thread, which sends it.

    gunicorn's Response writes to it as to a socket. A thread that has to wait for space calls
    `request_flush`.
    """

    def __init__(self, request_flush: Callable[[], None]) -> None:
        self.size = 0
        self.sent_size = 0
        """Bytes that the socket took since the worker last reset this number."""
        self._request_flush = request_flush
        self._parts: deque[memoryview | FilePart] = deque()
        self._changed = threading.Condition()
        self._is_discarded = False

    def sendall(self, data: bytes) -> None:
        """Add bytes, after waiting for space. Raises BrokenPipeError when the client is gone."""
        with self._changed:
            if self.size >= MAX_UNSENT_SIZE:  # once: each flush notifies this thread
                self._request_flush()
            while self.size >= MAX_UNSENT_SIZE and not self._is_discarded:
                self._changed.wait()
            self._add(memoryview(data))
            self.size += len(data)

    def sendfile(self, file: BinaryIO, offset: int = 0, count: int = 0) -> None:
        """Add a part of a file: its bytes if it is small, else its descriptor. Raises BrokenPipeError."""
        if count <= READ_SIZE:
            self.sendall(os.pread(file.fileno(), count, offset))
            return
        with self._changed:
            self._add(FilePart(os.dup(file.fileno()), offset, count))

    def send(self, data: bytes) -> int:
        """Ignore gunicorn's `100 Continue`: the body has arrived already."""
        return len(data)

    def flush_to(self, sock: socket.socket) -> bool:
        """Send what the socket takes without blocking; return whether all is sent. Raises OSError."""
        with self._changed:
            if self._is_discarded:
                raise BrokenPipeError(errno.EPIPE, "The response was discarded.")
            try:
                while self._parts:
                    self._send_some(sock)
            except BlockingIOError:
                return False
            finally:
                self._changed.notify()
            return True

    def discard(self) -> None:
        """Drop the unsent parts, and raise BrokenPipeError for all later ones."""
        with self._changed:
            self._is_discarded = True
            for part in self._parts:
                if isinstance(part, FilePart):
                    os.close(part.descriptor)
            self._parts.clear()
            self.size = 0
            self._changed.notify()

    def _add(self, part: memoryview | FilePart) -> None:
        if self._is_discarded:
            if isinstance(part, FilePart):
                os.close(part.descriptor)
            raise BrokenPipeError(errno.EPIPE, "The client is gone.")
        self._parts.append(part)

    def _send_some(self, sock: socket.socket) -> None:
        part = self._parts[0]
        if isinstance(part, FilePart):
            sent = os.sendfile(sock.fileno(), part.descriptor, part.offset, part.count)
            self.sent_size += sent
            part.offset += sent
            part.count -= sent
            if not part.count or not sent:  # 0 bytes: the file has been truncated
                os.close(part.descriptor)
                self._parts.popleft()
            return
        texts = takewhile(lambda item: isinstance(item, memoryview), islice(self._parts, 64))
        sent = sock.sendmsg(list(texts))  # type: ignore[arg-type]
        self.size -= sent
        self.sent_size += sent
        while self._parts and isinstance(text := self._parts[0], memoryview) and sent >= len(text):
            sent -= len(text)
            self._parts.popleft()
        if sent:
            self._parts[0] = self._parts[0][sent:]  # type: ignore[index]


class Connection:
    """A client's socket with its buffers. `client` and `server` are their addresses."""

    def __init__(
        self,
        sock: socket.socket,
        client: tuple[str, int],
        server: tuple[str, int],
        request_flush: Callable[["Connection"], None],
    ) -> None:
        self.socket = sock
        self.client = client
        self.server = server
        self.unsent = UnsentResponse(lambda: request_flush(self))
        self.received = bytearray()
        """Bytes of the next request, and of pipelined ones after it."""
        self.is_head_complete = False
        self.is_with_thread = False
        self.is_answered = False
        """The response is complete, but perhaps not yet sent."""
        self.is_closing = False
        """Close after this response."""
        self.has_no_more_input = False
        """A complete request was refused and nothing follows it, so closing causes no reset."""
        self.is_lingering = False
        """Our side is shut down, and what the client still sends is discarded."""
        self.is_closed = False
        self.started_at: float | None = None
        """Arrival of the first byte of the next request; None for an idle connection."""
        self.deadline = 0.0
        """Until when the main thread waits for the client, in seconds of the monotonic clock."""
        self.events = 0
        """The selector's events: EVENT_READ, EVENT_WRITE, or 0 when not registered."""
        self._searched = 0
        self._size = 0

    @property
    def is_unfinished(self) -> bool:
        """Whether a part of an unanswered request has arrived."""
        return self.started_at is not None and not self.is_with_thread and not self.is_answered

    def receive(self) -> bool:
        """Read what has arrived; return False when the client has closed its side."""
        try:
            data = self.socket.recv(READ_SIZE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += data
        return bool(data)

    def take_request(self) -> bytes | None:
        """Return the next request once it is complete, else None.

        Raises RefusedRequest for a request that is too large, and for a body without a Content-Length, whose
        end only a parser could find.
        """
        if not self.is_head_complete and not self._find_head():
            return None
        if len(self.received) < self._size:
            return None
        request = bytes(memoryview(self.received)[: self._size])
        del self.received[: self._size]
        self._searched = self._size = 0
        self.is_head_complete = False
        return request

    def _find_head(self) -> bool:
        if not self._searched and self.received.startswith(b"\r\n"):
            self.received = self.received.lstrip(b"\r\n")  # RFC 9112 section 2.2
        end = self.received.find(b"\r\n\r\n", self._searched) + 4
        if end < 4:
            self._searched = max(0, len(self.received) - 3)
            end = len(self.received) + 4
        if end > MAX_HEAD_SIZE + 4:
            raise RefusedRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if end > len(self.received):
            return False
        head = bytes(memoryview(self.received)[:end])
        if _TRANSFER_ENCODING.search(head):
            raise RefusedRequest(HTTPStatus.LENGTH_REQUIRED)
        # If the parser read another length, a body would be taken for the next request: request smuggling
        # (RFC 9112 section 6.3).
        found = _CONTENT_LENGTH.findall(head) or [b":0"]
        length = _LENGTH.fullmatch(found[0])
        if len(found) > 1 or not length:
            raise RefusedRequest(HTTPStatus.BAD_REQUEST)
        body_size = int(length[1])
        if body_size > MAX_BODY_SIZE:
            raise RefusedRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self.is_head_complete = True
        self._size = end + body_size
        if len(self.received) < self._size and _EXPECT_CONTINUE.search(head):
            with suppress(OSError):
                self.socket.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def close(self) -> None:
        """Close the socket and end a thread that writes to it."""
        self.is_closed = True
        self.unsent.discard()
        with suppress(OSError):
            self.socket.close()
