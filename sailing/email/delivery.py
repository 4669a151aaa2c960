"""Hand mails to the mail server in several threads, each with a connection that it keeps.

The threads never use the database: `sailing.email.sender` gives them claimed mails and records the results.
A thread ends, and closes its connection, when it has had no mail for `IDLE_SECONDS`. They are daemon threads
instead of a ThreadPoolExecutor, which would keep the process alive until a stuck mail server replies.
"""

import re
import smtplib
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

from sailing.email import api_errors
from sailing.email.api_errors import ApiFailure
from sailing.email.backend import PatientSMTP
from sailing.models import MailPriority, OutboxEmail

IDLE_SECONDS = 5.0
"""How long a thread keeps its connection without a mail. Mail servers wait longer."""

MAX_MAILS = 100
"""Mails per connection. Many mail servers end a connection after as many."""


LAST = max(MailPriority) + 1
"""The priority of mails that are not in the outbox."""


class Outcome(Enum):
    """The result of a delivery."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good: a 5xx reply to the recipient or the content (RFC 5321 section 4.2.1)."""
    POSTPONED = auto()
    """For now: a 4xx reply, or an error in the mail itself."""
    INTERRUPTED = auto()
    """The server broke off or refused the sender's address. Other mails would fare no better now."""
    UNKNOWN = auto()
    """The server broke off after the text was sent, so it may have accepted the mail (RFC 1047)."""
    UNREACHABLE = auto()
    """There is no connection, so the mail was not tried."""
    NOT_STARTED = auto()
    """Handed back, because the mail server is away or the process ends."""


SERVER_PROBLEMS = {Outcome.INTERRUPTED, Outcome.UNKNOWN, Outcome.UNREACHABLE}


class SourceMail(Protocol):
    """A mail that is not in the outbox. It is composed in the thread that delivers it.

    `sender`: the address for MAIL FROM.
    """

    pk: int
    sender: str
    recipient: str

    def encode(self) -> bytes:
        """Return the mail as SMTP sends it: with CRLF at the end of each line."""

    def build_message(self) -> EmailMultiAlternatives:
        """Return the mail for a backend that is no SMTP connection."""


Mail = OutboxEmail | SourceMail


@dataclass(frozen=True)
class Delivery:
    """What happened to a mail. `error` contains no address and no link.

    `is_bounced`: the mail server says that the address does not work.
    """

    mail: Any
    outcome: Outcome
    error: str = ""
    is_bounced: bool = False

    @property
    def reason(self) -> str:
        """The code of the reply, or the name of the error: the log quotes no mail server."""
        return self.error.split(maxsplit=1)[0].rstrip(":")


