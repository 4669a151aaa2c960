"""URLs of the links in newsletter mails and of the form without JavaScript."""

from django.urls import include, path
from django.views.generic import TemplateView

from newsletter.views import ConfirmPage, PreferencesPage, SubscribePage, UnsubscribePage

app_name = "newsletter"

# A token matches everything under its prefix, so the URLs of campaigns come before the shorter ones.
urlpatterns = [
    path("preferences/s/<mail_token:token>", PreferencesPage.as_view(), name="preferences"),
    path("", include("newsletter.campaigns.urls")),
    path("subscribe/", SubscribePage.as_view(), name="subscribe"),
    # A URL of its own, so that reloading the page does not submit the form again.
    path("subscribed/", TemplateView.as_view(template_name="newsletter/subscribed.html"), name="subscribed"),
    path("confirm/<mail_token:token>", ConfirmPage.as_view(), name="confirm"),
    path("unsubscribe/<mail_token:token>", UnsubscribePage.as_view(), name="unsubscribe"),
]
