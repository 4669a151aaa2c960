"""Sessions, which only Django admin has: how long they last, and how they end."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone


def fix_end(request: HttpRequest, **_signal: Any) -> None:
    """End a session a fixed time after its sign-in. Listens to `user_logged_in`.

    Without a fixed date, Django counts SESSION_COOKIE_AGE anew whenever something is stored in the session.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def purge_expired() -> bool:
    """Delete the sessions that have ended; return False, as none is left (`sailing.retention`)."""
    SessionStore.clear_expired()
    return False


def delete_sessions(user_keys: Collection[Any]) -> None:
    """Delete all sessions of these users. There are as many as admins signed in within the last hours."""
    users = {str(key) for key in user_keys}
    for session in Session.objects.all():
        if session.get_decoded().get(SESSION_KEY) in users:
            session.delete()
