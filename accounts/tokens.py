"""What is in a bearer token, and when it stops counting.

A token names the member (`sub`), the version of their tokens (`ver`, raised by a changed password),
itself (`jti`, for signing out), who issued it for whom, and when it ends (RFC 7519 section 4.1).
"""

import uuid
from datetime import UTC, datetime
from typing import Any

import jwt
from django.db.models import Exists, OuterRef, Value
from django.utils import timezone
from graphql_jwt.settings import jwt_settings
from graphql_jwt.utils import get_payload

from accounts.models import RevokedToken, User

CLAIMS = ["aud", "exp", "iat", "iss", "jti", "sub", "ver"]


def payload(user: User, context: Any = None) -> dict[str, Any]:
    """The claims of a new token for a member."""
    now = timezone.now()
    return {
        "sub": str(user.pk),
        "ver": user.token_version,
        "jti": str(uuid.uuid4()),
        "iat": now,
        "exp": now + jwt_settings.JWT_EXPIRATION_DELTA,
        "aud": jwt_settings.JWT_AUDIENCE,
        "iss": jwt_settings.JWT_ISSUER,
    }


def decode(token: str, context: Any = None) -> dict[str, Any]:
    """The claims of a genuine token. Raises jwt.InvalidTokenError; a claim that is missing counts as that."""
    claims: dict[str, Any] = jwt.decode(
        token,
        jwt_settings.JWT_SECRET_KEY,
        algorithms=[jwt_settings.JWT_ALGORITHM],
        audience=jwt_settings.JWT_AUDIENCE,
        issuer=jwt_settings.JWT_ISSUER,
        options={"require": CLAIMS},
    )
    return claims


def issue(user: User) -> str:
    """A new token."""
    return str(jwt_settings.JWT_ENCODE_HANDLER(payload(user)))


def member(claims: dict[str, Any]) -> User | None:
    """The member whom genuine claims name, in one query; None when the token counts no more."""
    if not str(claims["sub"]).isdecimal() or not isinstance(claims["ver"], int):
        return None
    revoked = RevokedToken.objects.filter(jti=OuterRef("jti"))
    users = User.objects.annotate(jti=Value(str(claims["jti"]))).filter(~Exists(revoked))
    return users.filter(pk=claims["sub"], token_version=claims["ver"], is_active=True).first()


def revoke(token: str) -> int:
    """Make a token useless and return its member's id; doing it twice is as good as once.

    Raises JSONWebTokenError for one that is forged or has expired.
    """
    claims = get_payload(token)
    ends = datetime.fromtimestamp(claims["exp"], tz=UTC)
    RevokedToken.objects.filter(expires_at__lt=timezone.now()).delete()
    RevokedToken.objects.get_or_create(jti=str(claims["jti"]), defaults={"expires_at": ends})
    return int(claims["sub"])
