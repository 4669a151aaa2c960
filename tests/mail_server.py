"""A mail server that can be down, slow, or refuse mails."""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from tests.processes import free_port

OVER_LIMIT = {
    "mail421": "421 4.7.0 Connection closed. Maximum message count per session reached.",
    "rcpt452": "452 4.5.3 Too many recipients in this session",
    "data421": "421 4.7.0 Service not available, closing transmission channel",
    "close": "",
}
"""What providers were seen to do with a session that has sent its mails; blank: they close it."""


class Session(SMTP):
    """A connection, refused at the greeting if the server has as many as it allows."""

    is_refused = False

    def connection_made(self, transport: Any) -> None:
        mail_server: MailServer = self.event_handler
        limit = mail_server.connection_limit
        self.is_refused = limit is not None and mail_server.connections >= limit
        if self.is_refused:
            transport.write(b"421 4.7.0 Too many connections\r\n")
            transport.close()
        else:
            mail_server.connections += 1
            super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.is_refused:
            self.event_handler.connections -= 1
            super().connection_lost(error)


class LimitedController(Controller):
    def factory(self) -> SMTP:
        return Session(self.handler, **self.SMTP_kwargs)


class MailServer:
    """Collects the accepted mails. It refuses every password."""

    def __init__(self) -> None:
        self.port = free_port()
        self.received: list[tuple[list[str], EmailMessage]] = []  # the recipients and the content of each
        self.mails: dict[str, list[str]] = defaultdict(list)  # their Message-IDs by recipient
        self.senders: list[str] = []  # of the envelopes
        self.clients: list[Any] = []  # the addresses of the connections that sent them
        self.attempts = 0
        self.replies: dict[str, str] = {}  # to every MAIL, RCPT or DATA instead of 250
        self.refusals: list[str] = []  # the replies to the next mails
        self.refused_recipients: dict[str, str] = {}  # the reply to RCPT by a part of the address
        self.hangs_up_on = ""  # MAIL, DATA or QUIT: closes the connection instead of a reply
        self.delay_seconds = 0.0  # of the reply to MAIL
        self.on_accepted: Callable[[], object] = lambda: None  # in a thread before the reply to DATA
        self.session_limit = 0  # the mails that one connection may send, 0 for any number
        self.over_limit = "rcpt452"  # what happens then, one of OVER_LIMIT
        self.mails_per_second = 0  # accepted in any second, 0 for any number
        self.connections = 0  # open ones
        self.connection_limit: int | None = None
        self._accepted_at: deque[float] = deque()
        self._controller: Controller | None = None

    @property
    def recipients(self) -> list[str]:
        return [address for addresses, _message in self.received for address in addresses]

    def open(self) -> None:
        self._controller = LimitedController(
            self, hostname="127.0.0.1", port=self.port, auth_require_tls=False
        )
        self._controller.start()

    def close(self) -> None:
        if self._controller:
            self._controller.stop()
            self._controller = None

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's names
        self, server: Any, session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        await asyncio.sleep(self.delay_seconds)
        if self.hangs_up_on == "MAIL":
            server.transport.abort()
        if refusal := self.replies.get("MAIL") or self._refuse_session(server, session, "mail421", "close"):
            return refusal
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if refusal := self.replies.get("RCPT") or self._refuse_session(server, session, "rcpt452"):
            return refusal
        for part, reply in self.refused_recipients.items():
            if part in address:
                return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.attempts += 1
        if self.hangs_up_on == "DATA":
            server.transport.abort()
        if "DATA" in self.replies or self.refusals:
            return self.replies.get("DATA") or self.refusals.pop()
        if refusal := self._refuse_session(server, session, "data421"):
            return refusal
        now = time.monotonic()
        while self._accepted_at and self._accepted_at[0] < now - 1:
            self._accepted_at.popleft()
        if self.mails_per_second and len(self._accepted_at) >= self.mails_per_second:
            return "454 Throttling failure: Maximum sending rate exceeded."
        self._accepted_at.append(now)
        session.accepted = getattr(session, "accepted", 0) + 1
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append((envelope.rcpt_tos, message))
        self.senders.append(envelope.mail_from)
        self.clients.append(session.peer)
        for recipient in envelope.rcpt_tos:
            self.mails[recipient].append(message["Message-ID"])
        await asyncio.to_thread(self.on_accepted)
        return "250 OK"

    def _refuse_session(self, server: Any, session: Any, *kinds: str) -> str:
        """Return the reply to a command of a session that has sent its mails, blank for no refusal."""
        is_full = self.session_limit and getattr(session, "accepted", 0) >= self.session_limit
        if not is_full or self.over_limit not in kinds:
            return ""
        reply = OVER_LIMIT[self.over_limit]
        if reply.startswith("421"):
            asyncio.get_running_loop().call_later(0.01, server.transport.close)
        elif not reply:
            server.transport.abort()
        return reply or "421 closed"

    async def handle_QUIT(self, server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        if self.hangs_up_on == "QUIT":
            server.transport.abort()
        return "221 Bye"
