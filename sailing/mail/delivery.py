"""Hand mails to the mail server in several threads, each with a connection that it keeps.

The threads never use the database: `sailing.mail.sender` gives them claimed mails and records the results.
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
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Protocol

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection

from sailing.mail import api_errors
from sailing.mail.api_errors import ApiFailure
from sailing.mail.models import MailPriority, OutboxEmail
from sailing.mail.pace import Pace
from sailing.mail.smtp import PatientSMTP

IDLE_SECONDS = 5.0
"""How long a thread keeps its connection without a mail. Mail servers wait longer."""

MAX_MAILS = 100
"""Mails per connection. Many mail servers end a connection after as many."""

NEW_THREAD_SECONDS = 10.0
"""How long no thread is started after the mail server has allowed no further connection."""

LAST = max(MailPriority) + 1
"""The priority of mails that are not in the outbox."""


class Outcome(Enum):
    """The result of a delivery."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good: a 5xx reply to the recipient or the content (RFC 5321 section 4.2.1), or a mail that cannot
    be written."""
    POSTPONED = auto()
    """For now: a 4xx reply about this recipient or this mail."""
    THROTTLED = auto()
    """For now: the server takes no more mails at this rate."""
    INTERRUPTED = auto()
    """The server broke off or refused the sender's address. Other mails would fare no better now."""
    UNKNOWN = auto()
    """The server broke off after the text was sent, so it may have accepted the mail (RFC 1047)."""
    UNREACHABLE = auto()
    """There is no connection, so the mail was not tried."""
    NOT_STARTED = auto()
    """Handed back, because the mail server is away or the process ends."""


