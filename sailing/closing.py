"""Ends connections without cutting off the answer that was just sent (RFC 9112, section 9.6).

A connection that is closed while its client still sends is reset, and a reset may overtake the answer. So our
side ends first, and what the client still sends is thrown away until it has ended too. gunicorn does so as
well, but waits for each client in turn, in the thread that accepts; here that thread never waits.
"""

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress

LINGER = 2.0
"""Seconds that a client has to end its side."""

MOST = 256
"""Connections that linger at once. With one more, the one that has lingered for longest is closed."""

THROWN_AWAY = 65_536
"""Bytes that are taken in at once."""


class LingeringClose:
    """The connections of one worker whose answer is sent. Used by its main thread only."""

    def __init__(self, poller: selectors.BaseSelector, closed: Callable[[], None]) -> None:
        """Takes the poller of the main thread, and what to call for each connection that is closed."""
        self.poller = poller
        self.closed = closed
        self.ends: dict[socket.socket, float] = {}

    def begin(self, client: socket.socket) -> None:
        """End our side of a connection, and close it when the client has ended its own. Never waits."""
        try:
            client.shutdown(socket.SHUT_WR)
        except OSError:  # the client has gone
            self.close(client)
            return
        if len(self.ends) >= MOST:
            self._end(next(iter(self.ends)))
        self.ends[client] = time.monotonic() + LINGER
        self.poller.register(client, selectors.EVENT_READ, self._throw_away)

    def close(self, client: socket.socket) -> None:
        """Close at once a connection whose client sends nothing more."""
        with suppress(OSError):
            client.close()
        self.closed()

    def end_late(self) -> None:
        """Close what has lingered for too long."""
        now = time.monotonic()
        while self.ends and now >= next(iter(self.ends.values())):  # they are in the order of their ends
            self._end(next(iter(self.ends)))

    def _throw_away(self, client: socket.socket) -> None:
        if client not in self.ends:  # closed since the poller saw it
            return
        with suppress(OSError):
            if client.recv(THROWN_AWAY, socket.MSG_DONTWAIT):
                return
        self._end(client)

    def _end(self, client: socket.socket) -> None:
        del self.ends[client]
        self.poller.unregister(client)
        self.close(client)
