"""URLs of the links in newsletter mails and of the form without JavaScript."""

from django.urls import include, path
from django.views.generic import TemplateView

from newsletter.views import ConfirmPage, ManagePage, SubscribePage

app_name = "newsletter"

urlpatterns = [
    path("", include("newsletter.campaigns.urls")),
    path("subscribe/", SubscribePage.as_view(), name="subscribe"),
    # A URL of its own, so that reloading the page does not submit the form again.
    path("subscribed/", TemplateView.as_view(template_name="newsletter/subscribed.html"), name="subscribed"),
    path("confirm/<mail_token:token>", ConfirmPage.as_view(), name="confirm"),
    path("manage/<mail_token:token>", ManagePage.as_view(), name="manage"),
]
