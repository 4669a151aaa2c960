"""Public URLs of campaigns, under /newsletter/."""

from django.contrib.sitemaps.views import sitemap
from django.urls import path, re_path

from newsletter.campaigns import views
from newsletter.campaigns.webhooks import webhook

app_name = "campaigns"

urlpatterns = [
    path("issues/", views.ArchivePage.as_view(), name="archive"),
    path("issues/feed/", views.feed, name="feed"),
    path("issues/sitemap.xml", sitemap, {"sitemaps": {"issues": views.IssueSitemap}}, name="sitemap"),
    path("issues/<str:key>/", views.web_version, name="web_version"),
    path("go/<str:key>/", views.click, name="click"),
    path("unsubscribe/d/<str:token>/", views.UnsubscribePage.as_view(), name="unsubscribe"),
    re_path(r"^unsubscribe/d/(?P<token>(?s:.*))$", views.UnsubscribePage.as_view()),
    path("preferences/<str:token>/", views.PreferencesPage.as_view(), name="preferences"),
    re_path(r"^preferences/(?P<token>(?s:.*))$", views.PreferencesPage.as_view()),
    path("webhooks/<str:provider>/", webhook, name="webhook"),
]
