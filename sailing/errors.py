"""The errors that an app raises to answer a caller, one class a code, and those of a database that is away.

Whatever else is raised anywhere is an accident: the caller gets INTERNAL (UNAVAILABLE when it was the
database) and a fixed text, the log gets the traceback.
"""

from typing import Any

from django.db import InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext_lazy as _

DATABASE_AWAY = (InterfaceError, InternalError, OperationalError)
"""What a database raises that is away, busy, read-only or slow; its other errors are mistakes of ours."""


class ApiError(Exception):
    """An error whose message is meant for the person at the other end, in their language.

    `code` and `extensions` stand under `extensions` of the GraphQL error; `status` is the HTTP status
    of an answer that has no data beside it.
    """

    code = "INTERNAL"
    status = 500

    def __init__(self, message: Any, **extensions: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extensions = {"code": self.code, **extensions}


class BadUserInput(ApiError):
    """Input that breaks a rule; `field` names the input's field, so that the form can show it there."""

    code = "BAD_USER_INPUT"
    status = 200

    def __init__(self, message: Any, *, field: str) -> None:
        super().__init__(message, field=field)


class Unauthenticated(ApiError):
    """The field is for members, and no valid token came with the request."""

    code = "UNAUTHENTICATED"
    status = 200

    def __init__(self) -> None:
        super().__init__(_("Please sign in."))


class RateLimited(ApiError):
    """Too many tries; `retry_after` in seconds, also as the header Retry-After."""

    code = "RATE_LIMITED"
    status = 429

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(_("Too many attempts. Please wait a moment and try again."), retryAfter=retry_after)
        self.retry_after = retry_after


class Unavailable(ApiError):
    """Something that the answer needs is away for a while."""

    code = "UNAVAILABLE"
    status = 503

    def __init__(self) -> None:
        super().__init__(_("The service is briefly unavailable. Please try again in a moment."), retryAfter=5)
        self.retry_after = 5
