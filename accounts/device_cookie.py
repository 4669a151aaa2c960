"""Cookie that names the bearer token of the browser that verifies an address.

The bearer token is kept by a script, so the page behind a verification link does not receive it. The response
that issues a token therefore sets this cookie too, for the verification pages only. It names the member and
the token's `jti`, grants no access, and is ignored by the API
(docs/decisions/017-verification-proves-ownership.md).
"""

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

from accounts import tokens
from sailing.graphql.view import queue_cookie

NAME = "sailing_device"
PATH = "/account/verify/"
SALT = "accounts.device_cookie"


def remember(request: HttpRequest, token: str) -> None:
    """Set the cookie for a token in the response to a GraphQL request."""
    claims = tokens.decode(token)
    lifetime = int(tokens.LIFETIME.total_seconds())
    queue_cookie(
        request,
        NAME,
        signing.dumps([int(claims["sub"]), claims["jti"]], salt=SALT),
        max_age=lifetime,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def read(request: HttpRequest) -> tokens.IssuedToken | None:
    """Return the token that the cookie names; None without a valid cookie."""
    try:
        user_id, jti = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=tokens.LIFETIME)
    except signing.BadSignature:
        return None
    return tokens.IssuedToken(user_id=user_id, jti=jti)
