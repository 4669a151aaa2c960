"""The addresses of the links in mails to members."""

from django.urls import path

from accounts.views import ResetPage, VerifyPage

app_name = "accounts"

urlpatterns = [
    path("verify/<str:token>/", VerifyPage.as_view(), name="verify"),
    path("reset/<str:token>/", ResetPage.as_view(), name="reset"),
]
