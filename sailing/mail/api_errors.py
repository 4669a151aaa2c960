"""What the errors of an email provider's HTTP API (django-anymail) mean for a mail.

Status codes and Anymail's exceptions decide, not the texts of providers. 400 and 422 may be about the sender,
the account, the content or an address that Anymail does not recognize as refused. An admin can correct most
of that, so the mail is tried again, alone, until its attempts are used up. Several such refusals in a row of
mails that are not in the outbox pause these.
"""

from django.conf import settings

from sailing.mail.results import DeliveryResult

RESULTS = {
    **dict.fromkeys((401, 402, 403, 404, 405, 408, 503), DeliveryResult.UNREACHABLE),
    413: DeliveryResult.REFUSED,
    429: DeliveryResult.THROTTLED,
}
"""Credentials, payment, the address of the API or an outage: any mail would have failed. A mail that is too
large. Too many requests."""


def classify(error: Exception) -> tuple[DeliveryResult, bool] | None:
    """Return the result of an attempt, and whether the address is to blame.

    Return None if the error is none of an HTTP API.
    """
    if not settings.EMAIL_BACKEND.startswith("anymail."):
        return None
    # Imported here because they import `requests`, which only providers need.
    import requests
    from anymail.exceptions import AnymailError, AnymailRecipientsRefused

    if isinstance(error, AnymailRecipientsRefused):
        return DeliveryResult.REFUSED, True
    if not isinstance(error, AnymailError):
        return None
    status = error.status_code
    if status is not None:
        is_refused = 400 <= status <= 499
        other = DeliveryResult.UNEXPLAINED if is_refused else DeliveryResult.UNKNOWN
        return RESULTS.get(status, other), False
    if isinstance(error, requests.ConnectTimeout | requests.exceptions.SSLError) or _has_not_connected(error):
        return DeliveryResult.UNREACHABLE, False
    if isinstance(error, requests.RequestException):  # it broke off after the request was sent
        return DeliveryResult.UNKNOWN, False
    return DeliveryResult.REFUSED, False  # Anymail cannot express the mail


def describe(error: Exception) -> str:
    """Return the reply in one line, or the name of the error that prevented one."""
    response = getattr(error, "response", None)
    if response is not None:
        return f"{response.status_code} {' '.join(response.text.split()) or response.reason}"
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {' '.join(str(part) for part in error.args)}"


def _has_not_connected(error: Exception) -> bool:
    """Return whether no connection was made, so that nothing was sent.

    `requests` has no error of its own for it. urllib3 has: the name is unknown, or the connection is refused.
    """
    from urllib3.exceptions import MaxRetryError, NewConnectionError

    cause = error.__cause__.args[0] if error.__cause__ and error.__cause__.args else None
    return isinstance(cause, MaxRetryError) and isinstance(cause.reason, NewConnectionError)
