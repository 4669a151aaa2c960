"""The addresses of the links in mails to members."""

from django.urls import path, re_path

from accounts.views import ResetPage, VerifyPage

app_name = "accounts"

# The second of each is for links that were cut off on their way: of the last slash, they work as well.
urlpatterns = [
    path("verify/<str:token>/", VerifyPage.as_view(), name="verify"),
    re_path(r"^verify/(?P<token>(?s:.*))$", VerifyPage.as_view()),
    path("reset/<str:token>/", ResetPage.as_view(), name="reset"),
    re_path(r"^reset/(?P<token>(?s:.*))$", ResetPage.as_view()),
]
