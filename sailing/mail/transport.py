"""The connections to the mail server, and what its replies mean."""

import json
import re
import smtplib
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends import smtp

MAX_MAILS = 100  # per connection; many mail servers end it after as many
LIMIT_SECONDS = 10.0  # until a further connection is opened after the mail server has refused one

# A mail whose reply nobody awaits may be delivered, and again by a retry (RFC 1047).
DATA_TIMEOUT_SECONDS = 60.0
# So that no machine answers (RFC 3834; Exchange knows the second).
AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


class DeliveryResult(Enum):
    ACCEPTED = auto()
    REFUSED = auto()  # for good: a 5xx reply (RFC 5321 section 4.2.1), or a mail that cannot be written
    POSTPONED = auto()  # a 4xx reply about this recipient or this mail
    THROTTLED = auto()  # a 4xx reply about the rate
    INTERRUPTED = auto()  # the server broke off, or refused us; other mails would get the same result now
    UNKNOWN = auto()  # the server broke off after the text was sent: it may have accepted the mail
    NOT_TRIED = auto()  # there is no connection, the server takes no mails, or the process ends


class Mail(Protocol):
    """A mail to one recipient. `attempts`: how often the mail server has taken or refused it."""

    pk: Any
    recipient: str
    attempts: int

    def build_message(self) -> EmailMultiAlternatives:
        """Return the message. Called in the thread that delivers it, without a database."""


@dataclass(frozen=True)
class DeliveryAttempt:
    """`error`: without addresses and links. `is_bounced`: the mail server says that the address is wrong."""

    mail: Any
    result: DeliveryResult
    error: str = ""
    is_bounced: bool = False

    @property
    def reason(self) -> str:
        """The code of the reply, or the name of the error: the log quotes no mail server."""
        return self.error.partition(" ")[0].rstrip(":")


class Connection:
    """A connection to the mail server, opened for its first mail."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._accepted = 0

    def deliver(self, mail: Mail) -> DeliveryAttempt:
        if not is_permitted(mail.recipient):
            return DeliveryAttempt(mail, DeliveryResult.REFUSED, "MAIL_ONLY_TO: does not permit this address")
        # The server may close a connection between two mails, or take no more over this one, with any 4xx.
        renewed_for = [DeliveryResult.INTERRUPTED] if self._backend else []
        if self._accepted:
            renewed_for += [DeliveryResult.POSTPONED, DeliveryResult.THROTTLED]
        attempt = self._try(mail)
        if attempt.result in renewed_for:
            self.close()
            attempt = self._try(mail)
        return attempt

    def close(self) -> None:
        """End the connection. The mails are delivered or not, whatever the reply to QUIT is."""
        backend, self._backend, self._accepted = self._backend, None, 0
        with suppress(Exception):
            if backend:
                backend.close()

    def _try(self, mail: Mail) -> DeliveryAttempt:
        try:
            if self._backend is None:
                self._backend = get_connection()
                self._backend.open()
        except Exception as error:  # noqa: BLE001 - backends raise various errors
            self.close()
            return DeliveryAttempt(mail, DeliveryResult.NOT_TRIED, describe(error))
        try:
            message = mail.build_message()
            message.extra_headers = {**AUTOMATIC, **build_provider_headers(), **message.extra_headers}
            self._backend.send_messages([message])
        except Exception as error:  # noqa: BLE001 - a mail that fails must not end the thread
            has_sent_text = getattr(getattr(self._backend, "connection", None), "has_sent_text", False)
            if not isinstance(error, smtplib.SMTPRecipientsRefused):  # after that one the connection is reset
                self.close()
            result, is_bounced = classify(error, has_sent_text)
            return DeliveryAttempt(mail, result, describe(error), is_bounced)
        self._accepted += 1
        if self._accepted >= MAX_MAILS:
            self.close()
        return DeliveryAttempt(mail, DeliveryResult.ACCEPTED)


class Connections:
    """The connections of a sender's threads, which share them if the mail server allows fewer."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Connection] = []
        self._used = 0
        self._limited_until = 0.0

    def deliver(self, mail: Mail) -> DeliveryAttempt:
        """Hand a mail to the mail server over an idle connection, or a new one. Raises nothing."""
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


MAILBOX = r"4\.[12]\.\d|gr[ae]y.?list|mailbox|inbox|over.?quota|storage"
RATE = r"throttl|too (many|much|fast)|slow down|\brates?\b|\blimit|quota|exceed|maximum"
SENDER = r"\b(?:helo|ehlo)\b|relay|reputation|black.?list|reverse dns|\br?dns\b|\bptr\b|\bauth"
CONTENT = "polic|spam|denied"

