"""What the errors of an email provider's HTTP API (django-anymail) mean for a mail.

A request that broke off after it was sent, and most 5xx replies, leave open whether the provider accepted the
mail. Everything else says that it did not.
"""

import re
from enum import Enum, auto
from typing import Any

from django.conf import settings


class ApiFailure(Enum):
    """Why the provider did not accept a mail."""

    NOT_TRIED = auto()
    """No connection, no permission: any mail would have failed."""
    THROTTLED = auto()
    """Too many requests."""
    SENDER_REFUSED = auto()
    """The account or the sender's address: most other mails would have failed too."""
    RECIPIENT_REFUSED = auto()
    """The provider says that the address does not work."""
    MAIL_REFUSED = auto()
    UNKNOWN = auto()
    """Perhaps it did."""


NOT_TRIED_STATUSES = {401, 402, 403, 404, 405, 408, 503}
"""Credentials, payment, address of the API, outage."""

RECIPIENT = re.compile(r"'to' parameter|personalizations\.\d+\.to\b", re.IGNORECASE)
"""In the refusals of Mailgun and SendGrid. Postmark's have codes, which Anymail reads."""
SENDER = re.compile(r"\b(from|sender|signature|account|credits?|stream|domain|not allowed)\b", re.IGNORECASE)


def classify(error: Exception) -> ApiFailure | None:
    """Return the meaning of an error, or None if it is no error of an HTTP API."""
    if not settings.EMAIL_BACKEND.startswith("anymail."):
        return None
    # Imported here because they import `requests`, which only providers need.
    import requests
    from anymail.exceptions import AnymailError, AnymailRecipientsRefused

    if isinstance(error, AnymailRecipientsRefused):
        return ApiFailure.RECIPIENT_REFUSED
    if not isinstance(error, AnymailError):
        return None
    if isinstance(error, requests.ConnectTimeout | requests.exceptions.SSLError) or _has_not_connected(error):
        return ApiFailure.NOT_TRIED
    if isinstance(error, requests.ConnectionError | requests.Timeout):
        return ApiFailure.UNKNOWN
    status = getattr(error, "status_code", None)
    if status is None:  # before the request: Anymail cannot express the mail
        return ApiFailure.UNKNOWN if isinstance(error, requests.RequestException) else ApiFailure.MAIL_REFUSED
    if status == 429:
        return ApiFailure.THROTTLED
    if status in NOT_TRIED_STATUSES:
        return ApiFailure.NOT_TRIED
    if not 400 <= status <= 499:
        return ApiFailure.UNKNOWN
    text = _read_message(error)
    if RECIPIENT.search(text):
        return ApiFailure.RECIPIENT_REFUSED
    return ApiFailure.SENDER_REFUSED if SENDER.search(text) else ApiFailure.MAIL_REFUSED


def describe(error: Exception) -> str:
    """Return the reply in one line, or the name of the error that prevented one."""
    status = getattr(error, "status_code", None)
    if status is not None:
        return f"{status} {_read_message(error)}".strip()
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {' '.join(str(part) for part in error.args)}"


def _has_not_connected(error: Exception) -> bool:
    """Return whether no connection was made, so that nothing was sent.

    `requests` has no error of its own for it. urllib3 has: the name is unknown, or the connection is refused.
    """
    from urllib3.exceptions import MaxRetryError, NewConnectionError

    cause = error.__cause__.args[0] if error.__cause__ and error.__cause__.args else None
    return isinstance(cause, MaxRetryError) and isinstance(cause.reason, NewConnectionError)


def _read_message(error: Any) -> str:
    """Return the text of a refusal, with the fields that it names."""
    try:
        reply = error.response.json()
    except (AttributeError, ValueError):
        return str(getattr(error.response, "reason", "") or "")
    if not isinstance(reply, dict):
        return ""
    if isinstance(reply.get("errors"), list):  # SendGrid
        parts = [part for part in reply["errors"] if isinstance(part, dict)]
        return "; ".join(f"{part.get('field') or ''} {part.get('message') or ''}".strip() for part in parts)
    return str(reply.get("Message") or reply.get("message") or "")
