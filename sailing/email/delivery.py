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
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

from sailing.models import MailPriority, OutboxEmail

IDLE_SECONDS = 5.0
"""How long a thread keeps its connection without a mail. Mail servers wait longer."""

MAX_MAILS = 100
"""Mails per connection. Many mail servers end a connection after as many."""


class Outcome(Enum):
    """The result of a delivery."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good: a 5xx reply to the recipient or the content (RFC 5321 section 4.2.1)."""
    POSTPONED = auto()
    """For now: a 4xx reply, or an error in the mail itself."""
    INTERRUPTED = auto()
    """The server broke off or refused the sender's address. Other mails would fare no better now."""
    UNREACHABLE = auto()
    """There is no connection, so the mail was not tried."""
    NOT_STARTED = auto()
    """Handed back, because the mail server is away or the process ends."""


SERVER_PROBLEMS = {Outcome.INTERRUPTED, Outcome.UNREACHABLE}


@dataclass(frozen=True)
class Delivery:
    """What happened to a mail. `error` contains no address and no link.

    `is_bounced`: the mail server says that the address does not work.
    """

    mail: OutboxEmail
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
    slow delivery of another. (A single thread takes all.)
    """

    def __init__(self, on_delivery: Callable[[], object]) -> None:
        """`on_delivery` is called in a thread after each delivery."""
        self.size = settings.EMAIL_CONNECTIONS
        self._on_delivery = on_delivery
        self._changed = threading.Condition()
        self._waiting: dict[int, deque[tuple[OutboxEmail, float]]] = {
            priority: deque() for priority in MailPriority
        }
        self._threads = 0
        self._under_way: list[OutboxEmail] = []
        self._deliveries: list[Delivery] = []
        self._is_closed = False

    def add(self, mails: Collection[OutboxEmail], *, start_before: float) -> None:
        """Deliver mails. One not started before a time (`time.monotonic`) is dropped: its claim ends soon."""
        with self._changed:
            for mail in mails:
                self._waiting[mail.priority].append((mail, start_before))
            needed = min(self.size, len(self._under_way) + self._count_all_waiting())
            for _number in range(self._threads, needed):
                self._threads += 1
                threading.Thread(target=self._run, name="smtp", daemon=True).start()
            self._changed.notify_all()

    def count_waiting(self, priority: MailPriority) -> int:
        return len(self._waiting[priority])

    @property
    def is_busy(self) -> bool:
        with self._changed:
            return bool(self._under_way or self._count_all_waiting())

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
            self._changed.wait_for(lambda: not self._under_way, seconds)

    def _count_all_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _run(self) -> None:
        connection = Connection()
        try:
            while mail := self._wait_for_mail():
                delivery = connection.deliver(mail)
                with self._changed:
                    self._under_way.remove(mail)
                    self._deliveries.append(delivery)
                    if delivery.outcome in SERVER_PROBLEMS:
                        self._hand_back_waiting()
                    self._changed.notify_all()
                self._on_delivery()
        finally:
            connection.close()

    def _wait_for_mail(self) -> OutboxEmail | None:
        """Return the next mail to deliver, or None if the thread has to end."""
        end = time.monotonic() + IDLE_SECONDS
        with self._changed:
            while True:
                if mail := self._next_mail():
                    self._under_way.append(mail)
                    return mail
                seconds = end - time.monotonic()
                if self._is_closed or seconds <= 0:
                    self._threads -= 1
                    return None
                self._changed.wait(seconds)

    def _next_mail(self) -> OutboxEmail | None:
        now = time.monotonic()
        others = sum(mail.priority != MailPriority.URGENT for mail in self._under_way)
        for priority, mails in self._waiting.items():
            if priority != MailPriority.URGENT and others >= max(1, self.size - 1):
                return None
            while mails:
                mail, start_before = mails.popleft()
                if now < start_before:
                    return mail
        return None

    def _hand_back_waiting(self) -> None:
        for mails in self._waiting.values():
            self._deliveries += [Delivery(mail, Outcome.NOT_STARTED) for mail, _start_before in mails]
            mails.clear()


class Connection:
    """A connection to the mail server, opened for its first mail and then reused."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._mails = 0

    def deliver(self, mail: OutboxEmail) -> Delivery:
        """Hand a mail to the mail server. Raises nothing."""
        is_reused = self._backend is not None
        delivery = self._try(mail)
        # The server may close a connection between two mails. Once the text is on its way, it may have
        # accepted the mail, and an immediate second attempt would be a second mail.
        if is_reused and delivery.outcome is Outcome.INTERRUPTED and not self._has_sent_text:
            delivery = self._try(mail)
        return delivery

    def close(self) -> None:
        backend, self._backend = self._backend, None
        with suppress(Exception):  # the mails are delivered or not, whatever the reply to QUIT is
            if backend:
                backend.close()

    def _try(self, mail: OutboxEmail) -> Delivery:
        self._has_sent_text = False
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - backends raise various errors
            self.close()
            return Delivery(mail, Outcome.UNREACHABLE, _describe(error))
        try:
            self._backend.send_messages([_build_message(mail)])
        except Exception as error:  # noqa: BLE001 - a mail that fails must not end the thread
            self._has_sent_text = getattr(self._backend.connection, "has_sent_text", False)
            if not isinstance(error, smtplib.SMTPRecipientsRefused):  # after that one the connection is reset
                self.close()
            outcome, is_bounced = _classify(error)
            return Delivery(mail, outcome, _describe(error), is_bounced)
        self._mails += 1
        if self._mails >= MAX_MAILS:
            self.close()
        return Delivery(mail, Outcome.ACCEPTED)

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


def _classify(error: Exception) -> tuple[Outcome, bool]:
    """Return the outcome of a failed attempt, and whether the address is to blame."""
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
    reply = _get_reply(error)
    text = f"{reply[0]} {reply[1]}" if reply else f"{type(error).__name__}: {error}"
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\S*[@/%]\S*", "…", printable)[: OutboxEmail.LAST_ERROR_LENGTH]
