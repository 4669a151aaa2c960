"""URLs of the links in mails to members."""

from django.urls import path, re_path

from accounts.views import EmailChangePage, EmailUndoPage, ResetPage, VerifyPage

app_name = "accounts"

# The second pattern of each accepts truncated links. A link without its last slash works.
urlpatterns = [
    path("verify/<str:token>/", VerifyPage.as_view(), name="verify"),
    re_path(r"^verify/(?P<token>(?s:.*))$", VerifyPage.as_view()),
    path("reset/<str:token>/", ResetPage.as_view(), name="reset"),
    re_path(r"^reset/(?P<token>(?s:.*))$", ResetPage.as_view()),
    path("email/undo/<str:token>/", EmailUndoPage.as_view(), name="undo_email"),
    re_path(r"^email/undo/(?P<token>(?s:.*))$", EmailUndoPage.as_view()),
    path("email/<str:token>/", EmailChangePage.as_view(), name="change_email"),
    re_path(r"^email/(?P<token>(?s:.*))$", EmailChangePage.as_view()),
]
