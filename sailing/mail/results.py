"""Attempts to deliver a mail, and their results."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

from django.core.mail import EmailMultiAlternatives


class Mail(Protocol):
    """A mail to one recipient. Mails with a lower `priority` are delivered first."""

    pk: Any
    recipient: str
    priority: int

    def build_message(self) -> EmailMultiAlternatives:
        """Return the message. Called in the thread that delivers it, without a database."""


class DeliveryResult(Enum):
    """The result of a delivery."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good: a 5xx reply to the recipient or the content (RFC 5321 section 4.2.1), or a mail that cannot
    be written."""
    POSTPONED = auto()
    """For now: a 4xx reply about this recipient or this mail."""
    THROTTLED = auto()
    """For now: the server takes no more mails at this rate."""
    UNEXPLAINED = auto()
    """For now: an API refused the mail, its sender or the account. `sailing.mail.delivery` decides which: it
    reports POSTPONED if it may be the mail."""
    INTERRUPTED = auto()
    """The server broke off or refused the sender's address. Other mails would fare no better now."""
    UNKNOWN = auto()
    """The server broke off after the text was sent, so it may have accepted the mail (RFC 1047)."""
    UNREACHABLE = auto()
    """There is no connection, so the mail was not tried."""
    NOT_STARTED = auto()
    """Handed back, because the mail server is unavailable or the process ends."""


SERVER_PROBLEMS = {DeliveryResult.INTERRUPTED, DeliveryResult.UNKNOWN, DeliveryResult.UNREACHABLE}


@dataclass(frozen=True)
class DeliveryAttempt:
    """What happened to a mail. `error` contains no address and no link.

    `is_bounced`: the mail server says that the address does not work. `may_concern_session`: the reply may be
    about the connection, so that another connection would do.
    """

    mail: Any
    result: DeliveryResult
    error: str = ""
    is_bounced: bool = False
    may_concern_session: bool = False

    @property
    def reason(self) -> str:
        """The code of the reply, or the name of the error: the log quotes no mail server."""
        return self.error.split(maxsplit=1)[0].rstrip(":")
