"""Responses that the worker sends itself, rendered once, because refusing must be cheap."""

from collections.abc import Mapping
from http import HTTPStatus
from itertools import product
from random import getrandbits
from uuid import UUID

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, parse_cookie
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string
from django.utils.http import http_date
from django.utils.translation import override

from sailing.client import LANGUAGES
from sailing.errors import Unavailable
from sailing.web.middleware import LINK_HEADERS, SecurityHeadersMiddleware, get_proxy_request_id

REFUSED, UNAVAILABLE, API_UNAVAILABLE = "400.html", "500.html", ""  # templates; the API has none


class EarlyResponses:
    """Three responses, in each language, with and without the header of TLS."""

    def __init__(self) -> None:
        kinds = product((REFUSED, UNAVAILABLE, API_UNAVAILABLE), LANGUAGES, ("http", "https"))
        self._rendered = {kind: _render(*kind) for kind in kinds}

    def build(self, status: int, method: str, path: str, headers: Mapping[str, str]) -> tuple[bytes, str]:
        """Return the bytes of a response, and its request id. `headers`: of the request, in upper case."""
        template = REFUSED
        if status in (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE):
            template = API_UNAVAILABLE if path.rstrip("/") == "/graphql" else UNAVAILABLE
        language = parse_cookie(headers.get("COOKIE", "")).get(settings.LANGUAGE_COOKIE_NAME)
        language = language if language in LANGUAGES else settings.LANGUAGE_CODE
        scheme = "https" if headers.get("X-FORWARDED-PROTO") == "https" else "http"
        fixed, content = self._rendered[template, language, scheme]
        # Not uuid4: after its system call the main thread would wait for the interpreter lock.
        new_id = UUID(int=getrandbits(128), version=4)
        request_id = get_proxy_request_id(headers.get("X-REQUEST-ID", "")) or str(new_id)
        start = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nDate: {http_date()}\r\n"
        start += f"X-Request-ID: {request_id}\r\n"
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            start += f"Retry-After: {Unavailable().headers['Retry-After']}\r\n"
        head = start.encode() + fixed + b"\r\n\r\n"
        return head if method == "HEAD" else head + content, request_id


def _render(template: str, language: str, scheme: str) -> tuple[bytes, bytes]:
    # It serves every path, so it has the headers of the strictest one.
    headers = {**LINK_HEADERS, "Content-Language": language, "Connection": "close"}
    with override(language):
        if template:
            response = HttpResponse(render_to_string(template), headers=headers)
        else:
            error = Unavailable()
            errors = [{"message": str(error.message), "extensions": error.extensions}]
            response = JsonResponse({"errors": errors}, headers=headers)
    response.headers["Content-Length"] = str(len(response.content))
    request = HttpRequest()
    request.META["HTTP_X_FORWARDED_PROTO"] = scheme
    for middleware in (SecurityMiddleware, XFrameOptionsMiddleware, CSPMiddleware, SecurityHeadersMiddleware):
        middleware(lambda _request: response).process_response(request, response)
    return response.serialize_headers(), response.content
