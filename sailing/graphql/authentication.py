"""Authentication of API requests by bearer token only, so that no other site can act for a visitor."""

from typing import Any

from django.contrib.auth import authenticate as authenticate_with_backends
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from graphql_jwt.decorators import user_passes_test

from sailing.errors import Unauthenticated

member_required = user_passes_test(lambda user: user.is_authenticated, exc=Unauthenticated)


def get_bearer_token(request: HttpRequest) -> str:
    """Return the token of `Authorization: Bearer <token>`, valid or not; blank without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def authenticate(request: HttpRequest) -> Any:
    """Return the owner of a request's bearer token; an AnonymousUser without a valid token."""
    token = get_bearer_token(request)
    if not token:
        return AnonymousUser()
    return authenticate_with_backends(request, bearer_token=token) or AnonymousUser()
