"""Cookie that names the bearer token of the browser that verifies an address.

The bearer token is kept by a script, so the page behind a verification link does not receive it. The response
that issues a token therefore sets this cookie too, for the verification pages only. It names the member and
the token's `jti`, grants no access, and is ignored by the API
(docs/decisions/017-verification-proves-ownership.md).
"""

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

from accounts import tokens

NAME = "sailing_device"
PATH = "/account/verify/"
SALT = "accounts.device_cookie"


def build(token: str) -> dict[str, Any]:
    """Return the cookie for a token, as arguments of `HttpResponse.set_cookie`."""
    claims = tokens.decode(token)
    return {
        "key": NAME,
        "value": signing.dumps([int(claims["sub"]), claims["jti"]], salt=SALT),
        "max_age": int(tokens.LIFETIME.total_seconds()),
        "path": PATH,
        "secure": settings.SESSION_COOKIE_SECURE,
        "httponly": True,
        "samesite": "Lax",
    }


def read(request: HttpRequest) -> tokens.IssuedToken | None:
    """Return the token that the cookie names; None without a valid cookie."""
    try:
        user_id, jti = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=tokens.LIFETIME)
    except signing.BadSignature:
        return None
    return tokens.IssuedToken(user_id=user_id, jti=jti)
