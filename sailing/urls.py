"""The paths that Django handles. All others show a React page."""

from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from sailing.graphql.view import graphql
from sailing.operations.metrics import metrics
from sailing.web.pages import legal, views


def missing_static_file(request: HttpRequest) -> HttpResponse:
    """Answer 404 as text: a browser would take the React page for a script."""
    # A cached 404 would hide a file that a deploy adds later.
    return HttpResponseNotFound("Not found", content_type="text/plain", headers={"Cache-Control": "no-store"})


def favicon(request: HttpRequest) -> HttpResponseBase:
    return RedirectView.as_view(url=static("media/favicon.svg"))(request)


urlpatterns = [
    path("graphql", graphql, name="graphql"),
    path("graphql/", graphql),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("newsletter/", include("newsletter.urls")),
    *(path(f"legal/{name}/", legal.show_document, {"document": name}, name=name) for name in legal.CHANGED),
    path("favicon.ico", favicon),
    path("metrics", metrics),
    path("robots.txt", views.robots),
    path("sitemap.xml", sitemap, {"sitemaps": {"pages": views.PublicPages}}),
    re_path(r"^static/", missing_static_file),
    re_path(r"", views.page, name="page"),
]
