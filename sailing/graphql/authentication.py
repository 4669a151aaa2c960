"""Who asks: the member of the bearer token, and nobody else.

The session of Django admin and cookies of any kind do not count in the API, so that no other site can
act for a visitor (OWASP Cross-Site Request Forgery Prevention Cheat Sheet).
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from graphql_jwt.exceptions import JSONWebTokenError
from graphql_jwt.settings import jwt_settings
from graphql_jwt.utils import get_payload


def bearer_token(request: HttpRequest) -> str:
    """The token of `Authorization: Bearer <token>`, whether or not it counts; blank without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def member_of(request: HttpRequest) -> Any:
    """The member whose bearer token came with a request; an AnonymousUser without a token that counts."""
    token = bearer_token(request)
    if not token:
        return AnonymousUser()
    try:
        member = jwt_settings.JWT_GET_USER_BY_NATURAL_KEY_HANDLER(get_payload(token))
    except JSONWebTokenError:
        member = None
    return member or AnonymousUser()
