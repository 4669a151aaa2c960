"""Cookie that names the bearer token of a browser for the pages behind links in mails.

A script keeps the bearer token, so these pages do not receive it. The response that issues a token therefore
sets this cookie too. It grants no access, and the API ignores it
(docs/decisions/017-verification-proves-ownership.md).
"""

from dataclasses import astuple
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

from accounts import tokens

NAME = "sailing_device"
PATH = "/account/"
SALT = "accounts.device_cookie"


def build(token: str) -> dict[str, Any]:
    """Return the cookie for a token, as arguments of `HttpResponse.set_cookie`."""
    return {
        "key": NAME,
        "value": signing.dumps(astuple(tokens.identify(token)), salt=SALT),
        "max_age": int(tokens.LIFETIME.total_seconds()),
        "path": PATH,
        "secure": settings.SESSION_COOKIE_SECURE,
        "httponly": True,
        "samesite": "Lax",
    }


def read(request: HttpRequest) -> tokens.IssuedToken | None:
    """Return the token that the cookie names; None without a valid cookie."""
    try:
        values = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT, max_age=tokens.LIFETIME)
    except signing.BadSignature:
        return None
    return tokens.IssuedToken(*values)
