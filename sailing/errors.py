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
    "database TLS failed": ("certificate", "SSL error", "does not support SSL"),
    "database host name unknown": ("could not translate host name",),
    "database refuses this host": ("no pg_hba.conf entry",),
    "pooler without its database": (
        "cannot connect to server",
        "server login has been failing",
        "query_wait_timeout",
    ),
    "pooler refuses a startup parameter": ("unsupported startup parameter",),
    "database password refused": ("password authentication failed", "no password supplied"),
    "database or its user does not exist": ("no such database", "no such user", '" does not exist'),
    "no database connection left": (
        "too many connections",
        "too many clients",
        "connection slots",
        "no more connections allowed",
    ),
    "database starting": ("starting up",),
    "database read-only": ("read-only", "readonly", "permission denied"),
    # The last one is to a new connection.
    "database disk full": ("No space left", "disk is full", "could not write init file"),
    "database storage failed": ("disk I/O error",),
    "database out of memory": ("out of memory",),
    "database slow": ("statement timeout", "lock timeout", "database is locked"),
    "database refuses connections": ("Connection refused", "No such file or directory"),
    "database host does not answer": (
        "timeout expired",
        "timed out",
        "No route to host",
        "Network is unreachable",
    ),
}
"""Our names for outages, with parts of their messages. A refused connection has no SQLSTATE in the driver."""

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
    found = (name for name, parts in OUTAGES.items() if any(part in text for part in parts))
    return next(found, "database unavailable")


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
