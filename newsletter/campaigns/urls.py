"""Public URLs of campaigns, under /newsletter/."""

from django.urls import path, re_path

from newsletter.campaigns import views
from newsletter.campaigns.webhooks import webhook

app_name = "campaigns"

urlpatterns = [
    path("issues/", views.archive, name="archive"),
    path("issues/<slug:key>/", views.web_version, name="web_version"),
    path("go/<slug:key>/", views.click, name="click"),
    re_path(r"^pictures/(?P<name>[0-9a-f]{24}\.(?:jpg|png))$", views.picture, name="picture"),
    path("webhooks/<str:provider>/", webhook, name="webhook"),
]
