"""Sessions, which only Django admin uses: their expiry."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils import timezone

from sailing.jobs import retention

retention.periods |= {
    "adminSession": timedelta(seconds=settings.SESSION_COOKIE_AGE),
    "languageCookie": timedelta(seconds=settings.LANGUAGE_COOKIE_AGE),
}


class SessionStore(db.SessionStore):
    """Django's sessions in the database (SESSION_ENGINE), where PostgreSQL refuses a key with a NUL.

    Its name stays: Django salts the data of a session with it.
    """

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(None if session_key and "\0" in session_key else session_key)


def fix_expiry(request: HttpRequest, **_signal: Any) -> None:
    """Let a session expire a fixed time after the sign-in. Receives `user_logged_in`.

    By default, Django extends a session by SESSION_COOKIE_AGE whenever something is stored in it.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


@retention.register
def purge_expired() -> bool:
    """Delete the expired sessions. Return False: none is left."""
    SessionStore.clear_expired()
    return False
