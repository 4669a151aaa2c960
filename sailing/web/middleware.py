"""Middleware for every request: its log line, security headers, its client, the language, error pages."""

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from sailing import database, redaction
from sailing.client import UNKNOWN, choose_language, current_client, get_client, parse_address, store_language
from sailing.errors import RateLimited, Unavailable, is_database_unavailable

SECURITY_HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    # Without `bluetooth`: Chromium logs a warning for it on platforms without Web Bluetooth, such as Linux.
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(self), camera=(), display-capture=(), fullscreen=(), "
        "geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), "
        "picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()"
    ),
}

# For every response under a path with a token, whose links carry `referrerpolicy="no-referrer"`.
LINK_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex"}
MEDIA_PATH = f"{settings.STATIC_URL}media/"  # pictures of mails and shared links, shown on other origins

_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{20,64}")
TEXT_NODE = re.compile(r"(?<=>)[^<]++(?!</textarea>)")  # what a text area has is sent back, and stored
SHORT_WORD = re.compile(r"(?<!\w)((?i:[ksvzouai]|(?:čl|odst|písm)\.)|\d+(?= [^\W\dA-Z_])) ")
HYPHEN = re.compile(r"(?<=\be-)(?=mail(?![\w.+-]*@))|(?<=\w-)(?=li\b)")  # not in an address

logger = structlog.get_logger(__name__)


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response


def get_proxy_request_id(header: str) -> str | None:
    """Return the request id of the trusted proxy, so that both logs match; None without a proper one."""
    return header if settings.TRUSTED_PROXY_COUNT and _REQUEST_ID.fullmatch(header) else None


class RequestLogMiddleware(Middleware):
    """Log `request_finished` or `request_failed` for each request, and answer its id in `X-Request-ID`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        got_request_exception.connect(log_failure)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = get_proxy_request_id(request.headers.get("X-Request-ID", "")) or str(uuid.uuid4())
        request.request_id, request.started_at = request_id, time.perf_counter()  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            if not hasattr(request, "has_failed"):
                log = logger.warning if response.status_code >= 500 else logger.info
                log("request_finished", **_describe(request, response.status_code))
        finally:
            structlog.contextvars.clear_contextvars()
        response.headers["X-Request-ID"] = request_id
        return response


def log_failure(request: HttpRequest, **_signal: Any) -> None:
    """Log the exception that Django is answering with a 500. A receiver of `got_request_exception`."""
    request.has_failed = True  # type: ignore[attr-defined]
    logger.exception("request_failed", **_describe(request, 500))


def _describe(request: HttpRequest, code: int) -> dict[str, Any]:
    """Return what a line says of a request. `duration_ms`: without its time in the queue."""
    duration = round((time.perf_counter() - request.started_at) * 1000)  # type: ignore[attr-defined]
    name = redaction.redact(f"{request.method} {request.path}")
    return {"code": code, "request": name, "duration_ms": duration}


class SecurityHeadersMiddleware(MiddlewareMixin):
    """Set the headers of the OWASP HTTP Headers Cheat Sheet that Django and django-csp leave out."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.path.startswith(redaction.LINK_PATHS):
            for name, value in LINK_HEADERS.items():
                response.headers[name] = value
        if request.path.startswith(MEDIA_PATH):
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response


class ClientAddressMiddleware(Middleware):
    """Set REMOTE_ADDR to the address of the client, and `current_client` for code without a request.

    Each trusted proxy appends the address that it saw to X-Forwarded-For, so with N proxies the client's is
    the Nth entry from the right, and those left of it may be forged. All malformed entries are one client.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if count := settings.TRUSTED_PROXY_COUNT:
            entries = [entry.strip() for entry in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
            if len(entries) >= count and entries[-count]:
                request.META["REMOTE_ADDR"] = str(parse_address(entries[-count]) or UNKNOWN)
        reset = current_client.set(get_client(request))
        try:
            return self.get_response(request)
        finally:
            current_client.reset(reset)


def prevent_breaks(html: str) -> str:
    """Prevent line breaks in Czech HTML after short words and numbers (ČSN 01 6910), in e-mail and -li."""
    if translation.get_language() != "cs":
        return html
    return TEXT_NODE.sub(lambda text: HYPHEN.sub("\u2060", SHORT_WORD.sub("\\1\u00a0", text[0])), html)


class LanguageMiddleware(Middleware):
    """Respond in the language that the visitor chose. The browser's choice counts in Django admin only."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_admin = request.path.startswith("/admin/")
        of_browser = translation.get_language_from_request(request) if is_admin else ""
        request.LANGUAGE_CODE = language = choose_language(request, of_browser)
        with translation.override(language):
            response = self.get_response(request)
        patch_vary_headers(response, ["Cookie", *(["Accept-Language"] if is_admin else [])])
        response.headers.setdefault("Content-Language", language)
        if request.GET.get("lang") == language != request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME):
            store_language(response, language)
        return response

    # For Django admin, most of whose templates are Django's. document.html has the filter itself.
    def process_template_response(self, _request: HttpRequest, response: Any) -> Any:
        response.add_post_render_callback(lambda page: setattr(page, "content", prevent_breaks(page.text)))
        return response


class ErrorPageMiddleware(MiddlewareMixin):
    """Answer 429 for a page whose view raised RateLimited, as hashing may, and 503 for an absent database."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        template, error = "429.html", exception
        if is_database_unavailable(exception):
            database.report_outage(exception)
            template, error = "500.html", Unavailable()
        if not isinstance(error, RateLimited | Unavailable):
            return None
        page = render_to_string(template, {"message": error.message})
        headers = {**error.headers, "Cache-Control": "no-store"}
        return HttpResponse(page, status=error.status, headers=headers)
