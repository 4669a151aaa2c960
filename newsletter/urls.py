"""The addresses of the links in newsletter mails."""

from django.urls import path

from newsletter.views import ConfirmPage, UnsubscribePage

app_name = "newsletter"

urlpatterns = [
    path("confirm/<str:token>/", ConfirmPage.as_view(), name="confirm"),
    path("unsubscribe/<str:token>/", UnsubscribePage.as_view(), name="unsubscribe"),
]
