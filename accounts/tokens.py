"""Bearer tokens: JSON Web Tokens (RFC 7519) of members. `ver` is the member's `token_version`."""

import re
import uuid
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
from django.conf import settings
from django.contrib.auth.backends import BaseBackend
from django.core import signing
from django.db.models import Exists
from django.http import HttpRequest
from django.utils import timezone
from graphql_jwt.settings import jwt_settings
from graphql_jwt.utils import jwt_encode

from accounts.models import RevokedToken, User

LIFETIME: timedelta = jwt_settings.JWT_EXPIRATION_DELTA
CLAIMS = ["aud", "exp", "iat", "iss", "jti", "sub", "ver"]

COOKIE = "sailing_device"
COOKIE_SALT = "accounts.device_cookie"


@dataclass(frozen=True)
class IssuedToken:
    """What identifies a bearer token. `version`: the member's `token_version` when it was issued."""

    user_id: int
    version: int
    jti: str
    expires_at: int  # in Unix time


class BearerTokenBackend(BaseBackend):
    def authenticate(  # type: ignore[override]
        self, request: HttpRequest | None, bearer_token: str
    ) -> User | None:
        """Return the owner of a valid token, in one query."""
        try:
            return find_member(identify(bearer_token))
        except jwt.InvalidTokenError:
            return None


def identify(token: str) -> IssuedToken:
    """Read a token signed with the key or a fallback key. Raises jwt.InvalidTokenError."""
    for key in [jwt_settings.JWT_SECRET_KEY, *settings.JWT_SECRET_KEY_FALLBACKS]:
        with suppress(jwt.InvalidSignatureError):
            return _read(token, key)
    raise jwt.InvalidSignatureError


def find_member(token: IssuedToken) -> User | None:
    """Return the active member to whom a token belongs, or None if it was revoked or its session ended."""
    revoked = RevokedToken.objects.filter(jti=token.jti)
    user = User.objects.filter(~Exists(revoked), pk=token.user_id, is_active=True).first()
    is_valid = user is not None and (user.token_version == token.version or user.kept_jti == token.jti)
    return user if is_valid else None


def build_claims(user: User) -> dict[str, Any]:
    now = timezone.now()
    return {
        "sub": str(user.pk),
        "ver": user.token_version,
        "jti": str(uuid.uuid4()),
        "iat": now,
        "exp": now + LIFETIME,
        "aud": jwt_settings.JWT_AUDIENCE,
        "iss": jwt_settings.JWT_ISSUER,
    }


def issue(user: User) -> str:
    return str(jwt_encode(build_claims(user)))


def revoke(token: str) -> int:
    """Revoke a token and return its owner's id. Raises jwt.InvalidTokenError."""
    issued = identify(token)
    expires_at = datetime.fromtimestamp(issued.expires_at, tz=UTC)
    RevokedToken.objects.filter(expires_at__lt=timezone.now()).delete()
    RevokedToken.objects.get_or_create(jti=issued.jti, defaults={"expires_at": expires_at})
    return issued.user_id


def build_cookie(token: str) -> dict[str, Any]:
    """Return the arguments of `HttpResponse.set_cookie` for the cookie that names a token.

    It tells the pages behind links in mails whose browser it is; the API ignores it (docs/decisions/017).
    """
    return {
        "key": COOKIE,
        "value": signing.dumps(astuple(identify(token)), salt=COOKIE_SALT),
        "max_age": int(LIFETIME.total_seconds()),
        "path": "/account/",
        "secure": settings.SESSION_COOKIE_SECURE,
        "httponly": True,
        "samesite": "Lax",
    }


def read_cookie(request: HttpRequest) -> IssuedToken | None:
    """Return the token that the cookie names; None without a valid cookie."""
    try:
        values = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return IssuedToken(*values)


def _read(token: str, key: str) -> IssuedToken:
    claims: dict[str, Any] = jwt.decode(
        token,
        key,
        algorithms=[jwt_settings.JWT_ALGORITHM],
        audience=jwt_settings.JWT_AUDIENCE,
        issuer=jwt_settings.JWT_ISSUER,
        # The clocks of two machines differ: a new token of one must be valid on the other.
        options={"require": CLAIMS, "verify_iat": False},
    )
    # PyJWT has checked that `sub` and `jti`, which are used in database queries, are strings.
    sub, ver, jti = claims["sub"], claims["ver"], claims["jti"]
    if not (re.fullmatch("[0-9]{1,18}", sub) and type(ver) is int and len(jti) == 36):
        raise jwt.InvalidTokenError
    return IssuedToken(user_id=int(sub), version=ver, jti=jti, expires_at=int(claims["exp"]))
