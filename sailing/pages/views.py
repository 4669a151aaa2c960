"""The catch-all view: the React page of a path, with the status that the path deserves.

A path in the route table (`sailing.pages.routes`) answers 200; any other answers the not-found page with
status 404. Public pages carry the HTML that the build rendered, so that they can be read, and found,
without a script.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import brotli
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from sailing.pages import encodings, manifest, routes

LOCALES = {"en": "en_US", "cs": "cs_CZ"}
"""The languages as Open Graph names them."""

LAUNCH_YEAR_MARK = "@LAUNCH_YEAR@"
"""What frontend/src/prerender.tsx writes where the launch year belongs."""


CONDITIONS = frozenset({"HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"})
"""With these a request is about a version of the page (RFC 9110 section 13.1); it has no other date."""

ENCODINGS = {"br": brotli.compress, "gzip": partial(gzip.compress, mtime=0)}
"""What browsers take, the best first."""


@dataclass(frozen=True)
class Representation:
    """The bytes of one page in one language and one encoding, and the headers that go with them."""

    content: bytes
    etag: str
    headers: dict[str, str]


RenderedPage = dict[str | None, Representation]
"""A page by encoding; None is for who takes none."""


@csp_update(settings.PAGE_SOURCES)
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Answer a path with its React page: the route's, or with status 404 the not-found page.

    The answer is the same for every visitor, so browsers keep it and ask again with its ETag.
    """
    found = routes.get_route(request.path)
    entry = found or routes.get_not_found_route()
    rendered = _rendered(entry, request.LANGUAGE_CODE, _source(request, entry))
    representation = rendered[_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))]
    response = HttpResponse(
        representation.content, status=200 if found else 404, headers=representation.headers
    )
    if found and not CONDITIONS.isdisjoint(request.META):
        return get_conditional_response(request, etag=representation.etag, response=response) or response
    return response


def localized(path: str, language: str) -> str:
    """The absolute address under which search engines find a path in a language."""
    suffix = "" if language == settings.LANGUAGE_CODE else f"?lang={language}"
    return f"{settings.SITE_URL}{path}{suffix}"


def _source(request: HttpRequest, entry: routes.Route) -> str:
    """Return the `?source=` that the page differs with; blank for none and for an unknown one.

    The first of several counts, as for `URLSearchParams.get` in the browser.
    """
    named = request.GET.getlist("source")[:1] if entry.sources else []
    return next((source for source in named if source in entry.sources), "")


def _render(entry: routes.Route, language: str, source: str) -> RenderedPage:
    picture = f"{settings.SITE_URL}{static('media/og.jpg')}"
    context: dict[str, Any] = {
        "language": language,
        "title": entry.title(language),
        "description": entry.description(language),
        "assets": manifest.page_assets(entry.page, entry.group, language),
        "beginning": manifest.beginning(),
        "content": _content(entry, language, source),
        "site_config": {
            "launchYear": str(settings.LAUNCH_YEAR),
            "gaMeasurementId": settings.GA_MEASUREMENT_ID,
            "sentryDsn": settings.SENTRY_DSN,
            "siteUrl": settings.SITE_URL,
            "picture": picture,
        },
    }
    if entry.path and entry.prerendered:
        context |= {
            "canonical": localized(entry.path, language),
            "alternates": [(code, localized(entry.path, code)) for code, _name in settings.LANGUAGES],
            "default": localized(entry.path, settings.LANGUAGE_CODE),
            "locale": LOCALES[language],
            "other_locales": [locale for code, locale in LOCALES.items() if code != language],
            "picture": picture,
        }
    html = render_to_string("index.html", context).encode()
    digest = hashlib.sha256(html).hexdigest()[:24]
    return {
        None: _representation(html, digest),
        **{name: _representation(compress(html), digest, name) for name, compress in ENCODINGS.items()},
    }


def _representation(content: bytes, digest: str, encoding: str | None = None) -> Representation:
    etag = f'"{digest}-{encoding}"' if encoding else f'"{digest}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding, Cookie"}
    if encoding:
        headers["Content-Encoding"] = encoding
    return Representation(content=content, etag=etag, headers=headers)


@lru_cache(maxsize=256)
def _encoding(accepted: str) -> str | None:
    """The encoding for an Accept-Encoding, of which browsers send a handful."""
    return encodings.negotiate_encoding(accepted, tuple(ENCODINGS))


def _content(entry: routes.Route, language: str, source: str) -> SafeString:
    if entry.path and not entry.prerendered:
        return mark_safe("")
    html = manifest.prerendered(entry.page, language, source)
    html = html.replace(LAUNCH_YEAR_MARK, str(settings.LAUNCH_YEAR))
    return mark_safe(html)  # noqa: S308 -- written by our own build


_render_once = cache(_render)


def _rendered(entry: routes.Route, language: str, source: str) -> RenderedPage:
    # In development the bundle changes under the running process.
    return (_render if settings.DEBUG else _render_once)(entry, language, source)
