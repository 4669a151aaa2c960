"""A mail server of the tests' own, which can be away, slow, unwilling or fatal to its client."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from email import message_from_bytes
from typing import Any

from aiosmtpd.controller import Controller

from tests.faults.programs import free_port


class MailServer:
    """Keeps the Message-IDs of what it takes, by recipient.

    `refusal` is its answer to every mail instead of taking it, and `greeting_seconds` how long it lets a
    client wait before; when it takes one, it calls `taken` (in a thread) before it says so, and hangs up
    on QUIT where `rude`.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.mails: dict[str, list[str]] = defaultdict(list)
        self.tries = 0
        self.refusal = ""
        self.greeting_seconds = 0.0
        self.taken: Callable[[], object] = lambda: None
        self.rude = False
        self._controller: Controller | None = None

    def open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def close(self) -> None:
        if self._controller:
            self._controller.stop()
            self._controller = None

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's names
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        await asyncio.sleep(self.greeting_seconds)
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.tries += 1
        if self.refusal:
            return self.refusal
        message_id = str(message_from_bytes(envelope.content)["Message-ID"])
        for recipient in envelope.rcpt_tos:
            self.mails[recipient].append(message_id)
        await asyncio.to_thread(self.taken)
        return "250 OK"

    async def handle_QUIT(self, server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        if self.rude:
            server.transport.abort()
        return "221 Bye"
