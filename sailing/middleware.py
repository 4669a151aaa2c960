"""What holds for every request: security headers, the client's address, the language."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers

from sailing.client_address import UNKNOWN, current_client, get_client, parse_address
from sailing.email import token_paths
from sailing.errors import RateLimited

NextLayer = Callable[[HttpRequest], HttpResponse]

LANGUAGES = frozenset(code for code, _ in settings.LANGUAGES)

SECURITY_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Chromium warns of `bluetooth` where it has no Web Bluetooth, as on Linux; elsewhere it knows the name.
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(self), bluetooth=(), camera=(), display-capture=(), fullscreen=(), "
        "geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), "
        "picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()"
    ),
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": settings.X_FRAME_OPTIONS,
}

HSTS = "Strict-Transport-Security"
TLS_HEADERS = (
    {HSTS: f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains"}
    if settings.SECURE_HSTS_SECONDS
    else {}
)
"""For answers over TLS alone: over plain HTTP anybody can write them (RFC 6797 section 7.2)."""


class HeadMiddleware:
    """Answers HEAD with the headers of GET and no body (RFC 9110, section 9.3.2).

    gunicorn would drop the body as well, and write a warning each time.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:  # WhiteNoise's files know it themselves
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class SecurityHeadersMiddleware:
    """Puts the headers of the OWASP HTTP Headers Cheat Sheet on every answer.

    Django's SecurityMiddleware does not see the answers of the layers above it (health, a refused
    host), and this one does. A view that needs a stricter value sets its own; the paths of links in
    mails have stricter values whoever answers.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if token_paths.has_token(request.path):
            for name, value in token_paths.HEADERS.items():
                response.headers[name] = value
        headers = SECURITY_HEADERS | TLS_HEADERS if request.is_secure() else SECURITY_HEADERS
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response


class ClientAddressMiddleware:
    """Makes REMOTE_ADDR the address of the client, and the client known where no request is at hand.

    Each trusted proxy appends the address that it saw to X-Forwarded-For; with N such proxies the
    client's is the Nth entry from the right. Everything left of it is the client's own word. Without
    trusted proxies, or with fewer entries than proxies, the address of the connection stays. An entry that
    is no address becomes "unknown", one client for all of them.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        count = settings.TRUSTED_PROXY_COUNT
        if count:
            entries = [entry.strip() for entry in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
            if len(entries) >= count and entries[-count]:
                request.META["REMOTE_ADDR"] = str(parse_address(entries[-count]) or UNKNOWN)
        reset = current_client.set(get_client(request))
        try:
            return self.get_response(request)
        finally:
            current_client.reset(reset)


def language_of(request: HttpRequest) -> str:
    """The language that the visitor chose: `?lang=`, else the language cookie, else English."""
    return next((code for code in _choices(request) if code in LANGUAGES), settings.LANGUAGE_CODE)


def _choices(request: HttpRequest) -> tuple[str, str]:
    return request.GET.get("lang", ""), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")


class LanguageMiddleware:
    """Answers in the language the visitor chose: `?lang=`, else the language cookie, else English.

    Unlike Django's LocaleMiddleware it leaves Accept-Language alone: the choice is the visitor's, not
    the browser's. A choice made by `?lang=` is kept in the cookie.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen, kept = _choices(request)
        language = language_of(request)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        patch_vary_headers(response, ["Cookie"])
        response.headers.setdefault("Content-Language", language)
        if chosen == language and chosen != kept:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                secure=settings.LANGUAGE_COOKIE_SECURE,
                samesite="Lax",
            )
        return response


class RateLimitedMiddleware:
    """Answers 429 for a page whose view raised RateLimited, as the hashing of passwords does anywhere."""

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, RateLimited):
            return None
        page = render_to_string("429.html", {"message": exception.message})
        return HttpResponse(
            page, status=exception.status, headers={"Retry-After": str(exception.retry_after)}
        )
