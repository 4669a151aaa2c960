"""The score of Mozilla's HTTP Observatory for a response.

The modifiers are those of github.com/mdn/mdn-http-observatory (`src/grader/charts.js`, November 2026), except
the HSTS preload list and files of other origins, which our policy forbids. Penalties count first; bonuses are
added to a score of at least 90.
"""

import re
from collections.abc import Mapping
from http.cookies import Morsel
from typing import Any

BASE = 100
BONUSES_FROM = 90

PRIVATE_REFERRERS = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE = {"'unsafe-inline'", "'unsafe-eval'", "data:", "https:", "http:", "*", "blob:"}
SIX_MONTHS = 15_768_000


def score(headers: Mapping[str, str], cookies: Mapping[str, "Morsel[Any]"], redirect: str) -> int:
    """Return the score of a response. `redirect` is the target of the redirect from plain HTTP."""
    modifiers = details(headers, cookies, redirect).values()
    penalised = BASE + sum(modifier for modifier in modifiers if modifier < 0)
    bonuses = sum(modifier for modifier in modifiers if modifier > 0)
    return max(0, penalised + bonuses if penalised >= BONUSES_FROM else penalised)


def details(
    headers: Mapping[str, str], cookies: Mapping[str, "Morsel[Any]"], redirect: str
) -> dict[str, int]:
    """Return the modifier of each test."""
    policy = directives(headers.get("Content-Security-Policy", ""))
    hsts = strict_transport_security(headers.get("Strict-Transport-Security", ""))
    return {
        "content-security-policy": content_security_policy(policy),
        "cookies": cookie_flags(cookies, has_hsts=hsts == 0),
        "cross-origin-resource-sharing": cross_origin_sharing(headers),
        "redirection": 0 if redirect.startswith("https://") else -20,
        "referrer-policy": 5 if headers.get("Referrer-Policy") in PRIVATE_REFERRERS else -5,
        "strict-transport-security": hsts,
        "subresource-integrity": 0,  # all scripts are of the same origin
        "x-content-type-options": 0 if headers.get("X-Content-Type-Options") == "nosniff" else -5,
        "x-frame-options": framing(policy, headers.get("X-Frame-Options", "")),
        "cross-origin-resource-policy": {"same-origin": 10, "same-site": 10, "cross-origin": 0, "": 0}.get(
            headers.get("Cross-Origin-Resource-Policy", ""), -5
        ),
    }


def directives(policy: str) -> dict[str, list[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name.lower(): [source.lower() for source in sources] for name, *sources in parts}


def content_security_policy(policy: dict[str, list[str]]) -> int:
    if not policy:
        return -25
    default = policy.get("default-src", ["*"])
    scripts = set(policy.get("script-src", default)) | set(policy.get("object-src", default))
    if any(source.startswith("http:") for sources in policy.values() for source in sources):
        return -20
    if scripts & (UNSAFE - {"'unsafe-eval'"}):
        return -20
    if "'unsafe-eval'" in scripts:
        return -10
    if set(policy.get("style-src", default)) & UNSAFE:
        return 0
    is_closed = default == ["'none'"] and policy.get("form-action") in (["'none'"], ["'self'"])
    return 10 if is_closed else 5


def cookie_flags(cookies: Mapping[str, "Morsel[Any]"], *, has_hsts: bool) -> int:
    found = [0]
    for name, cookie in cookies.items():
        is_session = bool(re.search("login|sess", name))
        if not cookie["secure"]:
            found.append((-10 if is_session else -5) if has_hsts else (-40 if is_session else -20))
        if is_session and not cookie["httponly"]:
            found.append(-30)
        if "csrf" in name and not cookie["samesite"]:
            found.append(-20)
        if cookie["samesite"] not in ("", "Lax", "Strict"):
            found.append(-20)
    if min(found) == 0 and cookies and all(cookie["samesite"] for cookie in cookies.values()):
        return 5
    return min(found)


def cross_origin_sharing(headers: Mapping[str, str]) -> int:
    is_universal = headers.get("Access-Control-Allow-Origin") and headers.get(
        "Access-Control-Allow-Credentials"
    )
    return -50 if is_universal else 0


def strict_transport_security(value: str) -> int:
    found = re.search(r"max-age=(\d+)", value)
    if not found:
        return -20
    return 0 if int(found[1]) >= SIX_MONTHS else -10


def framing(policy: dict[str, list[str]], header: str) -> int:
    if policy.get("frame-ancestors") in (["'none'"], ["'self'"]):
        return 5
    return 0 if header.upper() in ("DENY", "SAMEORIGIN") else -20
