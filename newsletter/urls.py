"""The addresses of the links in newsletter mails."""

from django.urls import path, re_path

from newsletter.views import ConfirmPage, UnsubscribePage

app_name = "newsletter"

# The second of each is for links that were cut off on their way: of the last slash, they work as well.
urlpatterns = [
    path("confirm/<str:token>/", ConfirmPage.as_view(), name="confirm"),
    re_path(r"^confirm/(?P<token>(?s:.*))$", ConfirmPage.as_view()),
    path("unsubscribe/<str:token>/", UnsubscribePage.as_view(), name="unsubscribe"),
    re_path(r"^unsubscribe/(?P<token>(?s:.*))$", UnsubscribePage.as_view()),
]
