"""Accounts of the benchmarked site."""

# ruff: noqa: I001 - Django is set up before models are imported

import benchmarks.django_setup  # noqa: F401

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from accounts import tokens
from accounts.models import User

EMAIL = "jana@example.org"
PASSWORD = "Fair-winds-2025"


def create_token() -> str:
    """Create a member and return a bearer token."""
    return tokens.issue(User.objects.create_user(EMAIL, PASSWORD, first_name="Jana", last_name="Nováková"))


def create_admin_cookie() -> str:
    """Create an admin and return a session cookie."""
    admin = User.objects.create_superuser("admin@example.org", PASSWORD)
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(admin.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = admin.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