MAX_REFUSALS = 5
"""How often a mail may be throttled while others are accepted. After that, the mail is the reason."""

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

    `is_bounced`: the mail server says that the address does not work. `may_concern_session`: the reply may be
    about the connection, so that another connection would do.
    """

    mail: Any
    outcome: Outcome
    error: str = ""
    is_bounced: bool = False
    may_concern_session: bool = False

    @property
    def reason(self) -> str:
        """The code of the reply, or the name of the error: the log quotes no mail server."""
        return self.error.split(maxsplit=1)[0].rstrip(":")


@dataclass
class WaitingMail:
    """A mail that waits for a thread, and until when it may be started.

    `started_at`: when it was started last. `accepted_count`: how many mails the server had accepted when it
    throttled this one. `refusals`: how often it did so again, although it accepted others in between.
    """

    mail: Mail
    start_before: float
    started_at: float = 0.0
    accepted_count: int | None = None
    refusals: int = 0


class DeliveryThreads:
    """At most EMAIL_CONNECTIONS threads, and the mails that wait for one.

    Urgent mails come first, and one thread takes nothing else, so that an urgent mail never waits for the
    slow delivery of another. (A single thread takes all.) Mails that are not in the outbox come last. All
    threads share the pace that the server allows, so urgent mails come first at a slow one too.
    """

    def __init__(self, on_delivery: Callable[[], object]) -> None:
        """`on_delivery` is called in a thread after each delivery."""
        self.size = settings.EMAIL_CONNECTIONS
        self._on_delivery = on_delivery
        self._changed = threading.Condition()
        self._pace = Pace()
        self._waiting: dict[int, deque[WaitingMail]] = {rank: deque() for rank in (*MailPriority, LAST)}
        self._threads = 0
        self._new_thread_at = 0.0
        self._under_way = dict.fromkeys(self._waiting, 0)
        self._deliveries: list[Delivery] = []
        self._is_closed = False

    def add(self, mails: Collection[Mail], *, start_before: float) -> None:
        """Deliver mails. One not started before a time (`time.monotonic`) is handed back."""
        with self._changed:
            for mail in mails:
                self._waiting[_get_rank(mail)].append(WaitingMail(mail, start_before))
            size = self.size if time.monotonic() >= self._new_thread_at else 1
            needed = min(size, self._count())
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
            while waiting := self._wait_for_mail():
                delivery = connection.deliver(waiting.mail)
                with self._changed:
                    self._under_way[_get_rank(waiting.mail)] -= 1
                    self._pace.record_end(is_accepted=delivery.outcome is Outcome.ACCEPTED)
                    if delivery.outcome is Outcome.UNREACHABLE and self._requeue_if_others_run(waiting):
                        break
                    self._finish(waiting, delivery)
                    if self._is_closed:
                        self._changed.notify_all()
                self._on_delivery()
        finally:
            connection.close()

    def _requeue_if_others_run(self, waiting: WaitingMail) -> bool:
        """Give the mail to the other threads and return True; the caller then ends this thread.

        The server may allow fewer connections. Return False in the last thread, which reports the server as
        unreachable.
        """
        if self._threads == 1 or self._is_closed:
            self._new_thread_at = 0.0
            return False
        self._threads -= 1
        self._new_thread_at = time.monotonic() + NEW_THREAD_SECONDS
        self._waiting[_get_rank(waiting.mail)].appendleft(waiting)
        self._changed.notify()
        return True

    def _finish(self, waiting: WaitingMail, delivery: Delivery) -> None:
        """Keep a delivery for its recording, or try a throttled mail again."""
        if delivery.outcome is Outcome.THROTTLED:
            seen, waiting.accepted_count = waiting.accepted_count, self._pace.accepted_count
            if seen is None or seen == self._pace.accepted_count:
                self._pace.slow_down(started_at=waiting.started_at)
            else:
                waiting.refusals += 1
            if self._is_closed:
                delivery = replace(delivery, outcome=Outcome.NOT_STARTED)
            elif self._pace.is_stuck:
                delivery = replace(delivery, outcome=Outcome.UNREACHABLE)
            elif waiting.refusals < MAX_REFUSALS:
                # Behind the others, whose acceptance would show that it is not the rate.
                self._waiting[_get_rank(waiting.mail)].append(waiting)
                self._changed.notify()
                return
            else:
                delivery = replace(delivery, outcome=Outcome.POSTPONED)
        self._deliveries.append(delivery)
        if delivery.outcome in SERVER_PROBLEMS:
            self._hand_back_waiting()

    def _wait_for_mail(self) -> WaitingMail | None:
        """Return the next mail to deliver, or None if the thread has to end."""
        end = time.monotonic() + IDLE_SECONDS
        with self._changed:
            while True:
                delay = self._pace.get_delay()
                if not delay and (waiting := self._next_mail()):
                    waiting.started_at = self._pace.record_start()
                    self._under_way[_get_rank(waiting.mail)] += 1
                    return waiting
                seconds = end - time.monotonic()
                # Mails that wait for the pace keep their threads: nothing else would start one for them.
                is_paced = delay > 0 and any(self._waiting.values())
                if self._is_closed or (seconds <= 0 and not is_paced):
                    self._threads -= 1
                    return None
                self._changed.wait(delay or seconds)

    def _next_mail(self) -> WaitingMail | None:
        now = time.monotonic()
        others = sum(self._under_way.values()) - self._under_way[MailPriority.URGENT]
        for priority, mails in self._waiting.items():
            if priority != MailPriority.URGENT and others >= max(1, self.size - 1):
                return None
            while mails:
                waiting = mails.popleft()
                if now < waiting.start_before:
                    return waiting
                self._deliveries.append(Delivery(waiting.mail, Outcome.NOT_STARTED))
        return None

    def _hand_back_waiting(self) -> None:
        for mails in self._waiting.values():
            self._deliveries += [Delivery(waiting.mail, Outcome.NOT_STARTED) for waiting in mails]
            mails.clear()


def _get_rank(mail: Mail) -> int:
    return mail.priority if isinstance(mail, OutboxEmail) else LAST


class Connection:
    """A connection to the mail server, opened for its first mail and then reused."""

    def __init__(self) -> None:
        self._backend: Any = None
        self._mails = 0
        self._has_helped = True
        """Whether the last mail that was tried over a new connection was accepted."""
        self._has_refused = False
        """Whether the last mail was refused for now, perhaps because of the connection."""

    def deliver(self, mail: Mail) -> Delivery:
        """Hand a mail to the mail server. Raises nothing."""
        if not is_permitted(mail.recipient):
            return Delivery(mail, Outcome.REFUSED, "MAIL_ONLY_TO: does not permit this address")
        if not mail.recipient.isascii():  # RFC 6531 is needed for it, which few servers support
            return Delivery(mail, Outcome.REFUSED, "NotASCII: no server takes such letters", True)
        is_reused, mails_before = self._backend is not None, self._mails
        delivery = self._try(mail)
        # The server may close a connection between two mails.
        if is_reused and delivery.outcome is Outcome.INTERRUPTED:
            delivery = self._try(mail)
        elif is_reused and mails_before and delivery.may_concern_session:
            delivery = self._try_over_new_connection(mail, delivery)
        else:
            self._has_refused = False
        return delivery

    def _try_over_new_connection(self, mail: Mail, refused: Delivery) -> Delivery:
        """Try a mail again in case the server takes no more mails over this connection.

        If that did not help the last time, such replies are about recipients, unless two follow each other.
        """
        if not (self._has_helped or self._has_refused or refused.outcome is Outcome.THROTTLED):
            self._has_refused = True
            return refused
        self.close()
        delivery = self._try(mail)
        self._has_helped = delivery.outcome is Outcome.ACCEPTED
        self._has_refused = False
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
            outcome, is_bounced = _classify(error, getattr(connection, "has_sent_text", False))
            # The connection knows whether the text was sent; without a reply, its fate is unknown then.
            if outcome is Outcome.INTERRUPTED and _get_reply(error) is None:
                outcome = Outcome.UNKNOWN if getattr(connection, "has_sent_text", False) else outcome
            return Delivery(mail, outcome, _describe(error), is_bounced, _may_concern_session(error))
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


def is_permitted(recipient: str) -> bool:
    """Return whether MAIL_ONLY_TO, a list of addresses and domains, permits a mail to an address."""
    permitted, address = settings.MAIL_ONLY_TO, recipient.lower()
    return not permitted or address in permitted or address.rpartition("@")[2] in permitted


def _build_message(mail: OutboxEmail) -> EmailMultiAlternatives:
    headers = {**mail.headers, "Message-ID": mail.message_id}
    message = EmailMultiAlternatives(
        mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.recipient], headers=headers
    )
    message.attach_alternative(mail.html, "text/html")
    return message


SERVER_RULE = re.compile("relay|auth|polic|spam|block|denied|reputation", re.IGNORECASE)
"""Words of replies that refuse the sender, the content or the client, and not the address."""


ABOUT_THE_MAIL = ((1, 7), (1, 8), (2, 2), (2, 3), (4, 7))
"""Details of 5.1, 5.2 and 5.4 that do not say that the address is wrong (RFC 3463 section 3)."""

THROTTLING = re.compile(
    r"throttl|too (many|much|fast)|slow down|\brates?\b|\blimit|quota|exceed|maximum", re.IGNORECASE
)
"""Words of temporary replies about how many mails the server takes."""

MAILBOX = re.compile(r"4\.[12]\.\d|gr[ae]y.?list", re.IGNORECASE)
"""Temporary replies about one recipient (RFC 3463 section 3; RFC 6647), whatever else they say."""

API_OUTCOMES = {
    ApiFailure.NOT_TRIED: (Outcome.UNREACHABLE, False),
    ApiFailure.THROTTLED: (Outcome.THROTTLED, False),
    ApiFailure.SENDER_REFUSED: (Outcome.INTERRUPTED, False),
    ApiFailure.RECIPIENT_REFUSED: (Outcome.REFUSED, True),
    ApiFailure.MAIL_REFUSED: (Outcome.REFUSED, False),
    ApiFailure.UNKNOWN: (Outcome.UNKNOWN, False),
}


def _classify(error: Exception, has_sent_text: bool) -> tuple[Outcome, bool]:
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
        if is_broken_off:
            return Outcome.INTERRUPTED, False
        # The mail cannot be written, now or later.
        return Outcome.UNKNOWN if has_sent_text else Outcome.REFUSED, False
    code, text = reply
    if _is_throttled(code, text):
        return Outcome.THROTTLED, False
    # 421: the server is closing. The sender is the same in all mails, and an admin can correct it.
    if code == 421 or isinstance(error, smtplib.SMTPSenderRefused):
        return Outcome.INTERRUPTED, False
    if 500 <= code <= 599:
        is_recipient = isinstance(error, smtplib.SMTPRecipientsRefused)
        return Outcome.REFUSED, is_address_refused(code, text, is_recipient=is_recipient)
    return Outcome.POSTPONED, False


def _is_throttled(code: int, text: str) -> bool:
    """Return whether a temporary reply says that the server takes no more mails now."""
    return 400 <= code <= 499 and bool(THROTTLING.search(text)) and not MAILBOX.search(text)


def _may_concern_session(error: Exception) -> bool:
    """Return whether another connection may do: for a temporary reply that is not about the recipient.

    Servers that take a number of mails over a connection say so with 421, 450, 451 or 452, and any text.
    """
    code, text = _get_reply(error) or (0, "")
    return 400 <= code <= 499 and not MAILBOX.search(text)


def is_address_refused(code: int, text: str, *, is_recipient: bool = True) -> bool:
    """Return whether a 5xx reply means that the address does not work (RFC 3463 section 3).

    A mailbox, its domain or its route does not exist: 5.0, 5.1, 5.2 and 5.4. The others are about the mail
    server, the protocol, the content or a policy, and so are some details of these: the sender's address, a
    full mailbox, a long mail, an expired delivery. A reply without such a status counts if it refuses the
    recipient (`is_recipient`) and names no rule of the server: wrong credentials must not make every address
    undeliverable ("550 relay not permitted").
    """
    status = re.match(r"5\.(\d{1,3})\.(\d{1,3})\b", text)
    if status is None:
        return is_recipient and code in (550, 551, 553) and not SERVER_RULE.search(text)
    subject, detail = int(status[1]), int(status[2])
    return subject in (0, 1, 2, 4) and (subject, detail) not in ABOUT_THE_MAIL


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
