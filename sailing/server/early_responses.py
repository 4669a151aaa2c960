"""Responses to requests that are refused before the application runs: malformed, slow, too large, too many.

The worker (`sailing.server.worker`) sends them without a thread, and refusing must be cheap. Each kind of
response is rendered once by the site itself, with all of its headers, and cached. 503 is load shedding (OWASP
Denial of Service Cheat Sheet, "Graceful degradation").
"""

import io
import json
import re
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
from django.utils.translation import gettext_lazy as _

from sailing.errors import Unavailable
from sailing.language import first_supported
from sailing.mail_links import paths
from sailing.operations import redaction
from sailing.operations.health import PROBES
from sailing.operations.logging import get_proxy_request_id
from sailing.web.middleware import HSTS, NextLayer

_PROBE = re.compile(rb"(?:GET|HEAD) (%s)[ ?]" % "|".join(PROBES).encode())
_API = re.compile(rb"[A-Z]+ /graphql[ /?]")
_REQUEST_ID = re.compile(rb"\r\nx-request-id:[ \t]*([!-~]*)[ \t]*\r\n", re.IGNORECASE)
_OVER_TLS = re.compile(rb"\r\n(?i:x-forwarded-proto):[ \t]*https[ \t]*[,\r]")
_COOKIES = re.compile(rb"\r\ncookie:[^\r\n]*", re.IGNORECASE)
_LANGUAGE_IN_QUERY = re.compile(rb"[?&]lang=([a-z]{2})\b")
_LANGUAGE_IN_COOKIES = re.compile(rb"[:; ]%s=([a-z]{2})\b" % settings.LANGUAGE_COOKIE_NAME.encode())

MAX_LOGGED_LENGTH = 200
"""Characters of a refused request's request line."""

EARLY_STATUS = "sailing.early_status"
"""Key in the WSGI environment. No header of a client can have this name."""

MESSAGES = {
    HTTPStatus.REQUEST_TIMEOUT: _("Your request took too long to arrive. Please try again."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: _("What you sent is too large."),
}
"""Texts that replace the general one of 400.html."""


class EarlyResponseMiddleware:
    """Render an early response: JSON for GraphQL, else a page."""

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if EARLY_STATUS not in request.META:
            return self.get_response(request)
        status = HTTPStatus(request.META[EARLY_STATUS])
        # The cached response serves every path, so it has the headers of the strictest path.
        headers = dict(paths.HEADERS)
        message, extensions = f"{status.phrase}.", {"code": "BAD_REQUEST"}
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            error = Unavailable()
            headers |= error.headers
            message, extensions = str(error.message), error.extensions
        if request.path == reverse("graphql"):
            body = json.dumps(
                {"errors": [{"message": message, "extensions": extensions}]}, ensure_ascii=False
            )
            content_type = "application/json; charset=utf-8"
            return HttpResponse(body, status=status, content_type=content_type, headers=headers)
        template = "400.html" if status < 500 else "500.html"
        page = render_to_string(template, {"message": MESSAGES.get(status)})
        return HttpResponse(page, status=status, headers=headers)


def get_probe(request: bytes) -> str:
    """Return the path of a probe request, blank for other requests."""
    found = _PROBE.match(request)
    return found[1].decode() if found else ""


def get_request_id(head: bytes) -> str:
    """Return a request's id: the trusted proxy's, or a new one."""
    found = _REQUEST_ID.search(head)
    # Not uuid4: after its system call the main thread would wait for the interpreter lock.
    return get_proxy_request_id(found[1].decode() if found else "") or str(
        UUID(int=getrandbits(128), version=4)
    )


def describe_request(head: bytes) -> str:
    """Return method and path for the log, without the query string, tokens and addresses."""
    line = head.partition(b"\r\n")[0].partition(b"?")[0].rpartition(b" HTTP/")
    return redaction.redact((line[0] or line[2]).decode("ascii", "replace")[:MAX_LOGGED_LENGTH])


def build_response(application: WSGIHandler, head: bytes, status: int, request_id: str) -> bytes:
    """Return the bytes of a response.

    `application` is Django's WSGI application, `head` the part of the request's head that has arrived.
    """
    is_api, is_head = _API.match(head) is not None, head.startswith(b"HEAD ")
    is_over_tls = settings.SECURE_PROXY_SSL_HEADER is not None and _OVER_TLS.search(head) is not None
    headers, content = _build(
        application, status, _get_language(head), is_api=is_api, is_head=is_head, is_over_tls=is_over_tls
    )
    per_request = f"Date: {http_date()}\r\nX-Request-ID: {request_id}\r\n\r\n"
    return headers + per_request.encode() + content


def _get_language(head: bytes) -> str:
    """Return the language of the query string or the cookie, if supported, else the default."""
    cookies = _COOKIES.search(head)
    chosen = [
        *_LANGUAGE_IN_QUERY.findall(head.partition(b"\r\n")[0]),
        *_LANGUAGE_IN_COOKIES.findall(cookies[0] if cookies else b""),
    ]
    return first_supported(*(code.decode() for code in chosen))


@cache
def _build(
    application: WSGIHandler, status: int, language: str, *, is_api: bool, is_head: bool, is_over_tls: bool
) -> tuple[bytes, bytes]:
    """Render the headers and the body that are the same for every request of a kind."""
    scheme = settings.SITE_URL.partition("://")[0]
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "HEAD" if is_head else "GET",
            "PATH_INFO": reverse("graphql") if is_api else "/",
            "QUERY_STRING": f"lang={language}",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_X_FORWARDED_PROTO": scheme,
            "wsgi.url_scheme": scheme,
            "wsgi.input": io.BytesIO(),
            EARLY_STATUS: status,
        }
    )
    response: Any = application.get_response(request)
    del response.headers["X-Request-ID"]
    if not is_over_tls:  # the request above had to use the site's scheme to get no redirect
        response.headers.pop(HSTS, None)
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.headers["Connection"] = "close"
    lines = [
        f"HTTP/1.1 {response.status_code} {response.reason_phrase}",
        *(f"{name}: {value}" for name, value in response.headers.items()),
        "",
    ]
    return "\r\n".join(lines).encode("latin-1"), response.content
