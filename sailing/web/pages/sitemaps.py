"""robots.txt and sitemap.xml.

The issues of the newsletter have a sitemap of their own, because they are in the database.
"""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from sailing.web.pages import routes
from sailing.web.pages.views import localized


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Allow all robots everywhere but in the admin and the API (RFC 9309)."""
    lines = [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /graphql",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
        f"Sitemap: {settings.SITE_URL}{reverse('newsletter:campaigns:sitemap')}",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


class LocalizedSitemap(Sitemap):  # type: ignore[type-arg]  # no generic at run time
    """Pages in every language, with links to their translations."""

    i18n = True
    alternates = True
    x_default = True
    protocol = settings.SITE_URL.partition("://")[0]

    def get_path(self, item: Any) -> str:
        """Return the path of a page, without its language."""
        raise NotImplementedError

    def location(self, item: Any) -> str:
        return localized(self.get_path(item), get_language() or settings.LANGUAGE_CODE).removeprefix(
            settings.SITE_URL
        )

    def get_domain(self, site: Any = None) -> str:
        """Return the host of SITE_URL instead of the request's."""
        return settings.SITE_URL.partition("://")[2]


class PublicPages(LocalizedSitemap):
    """Every public page of the route table."""

    def items(self) -> list[routes.Route]:
        return [entry for entry in routes.list_routes() if entry.is_public]

    def get_path(self, item: routes.Route) -> str:
        return item.path or ""
