"""What the replies of mail servers, and other errors of sending, mean for a mail."""

import re
import smtplib
from enum import Enum, auto

MAX_DESCRIPTION_LENGTH = 500


class DeliveryResult(Enum):
    """The result of handing a mail to the mail server."""

    ACCEPTED = auto()
    REFUSED = auto()
    """For good: a 5xx reply to the recipient or the content (RFC 5321 section 4.2.1), or a mail that cannot
    be written."""
    POSTPONED = auto()
    """For now: a 4xx reply about this recipient or this mail."""
    THROTTLED = auto()
    """For now: the server takes no more mails at this rate."""
    INTERRUPTED = auto()
    """The server broke off, or refused us. Other mails would get the same result now."""
    UNKNOWN = auto()
    """The server broke off after the text was sent, so it may have accepted the mail (RFC 1047)."""
    NOT_TRIED = auto()
    """There is no connection, the server takes no mails, or the process ends."""


ABOUT_US = re.compile(
    r"\b(?:helo|ehlo)\b|relay|block|reputation|black.?list|reverse dns|\br?dns\b|\bptr\b|\bauth",
    re.IGNORECASE,
)
"""Words of replies about our greeting, IP address or account: another mail would get the same reply."""

ABOUT_CONTENT = re.compile("polic|spam|denied", re.IGNORECASE)
"""Words of other replies that do not say that the address is wrong."""

ABOUT_THE_MAIL = ((1, 7), (1, 8), (2, 2), (2, 3), (4, 7))
"""Details of 5.1, 5.2 and 5.4 that do not say that the address is wrong (RFC 3463 section 3)."""

THROTTLING = re.compile(
    r"throttl|too (many|much|fast)|slow down|\brates?\b|\blimit|quota|exceed|maximum", re.IGNORECASE
)
"""Words of temporary replies about how many mails the server takes."""

MAILBOX = re.compile(r"4\.[12]\.\d|gr[ae]y.?list|mailbox|inbox|over.?quota|storage", re.IGNORECASE)
"""Temporary replies about one recipient (RFC 3463 section 3; RFC 6647), whatever else they say."""


def classify(error: Exception, has_sent_text: bool) -> tuple[DeliveryResult, bool]:
    """Return the result of a failed attempt, and whether the address is to blame."""
    if isinstance(error, smtplib.SMTPHeloError | smtplib.SMTPAuthenticationError):
        return DeliveryResult.NOT_TRIED, False
    reply = get_reply(error)
    if reply is None:
        if has_sent_text:
            return DeliveryResult.UNKNOWN, False
        is_broken_off = isinstance(error, smtplib.SMTPServerDisconnected) or (
            isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
        )
        # Otherwise the mail cannot be written, now or later.
        return DeliveryResult.INTERRUPTED if is_broken_off else DeliveryResult.REFUSED, False
    code, text = reply
    if 400 <= code <= 499 and THROTTLING.search(text) and not MAILBOX.search(text):
        return DeliveryResult.THROTTLED, False
    # 421: the server is closing. The sender is the same in all mails, and an admin can correct it.
    if code == 421 or isinstance(error, smtplib.SMTPSenderRefused):
        return DeliveryResult.INTERRUPTED, False
    if 500 <= code <= 599:
        is_recipient = isinstance(error, smtplib.SMTPRecipientsRefused)
        if _is_about_us(text, is_recipient=is_recipient):
            return DeliveryResult.INTERRUPTED, False
        return DeliveryResult.REFUSED, is_address_refused(code, text, is_recipient=is_recipient)
    return DeliveryResult.POSTPONED, False


def _is_about_us(text: str, *, is_recipient: bool) -> bool:
    """Return whether a 5xx reply is about this server or its account, and not about the mail.

    After the text, "blocked" is the word of a content filter. A status about an address counts more.
    """
    if re.match(r"5\.[124]\.\d", text):
        return False
    words = ABOUT_US.findall(text)
    return any(is_recipient or word.lower() != "block" for word in words)


def may_concern_session(error: Exception) -> bool:
    """Return whether another connection may do: for a temporary reply that is not about the recipient.

    Servers that take a number of mails over a connection say so with 421, 450, 451 or 452, and any text.
    """
    code, text = get_reply(error) or (0, "")
    return 400 <= code <= 499 and not MAILBOX.search(text)


def is_address_refused(code: int, text: str, *, is_recipient: bool = True) -> bool:
    """Return whether a 5xx reply means that the address does not work (RFC 3463 section 3).

    A mailbox, its domain or its route does not exist: 5.1, 5.2 and 5.4. The others are about the mail server,
    the protocol, the content or a policy, and so are some details of these: the sender's address, a full
    mailbox, a long mail, an expired delivery. A reply without such a status, or with 5.0, counts if it
    refuses the recipient (`is_recipient`) and names no rule of the server.
    """
    status = re.match(r"5\.(\d{1,3})\.(\d{1,3})\b", text)
    if status is None or status[1] == "0":
        has_rule = ABOUT_US.search(text) or ABOUT_CONTENT.search(text)
        return is_recipient and code in (550, 551, 553) and not has_rule
    subject, detail = int(status[1]), int(status[2])
    return subject in (1, 2, 4) and (subject, detail) not in ABOUT_THE_MAIL


def get_reply(error: Exception) -> tuple[int, str] | None:
    """Return code and text of the reply that caused an error, if there is one."""
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        ((code, text),) = error.recipients.values()
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return None
    return code, text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def describe(error: Exception) -> str:
    """Describe an error for Django admin, without the addresses and links that mail servers quote."""
    reply = get_reply(error)
    text = f"{reply[0]} {reply[1]}" if reply else f"{type(error).__name__}: {error}"
    printable = "".join(character if character.isprintable() else " " for character in text)
    return re.sub(r"\S*[@/%]\S*", "…", printable)[:MAX_DESCRIPTION_LENGTH]
