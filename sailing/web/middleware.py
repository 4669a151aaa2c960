"""Middleware for every request: security headers, the address of the client, the language, error pages."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers

from sailing import outages
from sailing.client import UNKNOWN, current_client, get_client, parse_address
from sailing.errors import RateLimited, Unavailable, is_database_unavailable
from sailing.language import get_language, store_choice
from sailing.operations.redaction import LINK_PATHS

NextLayer = Callable[[HttpRequest], HttpResponse]

SECURITY_HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    # Without `bluetooth`: Chromium logs a warning for it on platforms without Web Bluetooth, such as Linux.
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(self), camera=(), display-capture=(), fullscreen=(), "
        "geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), "
        "picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()"
    ),
}

LINK_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex"}
"""For every response under a path with a token, also from before the views: nobody may cache or index it, or
name it as referrer to other sites. Links from these pages to our own carry `referrerpolicy="no-referrer"`,
because Google Analytics reports referrers."""

MEDIA_PATH = f"{settings.STATIC_URL}media/"
"""Mails and shared links show these pictures, in a browser from the origin of another site."""


class SecurityHeadersMiddleware:
    """Set the headers of the OWASP HTTP Headers Cheat Sheet that Django and django-csp leave out.

    A view may set a stricter value; token links always get stricter values.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(LINK_PATHS):
            for name, value in LINK_HEADERS.items():
                response.headers[name] = value
        if request.path.startswith(MEDIA_PATH):
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response


class ClientAddressMiddleware:
    """Set REMOTE_ADDR to the address of the client, and `current_client` for code without a request.

    Each trusted proxy appends the address that it saw to X-Forwarded-For, so with N proxies the client's
    is the Nth entry from the right. The client may forge everything left of it. Without trusted proxies, or
    with fewer entries than proxies, the address of the connection stays. All malformed entries count as one
    client, "unknown".
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


class LanguageMiddleware:
    """Respond in the language that the visitor chose, and store a choice made by `?lang=` in the cookie.

    Unlike Django's LocaleMiddleware it ignores Accept-Language, which is the browser's choice, except in
    Django admin.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_admin = request.path.startswith("/admin/")
        of_browser = translation.get_language_from_request(request) if is_admin else ""
        request.LANGUAGE_CODE = language = get_language(request, of_browser)
        with translation.override(language):
            response = self.get_response(request)
        patch_vary_headers(response, ["Cookie", *(["Accept-Language"] if is_admin else [])])
        response.headers.setdefault("Content-Language", language)
        if request.GET.get("lang") == language != request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME):
            store_choice(response, language)
        return response


class ErrorPageMiddleware:
    """Answer 429 for a page whose view raised RateLimited, and 503 for one that needs an absent database.

    Password hashing raises RateLimited anywhere. Django itself would answer 500.
    """

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        template, error = "429.html", exception
        if is_database_unavailable(exception):
            outages.report(exception)
            template, error = "500.html", Unavailable()
        if not isinstance(error, RateLimited | Unavailable):
            return None
        page = render_to_string(template, {"message": error.message})
        headers = {**error.headers, "Cache-Control": "no-store"}
        return HttpResponse(page, status=error.status, headers=headers)
