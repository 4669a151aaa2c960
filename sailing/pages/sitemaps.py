"""What search engines ask a site for: robots.txt and sitemap.xml, both from the route table."""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from sailing.pages import routes
from sailing.pages.views import localized


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Welcome every robot, except where nothing is for it (RFC 9309)."""
    lines = [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /graphql",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


class PublicPages(Sitemap):  # type: ignore[type-arg]  # no generic at run time
    """Every public page in every language, each with its translations."""

    i18n = True
    alternates = True
    x_default = True
    protocol = settings.SITE_URL.partition("://")[0]

    def items(self) -> list[routes.Entry]:
        return [entry for entry in routes.all_entries() if entry.is_public]

    def location(self, item: routes.Entry) -> str:
        return localized(item.path or "", get_language() or settings.LANGUAGE_CODE).removeprefix(
            settings.SITE_URL
        )

    def get_domain(self, site: Any = None) -> str:
        """The site's own name, whatever name the request came by."""
        return settings.SITE_URL.partition("://")[2]
