"""The addresses of the links in newsletter mails, and of the form that works without a script."""

from django.urls import path, re_path
from django.views.generic import TemplateView

from newsletter.views import ConfirmPage, SubscribePage, UnsubscribePage

app_name = "newsletter"

# The second of each link is for links that were cut off on their way: of the last slash, they work as well.
urlpatterns = [
    path("subscribe/", SubscribePage.as_view(), name="subscribe"),
    # An address of its own, so that loading the confirmation again sends nothing again.
    path("subscribed/", TemplateView.as_view(template_name="newsletter/subscribed.html"), name="subscribed"),
    path("confirm/<str:token>/", ConfirmPage.as_view(), name="confirm"),
    re_path(r"^confirm/(?P<token>(?s:.*))$", ConfirmPage.as_view()),
    path("unsubscribe/<str:token>/", UnsubscribePage.as_view(), name="unsubscribe"),
    re_path(r"^unsubscribe/(?P<token>(?s:.*))$", UnsubscribePage.as_view()),
]
