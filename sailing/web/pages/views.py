"""The prerendered React page of a path, robots.txt and sitemap.xml."""

import gzip
import re
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import brotli
from csp.decorators import csp_update
from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from sailing.web.pages import frontend, legal

LOCALES = {"en": "en_US", "cs": "cs_CZ"}  # Open Graph names of the languages

# For these, frontend/src/app/prerender.tsx writes placeholders: their names between two @.
PRERENDERED_SETTINGS = ("LAUNCH_YEAR", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL")
ENCODINGS = {"br": brotli.compress, "gzip": partial(gzip.compress, mtime=0)}  # the best first


@csp_update(settings.PAGE_SOURCES)
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the page of a path, the same for every visitor; browsers cache it and revalidate its ETag."""
    route = frontend.get_route(request.path)
    render = _render if settings.DEBUG else render_once  # in development the build changes
    is_past = timezone.now().year > settings.LAUNCH_YEAR
    contents = render(route, request.LANGUAGE_CODE, _variant(request, route), is_launch_year_past=is_past)
    accepted = re.findall(r"\w+", request.headers.get("Accept-Encoding", ""))
    encoding = next((name for name in ENCODINGS if name in accepted), "")
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if encoding:
        headers["Content-Encoding"] = encoding
    return HttpResponse(contents[encoding], status=200 if route.path else 404, headers=headers)


def localized(path: str, language: str) -> str:
    suffix = "" if language == settings.LANGUAGE_CODE else f"?lang={language}"
    return f"{settings.SITE_URL}{path}{suffix}"


def describe_link(language: str, languages: Iterable[str]) -> dict[str, Any]:
    """Return what templates/link_preview.html shows beside title, description and address."""
    return {
        "locale": LOCALES[language],
        "other_locales": [LOCALES[other] for other in languages if other != language],
        "picture": f"{settings.SITE_URL}{static('media/og.jpg')}",
    }


def _variant(request: HttpRequest, route: frontend.Route) -> str:
    """Return the path that the 404 page helps with, or the first `?source=`; blank for the plain page."""
    path = request.path.rstrip("/")
    if path in route.help_paths:
        return path.removeprefix("/")
    named = request.GET.getlist("source")[:1] if route.sources else []
    return next((source for source in named if source in route.sources), "")


def _render(
    route: frontend.Route, language: str, variant: str, *, is_launch_year_past: bool
) -> dict[str, bytes]:
    """Return a page by content coding, uncompressed under a blank one."""
    context: dict[str, Any] = {
        "language": language,
        "title": route.title(language),
        "description": route.description(language),
        "assets": frontend.get_page_assets(route, language),
        "loader_script_url": frontend.get_script_url("deferHydration"),
        "content": _content(route, language, variant, is_launch_year_past),
        "is_public": route.is_public,
        "site_config": {
            "launchYear": str(settings.LAUNCH_YEAR),
            "isLaunchYearPast": is_launch_year_past,
            "gaMeasurementId": settings.GA_MEASUREMENT_ID,
            "sentryDsn": settings.SENTRY_DSN,
            "operator": legal.describe_operator(),
        },
    }
    if route.path and route.is_public:
        context |= {
            "canonical": localized(route.path, language),
            "alternates": [(code, localized(route.path, code)) for code, _name in settings.LANGUAGES],
            "default": localized(route.path, settings.LANGUAGE_CODE),
            **describe_link(language, LOCALES),
        }
    html = render_to_string("index.html", context).encode()
    return {"": html} | {name: compress(html) for name, compress in ENCODINGS.items()}


def _content(route: frontend.Route, language: str, variant: str, is_launch_year_past: bool) -> SafeString:
    """Return the prerendered HTML with the launch year, or with "Launching soon" once it is past."""
    html = frontend.read_page(route.page, language, variant)
    if is_launch_year_past:
        with_year = frontend.get_message(language, "launch.year").replace("{year}", "@LAUNCH_YEAR@")
        html = html.replace(with_year, frontend.get_message(language, "launch.soon"))
    for name in PRERENDERED_SETTINGS:
        html = html.replace(f"@{name}@", escape(getattr(settings, name)))
    return mark_safe(html)  # noqa: S308 -- from our own build


render_once = cache(_render)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ("User-agent: *", "Disallow: /admin/", "Disallow: /graphql")
    text = "\n".join((*lines, f"Sitemap: {settings.SITE_URL}/sitemap.xml", ""))
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


class PublicPages(Sitemap):  # type: ignore[type-arg]  # no generic at run time
    """Every public page of the route table, in every language, with links to its translations."""

    i18n = True
    alternates = True
    x_default = True
    protocol = settings.SITE_URL.partition("://")[0]

    def items(self) -> list[frontend.Route]:
        return [entry for entry in frontend.list_routes() if entry.is_public]

    def location(self, item: frontend.Route) -> str:
        url = localized(item.path or "", get_language() or settings.LANGUAGE_CODE)
        return url[len(settings.SITE_URL) :]

    def get_domain(self, site: Any = None) -> str:
        return str(settings.SITE_URL).partition("://")[2]
