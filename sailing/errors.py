"""The errors of the API, one class per code, and the errors of a database that is unavailable."""

from math import ceil
from typing import Any, TypeGuard

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

MOMENT_SECONDS = 5
MAX_MINUTES = 90  # the longest wait that is told in minutes

# SQLSTATE codes.
QUERY_CANCELED = "57014"
INSUFFICIENT_PRIVILEGE = "42501"  # hosts take the permission to write from a database that is full


def is_database_unavailable(error: BaseException | None) -> TypeGuard[BaseException]:
    """Return whether an error says that the database is unavailable, busy, slow, full or read-only."""
    if isinstance(error, InterfaceError | InternalError | OperationalError):
        return True
    state = getattr(error and error.__cause__, "pgcode", "")
    # Without a SQLSTATE, psycopg2 raises its base class: the server has died before it could answer.
    return state == INSUFFICIENT_PRIVILEGE or (type(error) is DatabaseError and state is None)


def is_statement_timeout(error: BaseException) -> bool:
    return getattr(error.__cause__, "pgcode", "") == QUERY_CANCELED


class ApiError(Exception):
    """An error whose message the user sees. `status`: of a GraphQL response without data, or of a page."""

    code: str
    status = 200
    message: Any

    def __init__(self, message: Any = None, **extensions: Any) -> None:
        self.message = message or self.message
        super().__init__(self.message)
        self.extensions = {"code": self.code, **extensions}

    @property
    def headers(self) -> dict[str, str]:
        retry_after = self.extensions.get("retryAfter")
        return {"Retry-After": str(retry_after)} if retry_after else {}


class BadUserInput(ApiError):
    code = "BAD_USER_INPUT"

    def __init__(self, message: Any, *, field: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(ApiError):
    code = "UNAUTHENTICATED"
    message = _("Please sign in.")


class RateLimited(ApiError):
    """Too many attempts. `retry_after` is in seconds, and is also sent as the header Retry-After."""

    code = "RATE_LIMITED"
    status = 429

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(_describe_wait(retry_after), retryAfter=retry_after)
        self.retry_after = retry_after


def _describe_wait(seconds: int) -> str:
    if seconds <= MOMENT_SECONDS:
        return gettext("Too many attempts. Please wait a moment and try again.")
    if seconds <= MAX_MINUTES * 60:
        number = ceil(seconds / 60)
        message = ngettext(
            "Too many attempts. Please try again in %(number)d minute.",
            "Too many attempts. Please try again in %(number)d minutes.",
            number,
        )
    else:
        number = ceil(seconds / 3600)
        message = ngettext(
            "Too many attempts. Please try again in %(number)d hour.",
            "Too many attempts. Please try again in %(number)d hours.",
            number,
        )
    return message % {"number": number}


class Unavailable(ApiError):
    code = "UNAVAILABLE"
    status = 503
    message = _("The service is briefly unavailable. Please try again in a moment.")

    def __init__(self) -> None:
        super().__init__(retryAfter=5)