class DeliveryThreads:
    """At most EMAIL_CONNECTIONS threads, and the mails that wait for one.

    Urgent mails come first, and one thread takes nothing else, so that an urgent mail never waits for the
    slow delivery of another. (A single thread takes all.) Mails that are not in the outbox come last.
    """

    def __init__(self, on_delivery: Callable[[], object]) -> None:
        """`on_delivery` is called in a thread after each delivery."""
        self.size = settings.EMAIL_CONNECTIONS
        self._on_delivery = on_delivery
        self._changed = threading.Condition()
        self._waiting: dict[int, deque[tuple[Mail, float]]] = {
            rank: deque() for rank in (*MailPriority, LAST)
        }
        self._threads = 0
        self._under_way = dict.fromkeys(self._waiting, 0)
        self._deliveries: list[Delivery] = []
        self._is_closed = False

    def add(self, mails: Collection[Mail], *, start_before: float) -> None:
        """Deliver mails. One not started before a time (`time.monotonic`) is handed back."""
        with self._changed:
            for mail in mails:
                self._waiting[_get_rank(mail)].append((mail, start_before))
            needed = min(self.size, self._count())
            for _number in range(self._threads, needed):
                self._threads += 1
                threading.Thread(target=self._run, name="smtp", daemon=True).start()
            self._changed.notify(len(mails))

    def count_waiting(self, priority: MailPriority) -> int:
        return len(self._waiting[priority])

    def count_free(self) -> int:
        """Return how many mails that are not in the outbox could be started now."""
        with self._changed:
            urgent = self._under_way[MailPriority.URGENT] + len(self._waiting[MailPriority.URGENT])
            others = self._count() - urgent
            return 1 - others - urgent if self.size == 1 else self.size - 1 - others

    @property
    def is_busy(self) -> bool:
        """Whether there are mails of the outbox."""
        with self._changed:
            return self._count() > self._under_way[LAST] + len(self._waiting[LAST])

    @property
    def has_others(self) -> bool:
        """Whether there are mails that are not in the outbox."""
        with self._changed:
            return bool(self._under_way[LAST] or self._waiting[LAST])

    def take_deliveries(self) -> list[Delivery]:
        """Return the deliveries since the last call."""
        with self._changed:
            taken, self._deliveries = self._deliveries, []
            return taken

    def close(self, *, seconds: float) -> None:
        """Hand back the waiting mails, and wait a while for those under way."""
        with self._changed:
            self._is_closed = True
            self._hand_back_waiting()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not any(self._under_way.values()), seconds)

    def _count(self) -> int:
        return sum(self._under_way.values()) + sum(map(len, self._waiting.values()))

    def _run(self) -> None:
        connection = Connection()
        try:
            while mail := self._wait_for_mail():
                delivery = connection.deliver(mail)
                with self._changed:
                    self._under_way[_get_rank(mail)] -= 1
                    self._deliveries.append(delivery)
                    if delivery.outcome in SERVER_PROBLEMS:
                        self._hand_back_waiting()
                    if self._is_closed:
                        self._changed.notify_all()
                self._on_delivery()
        finally:
            connection.close()

    def _wait_for_mail(self) -> Mail | None:
        """Return the next mail to deliver, or None if the thread has to end."""
        end = time.monotonic() + IDLE_SECONDS
        with self._changed:
            while True:
                if mail := self._next_mail():
                    self._under_way[_get_rank(mail)] += 1
                    return mail
                seconds = end - time.monotonic()
                if self._is_closed or seconds <= 0:
                    self._threads -= 1
                    return None
                self._changed.wait(seconds)

    def _next_mail(self) -> Mail | None:
        now = time.monotonic()
        others = sum(self._under_way.values()) - self._under_way[MailPriority.URGENT]
        for priority, mails in self._waiting.items():
            if priority != MailPriority.URGENT and others >= max(1, self.size - 1):
                return None
            while mails:
                mail, start_before = mails.popleft()
                if now < start_before:
                    return mail
                self._deliveries.append(Delivery(mail, Outcome.NOT_STARTED))
        return None

    def _hand_back_waiting(self) -> None:
        for mails in self._waiting.values():
            self._deliveries += [Delivery(mail, Outcome.NOT_STARTED) for mail, _start_before in mails]
            mails.clear()


def _get_rank(mail: Mail) -> int:
    return mail.priority if isinstance(mail, OutboxEmail) else LAST


