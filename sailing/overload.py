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
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from sailing.errors import Unavailable
from sailing.middleware import NextLayer

HEAD = 4096
"""Bytes of a request that are looked at."""

PROBE = re.compile(rb"(GET|HEAD) /healthz[ ?]")
API = re.compile(rb"[A-Z]+ /graphql[ /?]")
LANGUAGE = re.compile(rb"(?:[?&]lang|\b%s)=([a-z]{2})\b" % settings.LANGUAGE_COOKIE_NAME.encode())
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
        headers = {"Cache-Control": "no-store", "Retry-After": str(error.retry_after)}
        if request.path != reverse("graphql"):
            return HttpResponse(render_to_string("500.html"), status=error.status, headers=headers)
        shown = {"message": str(error.message), "extensions": error.extensions}
        body = json.dumps({"errors": [shown]}, ensure_ascii=False)
        content_type = "application/json; charset=utf-8"
        return HttpResponse(body, status=error.status, content_type=content_type, headers=headers)


def is_probe(head: bytes) -> bool:
    """Whether a request asks if the process is alive."""
    return PROBE.match(head) is not None


def refusal(application: WSGIHandler, head: bytes) -> bytes:
    """The answer to a request that is refused. Takes Django's WSGI application and the first bytes."""
    chosen = (found.decode() for found in LANGUAGE.findall(head))
    language = next((code for code in chosen if code in LANGUAGES), settings.LANGUAGE_CODE)
    return _answer(
        application, language, is_api=API.match(head) is not None, is_head=head.startswith(b"HEAD ")
    )


@cache
def _answer(application: WSGIHandler, language: str, *, is_api: bool, is_head: bool) -> bytes:
    """As the site itself gives it, with all its headers but those that are another request's."""
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
    ]
    content: bytes = response.content
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + content
