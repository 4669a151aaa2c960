"""Accounts of the benchmarked site."""

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from accounts import tokens
from accounts.models import User

EMAIL, ADMIN_EMAIL = "jana@example.org", "admin@example.org"
PASSWORD = "Fair winds, 2025!"


def create_token() -> str:
    """Return a bearer token of a member, who is created at the first call."""
    values = {"first_name": "Jana", "last_name": "Nováková"}
    member = User.objects.filter(email=EMAIL).first() or User.objects.create_user(EMAIL, PASSWORD, **values)
    return tokens.issue(member)


def create_admin_cookie() -> str:
    """Create an admin and return a session cookie."""
    admin = User.objects.create_superuser(ADMIN_EMAIL, PASSWORD)
    session = SessionStore()
    session[SESSION_KEY] = str(admin.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = admin.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