class Connection:
    """A connection to the mail server, opened for its first mail and then reused."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._mails = 0

    def deliver(self, mail: Mail) -> Delivery:
        """Hand a mail to the mail server. Raises nothing."""
        is_reused = self._backend is not None
        delivery = self._try(mail)
        # The server may close a connection between two mails.
        if is_reused and delivery.outcome is Outcome.INTERRUPTED:
            delivery = self._try(mail)
        return delivery

    def close(self) -> None:
        backend, self._backend = self._backend, None
        with suppress(Exception):  # the mails are delivered or not, whatever the reply to QUIT is
            if backend:
                backend.close()

    def _try(self, mail: Mail) -> Delivery:
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - backends raise various errors
            self.close()
            return Delivery(mail, Outcome.UNREACHABLE, _describe(error))
        try:
            self._send(mail)
        except Exception as error:  # noqa: BLE001 - a mail that fails must not end the thread
            connection = getattr(self._backend, "connection", None)
            if not isinstance(error, smtplib.SMTPRecipientsRefused):  # after that one the connection is reset
                self.close()
            outcome, is_bounced = _classify(error)
            # The connection knows whether the text was sent; without a reply, its fate is unknown then.
            if outcome is Outcome.INTERRUPTED and _get_reply(error) is None:
                outcome = Outcome.UNKNOWN if getattr(connection, "has_sent_text", False) else outcome
            return Delivery(mail, outcome, _describe(error), is_bounced)
        self._mails += 1
        if self._mails >= MAX_MAILS:
            self.close()
        return Delivery(mail, Outcome.ACCEPTED)

    def _send(self, mail: Mail) -> None:
        if isinstance(mail, OutboxEmail):
            self._backend.send_messages([_build_message(mail)])
            return
        smtp = getattr(self._backend, "connection", None)
        if isinstance(smtp, PatientSMTP):
            smtp.send_encoded(mail.sender, mail.recipient, mail.encode())
        else:
            self._backend.send_messages([mail.build_message()])

    def _open(self) -> None:
        if self._backend is None:
            self._backend = get_connection()
            self._mails = 0
            self._backend.open()


def _build_message(mail: OutboxEmail) -> EmailMultiAlternatives:
    headers = {**mail.headers, "Message-ID": mail.message_id}
    message = EmailMultiAlternatives(
        mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.recipient], headers=headers
    )
    message.attach_alternative(mail.html, "text/html")
    return message


SERVER_RULE = re.compile("relay|auth|polic|spam|block|denied|reputation", re.IGNORECASE)
"""Words of replies that refuse the sender, the content or the client, and not the address."""


API_OUTCOMES = {
    ApiFailure.NOT_TRIED: (Outcome.UNREACHABLE, False),
    ApiFailure.SENDER_REFUSED: (Outcome.INTERRUPTED, False),
    ApiFailure.RECIPIENT_REFUSED: (Outcome.REFUSED, True),
    ApiFailure.MAIL_REFUSED: (Outcome.REFUSED, False),
    ApiFailure.UNKNOWN: (Outcome.UNKNOWN, False),
}


def _classify(error: Exception) -> tuple[Outcome, bool]:
    """Return the outcome of a failed attempt, and whether the address is to blame."""
    if failure := api_errors.classify(error):
        return API_OUTCOMES[failure]
    if isinstance(error, smtplib.SMTPHeloError | smtplib.SMTPAuthenticationError):
        return Outcome.UNREACHABLE, False
    reply = _get_reply(error)
    if reply is None:
        is_broken_off = isinstance(error, smtplib.SMTPServerDisconnected) or (
            isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
        )
        return Outcome.INTERRUPTED if is_broken_off else Outcome.POSTPONED, False
    code, text = reply
    # 421: the server is closing. The sender is the same in all mails, and an admin can correct it.
    if code == 421 or isinstance(error, smtplib.SMTPSenderRefused):
        return Outcome.INTERRUPTED, False
    if 500 <= code <= 599:
        return Outcome.REFUSED, _is_address_refused(error, code, text)
    return Outcome.POSTPONED, False


def _is_address_refused(error: Exception, code: int, text: str) -> bool:
    """Return whether a 5xx reply means that the address does not work (RFC 3463 section 3).

    A mailbox, its domain or its route does not exist: 5.0, 5.1, 5.2 and 5.4. The others are about the mail
    server, the protocol, the content or a policy; 5.1.7 and 5.1.8 are about the sender's address. A reply
    without such a status counts if it refuses the recipient and names no rule of the server: wrong
    credentials must not make every address undeliverable ("550 relay not permitted").
    """
    status = re.match(r"5\.(\d{1,3})\.(\d{1,3})\b", text)
    if status is None:
        is_recipient = isinstance(error, smtplib.SMTPRecipientsRefused)
        return is_recipient and code in (550, 551, 553) and not SERVER_RULE.search(text)
    subject, detail = int(status[1]), int(status[2])
    return subject in (0, 1, 2, 4) and (subject, detail) not in ((1, 7), (1, 8))


def _get_reply(error: Exception) -> tuple[int, str] | None:
    """Return code and text of the reply that caused an error, if there is one."""
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        ((code, text),) = error.recipients.values()
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return None
    return code, text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def _describe(error: Exception) -> str:
    """Describe an error for Django admin, without the addresses and links that mail servers quote."""
    if api_errors.classify(error):
        text = api_errors.describe(error)
    else:
        reply = _get_reply(error)
        text = f"{reply[0]} {reply[1]}" if reply else f"{type(error).__name__}: {error}"
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\S*[@/%]\S*", "…", printable)[: OutboxEmail.LAST_ERROR_LENGTH]
