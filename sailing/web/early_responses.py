"""Responses to requests that are refused before the application runs: malformed, too large, too many.

The worker (`sailing.server.worker`) sends them, and while load is shed that must be cheap. So each kind of
response is rendered once by the site itself, with all of its headers, and cached. 503 is load shedding (OWASP
Denial of Service Cheat Sheet, "Graceful degradation").
"""

import io
import json
from functools import cache
from http import HTTPStatus
from random import getrandbits
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import http_date
from django.utils.translation import gettext as _

from sailing.errors import Unavailable
from sailing.language import get_language
from sailing.operations.logging import get_proxy_request_id
from sailing.web.middleware import HSTS, LINK_HEADERS, NextLayer

EARLY_STATUS = "sailing.early_status"
"""Key in the WSGI environment. No header of a client can have this name."""

UNREADABLE = {
    "REQUEST_METHOD": "GET",
    "PATH_INFO": "/",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "REMOTE_ADDR": "127.0.0.1",
    "wsgi.url_scheme": "http",
}
"""The WSGI environment of a request that cannot be parsed."""


class EarlyResponseMiddleware:
    """Render an early response: JSON for GraphQL, else a page."""

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if EARLY_STATUS not in request.META:
            return self.get_response(request)
        status = HTTPStatus(request.META[EARLY_STATUS])
        # The cached response serves every path, so it has the headers of the strictest path.
        headers = dict(LINK_HEADERS)
        message, extensions = f"{status.phrase}.", {"code": "BAD_REQUEST"}
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            error = Unavailable()
            headers |= error.headers
            message, extensions = str(error.message), error.extensions
        if _is_api(request):
            body = json.dumps(
                {"errors": [{"message": message, "extensions": extensions}]}, ensure_ascii=False
            )
            content_type = "application/json; charset=utf-8"
            return HttpResponse(body, status=status, content_type=content_type, headers=headers)
        template = "400.html" if status < 500 else "500.html"
        is_too_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        page = render_to_string(
            template, {"message": _("What you sent is too large.") if is_too_large else None}
        )
        return HttpResponse(page, status=status, headers=headers)


def build_response(
    application: WSGIHandler, environ: dict[str, Any] | None, status: int
) -> tuple[bytes, str]:
    """Return the bytes of a response, and its request id.

    `application` is Django's WSGI application, `environ` the WSGI environment of the request, if it could be
    parsed.
    """
    try:
        kind, method, request_id = _describe(environ or UNREADABLE)
    except Exception:  # noqa: BLE001 - Django cannot read every request that gunicorn can
        kind, method, request_id = _describe(UNREADABLE)
    headers, content = _render(application, status, *kind)
    per_request = f"Date: {http_date()}\r\nX-Request-ID: {request_id}\r\n\r\n"
    return headers + per_request.encode() + (b"" if method == "HEAD" else content), request_id


def _describe(environ: dict[str, Any]) -> tuple[tuple[str, bool, bool], str | None, str]:
    """Return the arguments of `_render`, the method and the request id."""
    request = WSGIRequest({**environ, "wsgi.input": io.BytesIO()})
    kind = get_language(request), _is_api(request), request.is_secure()
    request_id = get_proxy_request_id(request.headers.get("X-Request-ID", ""))
    # Not uuid4: after its system call the main thread would wait for the interpreter lock.
    return kind, request.method, request_id or str(UUID(int=getrandbits(128), version=4))


def _is_api(request: HttpRequest) -> bool:
    return request.path.removesuffix("/") == reverse("graphql").removesuffix("/")


@cache
def _render(
    application: WSGIHandler, status: int, language: str, is_api: bool, is_secure: bool
) -> tuple[bytes, bytes]:
    """Render the headers and the body that are the same for every request of a kind."""
    scheme = settings.SITE_URL.partition("://")[0]
    request = WSGIRequest(
        {
            **UNREADABLE,
            "PATH_INFO": reverse("graphql") if is_api else "/",
            "QUERY_STRING": f"lang={language}",
            "HTTP_X_FORWARDED_PROTO": scheme,
            "wsgi.url_scheme": scheme,
            "wsgi.input": io.BytesIO(),
            EARLY_STATUS: status,
        }
    )
    response: Any = application.get_response(request)
    del response.headers["X-Request-ID"]
    if not is_secure:  # the request above had to use the site's scheme to get no redirect
        response.headers.pop(HSTS, None)
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.headers["Connection"] = "close"
    status_line = f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
    return b"%s\r\n%s\r\n" % (status_line.encode(), response.serialize_headers()), response.content
