"""gunicorn's worker with threads, with an end to requests that never arrive in whole."""

import socket
import time
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

DEADLINE = 15.0
"""Seconds for the whole of a request to arrive."""


class DeadlineWorker(ThreadWorker):
    """Stops reading from a client that holds a thread for longer than the deadline.

    gunicorn waits without end for the rest of a head or a body. A handful of clients that announce more
    than they send would hold every thread of the site (OWASP Denial of Service Cheat Sheet, "Slow HTTP").
    Only reading ends: an answer under way is written to its end.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.begun: dict[Any, float] = {}

    def handle(self, conn: Any) -> Any:
        self.begun[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            del self.begun[conn]

    def notify(self) -> None:
        """The worker's sign of life, once a second from its main thread."""
        super().notify()
        now = time.monotonic()
        for conn, begun in list(self.begun.items()):
            if now - begun >= DEADLINE:
                with suppress(OSError):  # the client has just gone
                    conn.sock.shutdown(socket.SHUT_RD)
