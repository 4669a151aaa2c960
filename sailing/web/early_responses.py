"""Responses that the worker sends itself: to requests that are malformed, too large or one too many.

Refusing must be cheap (OWASP Denial of Service Cheat Sheet, "Graceful degradation"), so they are rendered
once, when the worker starts, with the headers of every response of the site.
"""

from collections.abc import Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from io import BytesIO
from itertools import product
from random import getrandbits
from uuid import UUID

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, JsonResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string
from django.utils.http import http_date
from django.utils.translation import override

from sailing.errors import Unavailable
from sailing.language import LANGUAGES
from sailing.operations.logging import get_proxy_request_id
from sailing.web.middleware import LINK_HEADERS, SecurityHeadersMiddleware

API_PATHS = ("/graphql", "/graphql/")
REFUSED, UNAVAILABLE, API_UNAVAILABLE = range(3)
"""The page of a refused request, that of a busy or failed site, and the answer of the busy API."""


class EarlyResponses:
    """The three responses, in each language, with and without the header of TLS."""

    def __init__(self) -> None:
        kinds = product((REFUSED, UNAVAILABLE, API_UNAVAILABLE), LANGUAGES, (False, True))
        self._rendered = {kind: _render(*kind) for kind in kinds}

    def build(self, status: int, method: str, path: str, headers: Mapping[str, str]) -> tuple[bytes, str]:
        """Return the bytes of a response, and its request id. `headers`: of the request, in upper case."""
        response = REFUSED
        if status in (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE):
            is_api = status == HTTPStatus.SERVICE_UNAVAILABLE and path in API_PATHS
            response = API_UNAVAILABLE if is_api else UNAVAILABLE
        is_secure = settings.SECURE_SSL_REDIRECT and headers.get("X-FORWARDED-PROTO") == "https"
        fixed, content = self._rendered[response, _get_language(headers.get("COOKIE", "")), is_secure]
        # Not uuid4: after its system call the main thread would wait for the interpreter lock.
        request_id = get_proxy_request_id(headers.get("X-REQUEST-ID", "")) or str(
            UUID(int=getrandbits(128), version=4)
        )
        start = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nDate: {http_date()}\r\n"
        start += f"X-Request-ID: {request_id}\r\n"
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            start += f"Retry-After: {Unavailable().headers['Retry-After']}\r\n"
        head = start.encode() + fixed + b"\r\n\r\n"
        return head if method == "HEAD" else head + content, request_id


def _get_language(cookies: str) -> str:
    try:
        chosen = SimpleCookie(cookies)[settings.LANGUAGE_COOKIE_NAME].value
    except (CookieError, KeyError):
        return settings.LANGUAGE_CODE
    return chosen if chosen in LANGUAGES else settings.LANGUAGE_CODE


def _render(kind: int, language: str, is_secure: bool) -> tuple[bytes, bytes]:
    """Return the fixed headers and the body of a response."""
    # It serves every path, so it has the headers of the strictest one.
    headers = {**LINK_HEADERS, "Content-Language": language, "Connection": "close"}
    with override(language):
        if kind == API_UNAVAILABLE:
            error = Unavailable()
            errors = [{"message": str(error.message), "extensions": error.extensions}]
            response: HttpResponse = JsonResponse({"errors": errors}, headers=headers)
        else:
            page = render_to_string("400.html" if kind == REFUSED else "500.html")
            response = HttpResponse(page, headers=headers)
    response.headers["Content-Length"] = str(len(response.content))
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": "/",
            "wsgi.input": BytesIO(),
            "wsgi.url_scheme": "https" if is_secure else "http",
        }
    )
    for middleware in (SecurityMiddleware, XFrameOptionsMiddleware, CSPMiddleware):
        middleware(lambda _request: response).process_response(request, response)
    SecurityHeadersMiddleware(lambda _request: response)(request)
    return response.serialize_headers(), response.content
