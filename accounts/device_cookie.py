"""Which token the browser that verifies an address has been given.

The page behind a verification link is opened without the bearer token, which a script keeps. So that
verifying can end all other tokens, the answer that gives a token also sets this cookie. It is sent to the
verification pages alone and names the member and the token's `jti`; it grants no access, and the API ignores
it (docs/decisions/017-verification-proves-ownership.md).
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
    """Have the answer to a GraphQL request set the cookie for a token that it gives."""
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
    """Return what the cookie of a request names; None without one of ours."""
    try:
        user_id, jti = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=tokens.LIFETIME)
    except signing.BadSignature:
        return None
    return tokens.IssuedToken(user_id=user_id, jti=jti)
