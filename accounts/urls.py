"""URLs of the links in mails to members."""

from django.urls import path

from accounts.models import LinkPurpose
from accounts.views import ConfirmPage, ResetPage

app_name = "accounts"

urlpatterns = [
    path("verify/<mail_token:token>", ConfirmPage.as_view(purpose=LinkPurpose.VERIFY), name="verify"),
    path("reset/<mail_token:token>", ResetPage.as_view(), name="reset"),
    path(
        "email/<mail_token:token>", ConfirmPage.as_view(purpose=LinkPurpose.CHANGE_EMAIL), name="change_email"
    ),
]
