"""robots.txt and sitemap.xml."""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from sailing.web.pages import frontend
from sailing.web.pages.views import localized


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /graphql",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


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
