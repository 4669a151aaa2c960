"""URLs of the links in mails to members."""

from django.urls import path

from accounts.views import EmailChangePage, ResetPage, VerifyPage

app_name = "accounts"

urlpatterns = [
    path("verify/<mail_token:token>", VerifyPage.as_view(), name="verify"),
    path("reset/<mail_token:token>", ResetPage.as_view(), name="reset"),
    path("email/<mail_token:token>", EmailChangePage.as_view(), name="change_email"),
]
