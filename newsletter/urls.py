"""URLs of the links in newsletter mails and of the form without JavaScript."""

from django.urls import include, path, re_path
from django.views.generic import TemplateView

from newsletter.views import ConfirmPage, PreferencesPage, SubscribePage, UnsubscribePage

app_name = "newsletter"

# The second pattern of each link accepts truncated links. A link without its last slash works. The URLs of
# campaigns come before those that match everything under their prefix, and after the longer ones.
urlpatterns = [
    path("preferences/s/<str:token>/", PreferencesPage.as_view(), name="preferences"),
    re_path(r"^preferences/s/(?P<token>(?s:.*))$", PreferencesPage.as_view()),
    path("", include("newsletter.campaigns.urls")),
    path("subscribe/", SubscribePage.as_view(), name="subscribe"),
    # A URL of its own, so that reloading the page does not submit the form again.
    path("subscribed/", TemplateView.as_view(template_name="newsletter/subscribed.html"), name="subscribed"),
    path("confirm/<str:token>/", ConfirmPage.as_view(), name="confirm"),
    re_path(r"^confirm/(?P<token>(?s:.*))$", ConfirmPage.as_view()),
    path("unsubscribe/<str:token>/", UnsubscribePage.as_view(), name="unsubscribe"),
    re_path(r"^unsubscribe/(?P<token>(?s:.*))$", UnsubscribePage.as_view()),
]
