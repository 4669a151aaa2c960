"""What is answered when more is asked than the site can do.

503 at once is better than an answer that nobody waits for any more, and leaves the time to those who are
served (OWASP Denial of Service Cheat Sheet, "Graceful degradation"). `sailing.worker` says when. It does not
read such a request: this module makes the few answers that there are, each once, and finds the one to send
by the first bytes of a request.
"""

import io
import json
import re
from functools import cache
from random import getrandbits
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from sailing import token_paths
from sailing.errors import Unavailable
from sailing.logging import given_id
from sailing.middleware import NextLayer

HEAD = 4096
"""Bytes of a request that are looked at."""

PROBES = ("/healthz", "/readyz")
"""Where is answered how the process is."""

PROBE = re.compile(rb"(?:GET|HEAD) (%s)[ ?]" % "|".join(PROBES).encode())
MORE_TO_COME = re.compile(rb"\r\n(?:content-length|transfer-encoding|expect|upgrade)[ \t]*:", re.IGNORECASE)
API = re.compile(rb"[A-Z]+ /graphql[ /?]")
REQUEST_ID = re.compile(rb"\r\nx-request-id:[ \t]*([!-~]*)[ \t]*\r\n", re.IGNORECASE)
COOKIES = re.compile(rb"\r\ncookie:[^\r\n]*", re.IGNORECASE)
IN_QUERY = re.compile(rb"[?&]lang=([a-z]{2})\b")
IN_COOKIES = re.compile(rb"[:; ]%s=([a-z]{2})\b" % settings.LANGUAGE_COOKIE_NAME.encode())
LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)

REFUSED = "sailing.refused"
"""The name in the WSGI environment; no header of a client comes under such a one."""


class OverloadMiddleware:
    """Answers 503 with Retry-After while a refusal is made: JSON to GraphQL, else a page."""

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if REFUSED not in request.META:
            return self.get_response(request)
        error = Unavailable()
        # One page stands for all, so it is told to nobody, as where an address holds a token.
        headers = token_paths.HEADERS | {"Retry-After": str(error.retry_after)}
        if request.path != reverse("graphql"):
            return HttpResponse(render_to_string("500.html"), status=error.status, headers=headers)
        shown = {"message": str(error.message), "extensions": error.extensions}
        body = json.dumps({"errors": [shown]}, ensure_ascii=False)
        content_type = "application/json; charset=utf-8"
        return HttpResponse(body, status=error.status, content_type=content_type, headers=headers)


def is_whole(head: bytes) -> bool:
    """Whether a request ends with these first bytes of it: nothing more is to come from its client."""
    return head.endswith(b"\r\n\r\n") and MORE_TO_COME.search(head) is None


def probed(head: bytes) -> str:
    """Which of PROBES a request asks, else nothing.

    One that is not there in whole is none: whoever reads it has to wait for its client.
    """
    found = PROBE.match(head)
    return found[1].decode() if found and is_whole(head) else ""


def request_id(head: bytes) -> str:
    """The id of a request that is refused: the trusted proxy's, as in `sailing.logging`, else a new one."""
    written = REQUEST_ID.search(head)
    # Not uuid4, which asks the system: after each call of that, the thread that refuses waits for its turn.
    return given_id(written[1].decode() if written else "") or str(UUID(int=getrandbits(128), version=4))


def refusal(application: WSGIHandler, head: bytes, request_id: str) -> bytes:
    """The answer to a request that is refused. Takes Django's WSGI application, the first bytes and an id."""
    is_api, is_head = API.match(head) is not None, head.startswith(b"HEAD ")
    headers, content = _answer(application, _language(head), is_api=is_api, is_head=is_head)
    return b"%sX-Request-ID: %s\r\n\r\n%s" % (headers, request_id.encode(), content)


def _language(head: bytes) -> str:
    """The first language that the site has, of the query's and the cookie's."""
    cookies = COOKIES.search(head)
    chosen = [
        *IN_QUERY.findall(head.partition(b"\r\n")[0]),
        *IN_COOKIES.findall(cookies[0] if cookies else b""),
    ]
    return next((code.decode() for code in chosen if code.decode() in LANGUAGES), settings.LANGUAGE_CODE)


@cache
def _answer(application: WSGIHandler, language: str, *, is_api: bool, is_head: bool) -> tuple[bytes, bytes]:
    """As the site itself gives it: its headers, but for those that are another request's, and its body."""
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
            REFUSED: True,
        }
    )
    response: Any = application.get_response(request)
    del response.headers["X-Request-ID"]
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.headers["Connection"] = "close"
    lines = [
        f"HTTP/1.1 {response.status_code} {response.reason_phrase}",
        *(f"{name}: {value}" for name, value in response.headers.items()),
        "",
    ]
    return "\r\n".join(lines).encode("latin-1"), response.content
