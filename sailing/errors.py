"""The errors of the API, one class per code, and the errors of a database that is away.

Any other exception is unexpected: the caller gets INTERNAL (UNAVAILABLE for the database) and a fixed text,
the log gets the traceback.
"""

from typing import Any

from django.db import InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext_lazy as _

DATABASE_AWAY = (InterfaceError, InternalError, OperationalError)
"""Errors of a database that is away, busy, read-only or slow. Its other errors are bugs."""


class ApiError(Exception):
    """An error whose message is shown to the user, in their language.

    `code` and `extensions` are sent as `extensions` of the GraphQL error; `status` is the HTTP status of a
    response without data.
    """

    code = "INTERNAL"
    status = 500

    def __init__(self, message: Any, **extensions: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extensions = {"code": self.code, **extensions}

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of a response without data."""
        retry_after = self.extensions.get("retryAfter")
        return {"Retry-After": str(retry_after)} if retry_after else {}


class BadUserInput(ApiError):
    """Invalid input; `field` names the field, so that the form can show the message there."""

    code = "BAD_USER_INPUT"
    status = 200

    def __init__(self, message: Any, *, field: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(ApiError):
    """The field is for members, and the request has no valid token."""

    code = "UNAUTHENTICATED"
    status = 200

    def __init__(self) -> None:
        super().__init__(_("Please sign in."))


class RateLimited(ApiError):
    """Too many attempts. `retry_after` is in seconds, and is also sent as the header Retry-After."""

    code = "RATE_LIMITED"
    status = 429

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(_("Too many attempts. Please wait a moment and try again."), retryAfter=retry_after)
        self.retry_after = retry_after


class Unavailable(ApiError):
    """Something that the response needs is temporarily away."""

    code = "UNAVAILABLE"
    status = 503

    def __init__(self) -> None:
        super().__init__(_("The service is briefly unavailable. Please try again in a moment."), retryAfter=5)
