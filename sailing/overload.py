"""What is answered when more is asked than the site can do.

`sailing.worker` hands a request that would wait too long to a thread that refuses: 503 at once is better
than an answer that nobody waits for any more, and leaves the time to those who are served (OWASP Denial of
Service Cheat Sheet, "Graceful degradation").
"""

import json
import threading
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from sailing.errors import Unavailable
from sailing.middleware import NextLayer, language_of

_thread = threading.local()


def refuse_here() -> None:
    """Let this thread refuse whatever it is given, from now on."""
    _thread.refuses = True


def refuses_here() -> bool:
    return getattr(_thread, "refuses", False)


class OverloadMiddleware:
    """Answers 503 with Retry-After in a thread that refuses: JSON to GraphQL, else a page."""

    def __init__(self, get_response: NextLayer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not refuses_here():
            return self.get_response(request)
        wants_json = request.path.rstrip("/") == reverse("graphql")
        body = _body(language_of(request), wants_json=wants_json)
        return HttpResponse(
            body,
            status=Unavailable.status,
            content_type="application/json; charset=utf-8" if wants_json else None,
            headers={"Cache-Control": "no-store", "Retry-After": str(Unavailable().retry_after)},
        )


@cache
def _body(language: str, *, wants_json: bool) -> str:
    with translation.override(language):
        if not wants_json:
            return render_to_string("500.html")
        error = Unavailable()
        shown = {"message": str(error.message), "extensions": error.extensions}
        return json.dumps({"errors": [shown]}, ensure_ascii=False)
