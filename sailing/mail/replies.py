"""What the replies of mail servers, and other errors of sending, mean for a mail."""

import re
import smtplib
from enum import Enum, auto

MAX_DESCRIPTION_LENGTH = 500


class DeliveryResult(Enum):
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


MAILBOX = r"4\.[12]\.\d|gr[ae]y.?list|mailbox|inbox|over.?quota|storage"
RATE = r"throttl|too (many|much|fast)|slow down|\brates?\b|\blimit|quota|exceed|maximum"
SENDER = r"\b(?:helo|ehlo)\b|relay|reputation|black.?list|reverse dns|\br?dns\b|\bptr\b|\bauth"
CONTENT = "polic|spam|denied"

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
"""Commands with their replies (RFC 3463 section 3; RFC 6647), and whether the address does not work.

The first match counts.
"""


def interpret(command: str, code: int, text: str) -> tuple[DeliveryResult, bool]:
    """Return what the reply to MAIL, RCPT or DATA means, and whether the address is to blame."""
    reply = f"{command} {code} {text}"
    return next((result, is_bounced) for words, result, is_bounced in MEANINGS if words.match(reply))


def classify(error: Exception, has_sent_text: bool) -> tuple[DeliveryResult, bool]:
    """Return the result of a failed attempt, and whether the address is to blame."""
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
    """Return a command, and the code and the text of the reply that caused an error, if there is one."""
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
    return re.sub(r"\S*[@/%]\S*", "…", printable)[:MAX_DESCRIPTION_LENGTH]
