"""A mail server that can be down, slow, or refuse mails."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.processes import free_port


class MailServer:
    """Collects the accepted mails.

    `received`: the recipients and the content of each. `refusal`: the reply to every mail, if not blank.
    `delay_seconds`: the delay of the reply to MAIL. `on_accepted`: called in a thread before the reply to
    DATA. `hangs_up_on_quit`: close the connection instead of a reply to QUIT.
    """

    def __init__(self) -> None:
        self.port = free_port()
        self.received: list[tuple[list[str], EmailMessage]] = []
        self.attempts = 0
        self.refusal = ""
        self.delay_seconds = 0.0
        self.on_accepted: Callable[[], object] = lambda: None
        self.hangs_up_on_quit = False
        self._controller: Controller | None = None

    @property
    def mails(self) -> dict[str, list[str]]:
        """The Message-IDs of the accepted mails by recipient."""
        mails: dict[str, list[str]] = defaultdict(list)
        for recipients, message in self.received:
            for recipient in recipients:
                mails[recipient].append(message["Message-ID"])
        return mails

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
        await asyncio.sleep(self.delay_seconds)
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.attempts += 1
        if self.refusal:
            return self.refusal
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.received.append((envelope.rcpt_tos, message))
        await asyncio.to_thread(self.on_accepted)
        return "250 OK"

    async def handle_QUIT(self, server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        if self.hangs_up_on_quit:
            server.transport.abort()
        return "221 Bye"
