"""Hand mails to the mail server, over connections that the threads of a sender share."""

import smtplib
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

from sailing.mail import provider_headers, replies
from sailing.mail.replies import DeliveryResult

MAX_MAILS = 100
"""Mails per connection. Many mail servers end a connection after as many."""

LIMIT_SECONDS = 10.0
"""How long no further connection is opened after the mail server has refused one."""

AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""Say that a machine wrote the mail, so that no other one answers (RFC 3834; Exchange knows the second)."""


class Mail(Protocol):
    """A mail to one recipient. `attempts`: how often the mail server has taken or refused it."""

    pk: Any
    recipient: str
    attempts: int

    def build_message(self) -> EmailMultiAlternatives:
        """Return the message. Called in the thread that delivers it, without a database."""


@dataclass(frozen=True)
class DeliveryAttempt:
    """What happened to a mail. `error` contains no address and no link.

    `is_bounced`: the mail server says that the address does not work.
    """

    mail: Any
    result: DeliveryResult
    error: str = ""
    is_bounced: bool = False

    @property
    def reason(self) -> str:
        """The code of the reply, or the name of the error: the log quotes no mail server."""
        return self.error.partition(" ")[0].rstrip(":")


class Connection:
    """A connection to the mail server, opened for its first mail and then reused."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._accepted = 0

    def deliver(self, mail: Mail) -> DeliveryAttempt:
        """Hand a mail to the mail server. Raises nothing."""
        if not is_permitted(mail.recipient):
            return DeliveryAttempt(mail, DeliveryResult.REFUSED, "MAIL_ONLY_TO: does not permit this address")
        if not mail.recipient.isascii():  # RFC 6531 is needed for it, which few servers support
            error = "NotASCII: no server takes such letters"
            return DeliveryAttempt(mail, DeliveryResult.REFUSED, error, is_bounced=True)
        is_reused, accepted_before = self._backend is not None, self._accepted
        attempt, may_concern_session = self._try(mail)
        # The server may close a connection between two mails, or take no more over this one.
        if (is_reused and attempt.result is DeliveryResult.INTERRUPTED) or (
            accepted_before and may_concern_session
        ):
            self.close()
            attempt, _may_concern_session = self._try(mail)
        return attempt

    def close(self) -> None:
        """End the connection. The mails are delivered or not, whatever the reply to QUIT is."""
        backend, self._backend, self._accepted = self._backend, None, 0
        with suppress(Exception):
            if backend:
                backend.close()

    def _try(self, mail: Mail) -> tuple[DeliveryAttempt, bool]:
        """Return the attempt, and whether its reply may be about the session: then another one may do."""
        try:
            if self._backend is None:
                self._backend = get_connection()
                self._backend.open()
        except Exception as error:  # noqa: BLE001 - backends raise various errors
            self.close()
            return DeliveryAttempt(mail, DeliveryResult.NOT_TRIED, replies.describe(error)), False
        try:
            message = mail.build_message()
            message.extra_headers = {**AUTOMATIC, **provider_headers.build(), **message.extra_headers}
            self._backend.send_messages([message])
        except Exception as error:  # noqa: BLE001 - a mail that fails must not end the thread
            has_sent_text = getattr(getattr(self._backend, "connection", None), "has_sent_text", False)
            if not isinstance(error, smtplib.SMTPRecipientsRefused):  # after that one the connection is reset
                self.close()
            result, is_bounced = replies.classify(error, has_sent_text)
            attempt = DeliveryAttempt(mail, result, replies.describe(error), is_bounced)
            return attempt, replies.may_concern_session(error)
        self._accepted += 1
        if self._accepted >= MAX_MAILS:
            self.close()
        return DeliveryAttempt(mail, DeliveryResult.ACCEPTED), False


class Connections:
    """The connections of a sender. The mail server may allow fewer than there are threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Connection] = []
        self._used = 0
        self._limited_until = 0.0

    def deliver(self, mail: Mail) -> DeliveryAttempt:
        """Hand a mail to the mail server over a free connection, a new one if there is none."""
        while True:
            with self._changed:
                while not self._idle and self._used and (left := self._limited_until - time.monotonic()) > 0:
                    self._changed.wait(left)
                connection = self._idle.pop() if self._idle else Connection()
                self._used += 1
            attempt = connection.deliver(mail)
            with self._changed:
                self._used -= 1
                self._changed.notify()
                is_connected = attempt.result is not DeliveryResult.NOT_TRIED
                if is_connected:
                    self._idle.append(connection)
                if is_connected or not (self._used or self._idle):
                    return attempt
                self._limited_until = time.monotonic() + LIMIT_SECONDS

    def close(self) -> None:
        """Close those that no thread uses."""
        with self._changed:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def is_permitted(recipient: str) -> bool:
    """Return whether MAIL_ONLY_TO, a list of addresses and domains, permits a mail to an address."""
    permitted, address = settings.MAIL_ONLY_TO, recipient.lower()
    return not permitted or address in permitted or address.rpartition("@")[2] in permitted
