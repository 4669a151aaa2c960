"""The catch-all view: the React page of a path, with the status that the path deserves.

`frontend/routes.json` is the one route table: React builds its routes from it, and a path in it
answers 200 here; any other path answers the same page with status 404.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from sailing import encodings
from sailing.bundle import page_assets

FRONTEND = settings.BASE_DIR / "frontend"


@dataclass(frozen=True)
class RenderedPage:
    """The bytes of one page in one language, in each encoding that browsers take."""

    digest: str
    identity: bytes
    encodings: dict[str, bytes]


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Answer a path with its React page: the route's, or with status 404 the not-found page.

    The answer is the same for every visitor, so browsers keep it and ask again with its ETag.
    """
    route = _routes().get(request.path.rstrip("/") or "/")
    rendered = _rendered(route["page"] if route else None, request.LANGUAGE_CODE)
    encoding = encodings.preferred(request.headers.get("Accept-Encoding", ""), rendered.encodings)
    content = rendered.encodings[encoding] if encoding else rendered.identity
    response = HttpResponse(content, status=200 if route else 404)
    if encoding:
        response.headers["Content-Encoding"] = encoding
    etag = f'"{rendered.digest}-{encoding}"' if encoding else f'"{rendered.digest}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Encoding", "Cookie"])
    if not route:
        return response
    return get_conditional_response(request, etag=etag, response=response) or response


@cache
def _routes() -> dict[str, dict[str, Any]]:
    return {route["path"]: route for route in _table()["routes"]}


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((FRONTEND / "routes.json").read_text(encoding="utf-8"))
    return table


@cache
def _messages(language: str, group: str) -> dict[str, str]:
    catalogue = FRONTEND / "src" / "language" / language / f"{group}.json"
    messages: dict[str, str] = json.loads(catalogue.read_text(encoding="utf-8"))
    return messages


def _message(language: str, key: str) -> str:
    return _messages(language, key.partition(".")[0])[key]


def _render(page_name: str | None, language: str) -> RenderedPage:
    routes = (route for route in _routes().values() if route["page"] == page_name)
    entry = next(routes, _table()["notFound"])
    context = {
        "language": language,
        "title": _message(language, entry["titleKey"]),
        "description": _message(language, entry["descriptionKey"]),
        "assets": page_assets(entry["page"], language),
        "site_config": {
            "launchYear": settings.LAUNCH_YEAR,
            "gaMeasurementId": settings.GA_MEASUREMENT_ID,
            "siteUrl": settings.SITE_URL,
        },
    }
    html = render_to_string("index.html", context).encode()
    return RenderedPage(
        digest=hashlib.sha256(html).hexdigest()[:24],
        identity=html,
        encodings={"br": brotli.compress(html), "gzip": gzip.compress(html, mtime=0)},
    )


_render_once = cache(_render)


def _rendered(page_name: str | None, language: str) -> RenderedPage:
    # In development the bundle changes under the running process.
    return _render(page_name, language) if settings.DEBUG else _render_once(page_name, language)
