"""The errors of the API, one class per code, and the errors of a database that is unavailable.

Any other exception is unexpected: the caller gets INTERNAL (UNAVAILABLE for the database) and a fixed text,
the log gets the traceback.
"""

from math import ceil, inf
from typing import Any, TypeGuard

from django.db import InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

INSUFFICIENT_PRIVILEGE = "42501"
"""The SQLSTATE of a missing permission. Hosts take the permission to write from a database that is full."""

OUTAGES = {
    "certificate": "database TLS failed",
    "SSL error": "database TLS failed",
    "does not support SSL": "database TLS failed",
    "could not translate host name": "database host name unknown",
    "no pg_hba.conf entry": "database refuses this host",
    "cannot connect to server": "pooler without its database",
    "server login has been failing": "pooler without its database",
    "query_wait_timeout": "pooler without its database",
    "unsupported startup parameter": "pooler refuses a startup parameter",
    "password authentication failed": "database password refused",
    "no password supplied": "database password refused",
    "no such database": "database or its user does not exist",
    "no such user": "database or its user does not exist",
    '" does not exist': "database or its user does not exist",
    "too many connections": "no database connection left",
    "too many clients": "no database connection left",
    "connection slots": "no database connection left",
    "no more connections allowed": "no database connection left",
    "starting up": "database starting",
    "read-only": "database read-only",
    "readonly": "database read-only",
    "permission denied": "database read-only",
    "No space left": "database disk full",
    "disk is full": "database disk full",
    "could not write init file": "database disk full",  # to a new connection
    "disk I/O error": "database storage failed",
    "out of memory": "database out of memory",
    "statement timeout": "database slow",
    "lock timeout": "database slow",
    "database is locked": "database slow",
    "Connection refused": "database refuses connections",
    "No such file or directory": "database refuses connections",
    "timeout expired": "database host does not answer",
    "timed out": "database host does not answer",
    "No route to host": "database host does not answer",
    "Network is unreachable": "database host does not answer",
}
"""Parts of messages with our names for them. A refused connection has no SQLSTATE in the driver."""

OUTAGES_BY_STATE = {
    "53100": "database disk full",
    "53200": "database out of memory",
    "53300": "no database connection left",
    "53": "database out of resources",
    "58": "database storage failed",
}
"""Our names for SQLSTATEs and their classes (PostgreSQL, appendix A). Messages may be translated."""

STORAGE_PROBLEMS = (
    "database disk full",
    "database out of memory",
    "database out of resources",
    "database storage failed",
)
STATEMENT_PROBLEMS = frozenset({*STORAGE_PROBLEMS, "database read-only", "database slow"})
"""Problems of single statements, while there is a connection to the database."""


def is_database_unavailable(error: BaseException | None) -> TypeGuard[BaseException]:
    """Return whether an error says that the database is unavailable, busy, slow, full or read-only.

    Its other errors are bugs.
    """
    if isinstance(error, InterfaceError | InternalError | OperationalError):
        return True
    return _get_state(error) == INSUFFICIENT_PRIVILEGE


def describe_outage(error: BaseException) -> str:
    """Return what is wrong with the database, without the names and addresses in the driver's message."""
    if not is_database_unavailable(error):
        return "unexpected error"
    state = _get_state(error)
    if name := OUTAGES_BY_STATE.get(state) or OUTAGES_BY_STATE.get(state[:2]):
        return name
    text = str(error)
    return next((name for part, name in OUTAGES.items() if part in text), "database unavailable")


def _get_state(error: BaseException | None) -> str:
    """Return the SQLSTATE of an error of PostgreSQL; blank if it has none."""
    return getattr(error and error.__cause__, "pgcode", None) or ""


class ApiError(Exception):
    """An error whose message is shown to the user, in their language.

    `code` and `extensions` are sent as `extensions` of the GraphQL error; `status` is the HTTP status of a
    response without data.
    """

    code: str
    status = 200
    message: Any

    def __init__(self, message: Any = None, **extensions: Any) -> None:
        self.message = message or self.message
        super().__init__(self.message)
        self.extensions = {"code": self.code, **extensions}

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of a response without data."""
        retry_after = self.extensions.get("retryAfter")
        return {"Retry-After": str(retry_after)} if retry_after else {}


class BadUserInput(ApiError):
    """Invalid input; `field` names the field, so that the form can show the message there."""

    code = "BAD_USER_INPUT"

    def __init__(self, message: Any, *, field: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(ApiError):
    """The field is for members, and the request has no valid token."""

    code = "UNAUTHENTICATED"
    message = _("Please sign in.")


MOMENT_SECONDS = 5

WAITS: list[tuple[float, int, Any]] = [
    (
        59,
        1,
        ngettext_lazy(
            "Too many attempts. Please try again in %(number)d second.",
            "Too many attempts. Please try again in %(number)d seconds.",
            "number",
        ),
    ),
    (
        90 * 60,
        60,
        ngettext_lazy(
            "Too many attempts. Please try again in %(number)d minute.",
            "Too many attempts. Please try again in %(number)d minutes.",
            "number",
        ),
    ),
    (
        inf,
        3600,
        ngettext_lazy(
            "Too many attempts. Please try again in %(number)d hour.",
            "Too many attempts. Please try again in %(number)d hours.",
            "number",
        ),
    ),
]
"""The longest wait that is told in a unit, the seconds of the unit, and the message."""


class RateLimited(ApiError):
    """Too many attempts. `retry_after` is in seconds, and is also sent as the header Retry-After."""

    code = "RATE_LIMITED"
    status = 429

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(_describe_wait(retry_after), retryAfter=retry_after)
        self.retry_after = retry_after


def _describe_wait(seconds: int) -> Any:
    if seconds <= MOMENT_SECONDS:
        return _("Too many attempts. Please wait a moment and try again.")
    unit, message = next((unit, message) for end, unit, message in WAITS if seconds <= end)
    return message % {"number": ceil(seconds / unit)}


class Unavailable(ApiError):
    """Something that the response needs is temporarily unavailable."""

    code = "UNAVAILABLE"
    status = 503
    message = _("The service is briefly unavailable. Please try again in a moment.")

    def __init__(self) -> None:
        super().__init__(retryAfter=5)
