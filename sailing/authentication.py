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


def member_of(request: HttpRequest) -> Any:
    """The member of `Authorization: Bearer <token>`; an AnonymousUser without a token that counts."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        return AnonymousUser()
    try:
        member = jwt_settings.JWT_GET_USER_BY_NATURAL_KEY_HANDLER(get_payload(token.strip()))
    except JSONWebTokenError:
        member = None
    return member or AnonymousUser()
