"""Public URLs of campaigns, under /newsletter/."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from newsletter.campaigns import views
from newsletter.campaigns.markdown import PICTURE_NAME
from newsletter.campaigns.models import KEY_LENGTH
from newsletter.campaigns.webhooks import webhook


class KeyConverter(StringConverter):
    """The random key of a campaign or a link."""

    regex = f"[A-Za-z0-9_-]{{{KEY_LENGTH}}}"


class PictureConverter(StringConverter):
    """The name of a picture."""

    regex = PICTURE_NAME.pattern


register_converter(KeyConverter, "key")
register_converter(PictureConverter, "picture")

app_name = "campaigns"

urlpatterns = [
    path("issues/", views.archive, name="archive"),
    path("issues/<key:key>/", views.web_version, name="web_version"),
    path("go/<key:key>/", views.click, name="click"),
    path("pictures/<picture:name>", views.picture, name="picture"),
    path("webhooks/<str:provider>/", webhook, name="webhook"),
]
