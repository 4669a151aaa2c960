"""What is in a bearer token, and when it stops counting.

A token names the member (`sub`), the version of their tokens (`ver`, raised by a changed password and by
verifying the address), itself (`jti`, for signing out), who issued it for whom, and when it ends (RFC 7519
section 4.1).
"""

import re
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, Value
from django.utils import timezone
from graphql_jwt.settings import jwt_settings
from graphql_jwt.utils import get_payload

from accounts.models import RevokedToken, User


@dataclass(frozen=True)
class Issued:
    """A token that a browser was given: whose it is, and its `jti`."""

    user_id: int
    jti: str


JTI_LENGTH = 36  # of a UUID
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
    """The claims of a genuine token. Raises jwt.InvalidTokenError; a claim that is missing counts as that.

    What a key signed that has since been replaced is genuine as long as that key is a fallback.
    """
    *others, last = [jwt_settings.JWT_SECRET_KEY, *settings.JWT_SECRET_KEY_FALLBACKS]
    for key in others:
        with suppress(jwt.InvalidSignatureError):
            return _claims(token, key)
    return _claims(token, last)


def _claims(token: str, key: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(
        token,
        key,
        algorithms=[jwt_settings.JWT_ALGORITHM],
        audience=jwt_settings.JWT_AUDIENCE,
        issuer=jwt_settings.JWT_ISSUER,
        # Two machines' clocks are never quite the same: one's new token must count with the other.
        options={"require": CLAIMS, "verify_iat": False},
    )
    if not _is_ours(claims):
        raise jwt.InvalidTokenError
    return claims


def _is_ours(claims: dict[str, Any]) -> bool:
    """Whether the claims that we look up have the types that we write."""
    sub, ver, jti = claims["sub"], claims["ver"], claims["jti"]
    return (
        isinstance(sub, str)
        and re.fullmatch("[0-9]{1,18}", sub) is not None
        and type(ver) is int
        and 0 <= ver < 2**31
        and isinstance(jti, str)
        and len(jti) == JTI_LENGTH
    )


def issue(user: User) -> str:
    """A new token."""
    return str(jwt_settings.JWT_ENCODE_HANDLER(payload(user)))


def member(claims: dict[str, Any]) -> User | None:
    """The member whom genuine claims name, in one query; None when the token counts no more."""
    revoked = RevokedToken.objects.filter(jti=OuterRef("jti"))
    users = User.objects.annotate(jti=Value(claims["jti"])).filter(~Exists(revoked))
    # Verifying raises the version and keeps one token of the version before, until it is raised again.
    is_kept = Q(token_version=claims["ver"] + 1, kept_jti=claims["jti"])
    counts = Q(token_version=claims["ver"]) | is_kept
    return users.filter(counts, pk=claims["sub"], is_active=True).first()


def revoke(token: str) -> int:
    """Make a token useless and return its member's id; doing it twice is as good as once.

    Raises JSONWebTokenError for one that is forged or has expired.
    """
    claims = get_payload(token)
    ends = datetime.fromtimestamp(claims["exp"], tz=UTC)
    RevokedToken.objects.filter(expires_at__lt=timezone.now()).delete()
    RevokedToken.objects.get_or_create(jti=claims["jti"], defaults={"expires_at": ends})
    return int(claims["sub"])
