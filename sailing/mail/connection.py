"""A connection to the mail server."""

import smtplib
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.mail import get_connection

from sailing.mail import replies
from sailing.mail.results import DeliveryAttempt, DeliveryResult, Mail

MAX_MAILS = 100
"""Mails per connection. Many mail servers end a connection after as many."""

AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
"""Say that a machine wrote the mail, so that no other one answers (RFC 3834; Exchange knows the second)."""


class Connection:
    """A connection to the mail server, opened for its first mail and then reused."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._mails = 0
        self._has_helped = True
        """Whether the last mail that was tried over a new connection was accepted."""
        self._has_refused = False
        """Whether the last mail was refused for now, perhaps because of the connection."""

    def deliver(self, mail: Mail) -> DeliveryAttempt:
        """Hand a mail to the mail server. Raises nothing."""
        if not is_permitted(mail.recipient):
            return DeliveryAttempt(mail, DeliveryResult.REFUSED, "MAIL_ONLY_TO: does not permit this address")
        if not mail.recipient.isascii():  # RFC 6531 is needed for it, which few servers support
            error = "NotASCII: no server takes such letters"
            return DeliveryAttempt(mail, DeliveryResult.REFUSED, error, is_bounced=True)
        is_reused, mails_before = self._backend is not None, self._mails
        attempt = self._try(mail)
        # The server may close a connection between two mails.
        if is_reused and attempt.result is DeliveryResult.INTERRUPTED:
            attempt = self._try(mail)
        elif is_reused and mails_before and attempt.may_concern_session:
            attempt = self._try_over_new_connection(mail, attempt)
        else:
            self._has_refused = False
        return attempt

    def _try_over_new_connection(self, mail: Mail, refused: DeliveryAttempt) -> DeliveryAttempt:
        """Try a mail again in case the server takes no more mails over this connection.

        If that did not help the last time, such replies are about recipients, unless two follow each other.
        """
        if not (self._has_helped or self._has_refused or refused.result is DeliveryResult.THROTTLED):
            self._has_refused = True
            return refused
        self.close()
        attempt = self._try(mail)
        self._has_helped = attempt.result is DeliveryResult.ACCEPTED
        self._has_refused = False
        return attempt

    def close(self) -> None:
        backend, self._backend = self._backend, None
        with suppress(Exception):  # the mails are delivered or not, whatever the reply to QUIT is
            if backend:
                backend.close()

    def _try(self, mail: Mail) -> DeliveryAttempt:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - backends raise various errors
            self.close()
            return DeliveryAttempt(mail, DeliveryResult.UNREACHABLE, replies.describe(error))
        try:
            message = mail.build_message()
            message.extra_headers |= AUTOMATIC
            self._backend.send_messages([message])
        except Exception as error:  # noqa: BLE001 - a mail that fails must not end the thread
            has_sent_text = getattr(getattr(self._backend, "connection", None), "has_sent_text", False)
            if not isinstance(error, smtplib.SMTPRecipientsRefused):  # after that one the connection is reset
                self.close()
            result, is_bounced = replies.classify(error, has_sent_text)
            return DeliveryAttempt(
                mail, result, replies.describe(error), is_bounced, replies.may_concern_session(error)
            )
        self._mails += 1
        if self._mails >= MAX_MAILS:
            self.close()
        return DeliveryAttempt(mail, DeliveryResult.ACCEPTED)

    def _open(self) -> None:
        if self._backend is None:
            self._backend = get_connection()
            self._mails = 0
            self._backend.open()


def is_permitted(recipient: str) -> bool:
    """Return whether MAIL_ONLY_TO, a list of addresses and domains, permits a mail to an address."""
    permitted, address = settings.MAIL_ONLY_TO, recipient.lower()
    return not permitted or address in permitted or address.rpartition("@")[2] in permitted
