"""Sessions, which only Django admin uses: their expiry and deletion."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
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


def delete_sessions(user_keys: Collection[Any]) -> None:
    """Delete all sessions of these users. Only admins have sessions, so there are few to search."""
    users = {str(key) for key in user_keys}
    for session in Session.objects.all():
        if session.get_decoded().get(SESSION_KEY) in users:
            session.delete()