# What replies mean (RFC 3463 section 3; RFC 6647), and whether the address is bad. The first match counts.
MEANINGS = [
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), result, is_bounced)
    for pattern, result, is_bounced in (
        (rf"\w+ 4(?!.*({MAILBOX})).*({RATE})", DeliveryResult.THROTTLED, False),
        # The server is closing. The sender is the same in all mails, and an admin can correct it.
        (r"\w+ 421|MAIL", DeliveryResult.INTERRUPTED, False),
        (r"\w+ [^5]", DeliveryResult.POSTPONED, False),
        # The sender's address, a full mailbox, a long mail, an expired delivery.
        (r"\w+ \d+ 5\.(1\.[78]|2\.[23]|4\.7)\b", DeliveryResult.REFUSED, False),
        # The mailbox, its domain or its route does not exist.
        (r"\w+ \d+ 5\.[124]\.\d", DeliveryResult.REFUSED, True),
        # After the text, "blocked" is the word of a content filter.
        (rf".*({SENDER})|RCPT .*block", DeliveryResult.INTERRUPTED, False),
        # Without a status that says something else, or a rule of the server.
        (rf"RCPT 55[013] (?!5\.[1-9]\d*\.\d)(?!.*({CONTENT}))", DeliveryResult.REFUSED, True),
        ("", DeliveryResult.REFUSED, False),
    )
]


def interpret(command: str, code: int, text: str) -> tuple[DeliveryResult, bool]:
    """Return what the reply to MAIL, RCPT or DATA means, and whether the address is to blame."""
    reply = f"{command} {code} {text}"
    return next((result, is_bounced) for words, result, is_bounced in MEANINGS if words.match(reply))


def classify(error: Exception, has_sent_text: bool) -> tuple[DeliveryResult, bool]:
    """Do as `interpret` for a failed attempt."""
    if isinstance(error, smtplib.SMTPHeloError | smtplib.SMTPAuthenticationError):
        return DeliveryResult.NOT_TRIED, False
    if reply := get_reply(error):
        return interpret(*reply)
    if has_sent_text:
        return DeliveryResult.UNKNOWN, False
    is_unwritable = isinstance(error, smtplib.SMTPException) or not isinstance(error, OSError)
    if is_unwritable and not isinstance(error, smtplib.SMTPServerDisconnected):
        return DeliveryResult.REFUSED, False  # now or later
    return DeliveryResult.INTERRUPTED, False


def get_reply(error: Exception) -> tuple[str, int, str] | None:
    """Return the command MAIL, RCPT or DATA, and the code and text of the reply that caused an error."""
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        ((code, text),) = error.recipients.values()
        command = "RCPT"
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
        command = "MAIL" if isinstance(error, smtplib.SMTPSenderRefused) else "DATA"
    else:
        return None
    return command, code, text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def describe(error: Exception) -> str:
    """Describe an error for Django admin, without the addresses and links that mail servers quote."""
    _command, *reply = get_reply(error) or ("", f"{type(error).__name__}:", error)
    printable = "".join(character if character.isprintable() else " " for character in "{} {}".format(*reply))
    return re.sub(r"\S*[@/%]\S*", "…", printable)


def is_permitted(recipient: str) -> bool:
    """Return whether MAIL_ONLY_TO, a list of addresses and domains, permits a mail to an address."""
    permitted, address = settings.MAIL_ONLY_TO, recipient.lower()
    return not permitted or address in permitted or address.rpartition("@")[2] in permitted


def build_provider_headers(delivery: str = "") -> dict[str, str]:
    """Return the headers that turn off the provider's tracking and name a `delivery` in its reports."""
    metadata = {"delivery": delivery} if delivery else {}
    match settings.EMAIL_PROVIDER:
        case "postmark":
            headers = {"X-PM-TrackOpens": "false", "X-PM-TrackLinks": "None"}
            if delivery:
                # Postmark demands another stream for mails to many; every server of it has this one.
                headers |= {"X-PM-Metadata-delivery": delivery, "X-PM-Message-Stream": "broadcast"}
            return headers
        case "mailgun":
            headers = {"X-Mailgun-Track-Opens": "no", "X-Mailgun-Track-Clicks": "no"}
            return headers | ({"X-Mailgun-Variables": json.dumps(metadata)} if metadata else {})
        case "sendgrid":
            off = {"settings": {"enable": 0}}
            options = {"filters": {"opentrack": off, "clicktrack": off}, "unique_args": metadata}
            return {"X-SMTPAPI": json.dumps(options)}
        case "ses" if metadata:  # its reports quote the headers
            return {"X-Metadata": json.dumps(metadata)}
    return {}


class PatientSMTP(smtplib.SMTP):
    """`has_sent_text`: the reply to the text of a mail is missing."""

    has_sent_text = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Greet the server with the host of the site: some refuse the name of a container."""
        host = urlsplit(settings.SITE_URL).hostname or "localhost"
        name = f"[{host}]" if host.replace(".", "").isdecimal() else host
        super().__init__(*args, **{**kwargs, "local_hostname": name})

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.has_sent_text = True
        if self.sock:
            self.sock.settimeout(DATA_TIMEOUT_SECONDS)
        try:
            reply = super().data(msg)
            self.has_sent_text = False
            return reply
        finally:
            if self.sock:
                self.sock.settimeout(self.timeout)


class PatientSMTPOverTLS(PatientSMTP, smtplib.SMTP_SSL):
    pass


class EmailBackend(smtp.EmailBackend):
    """Django's backend; EMAIL_TIMEOUT applies to every command but DATA."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return PatientSMTPOverTLS if self.use_ssl else PatientSMTP
