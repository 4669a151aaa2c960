"""Django admin as one site: its name, who may knock how often, and what its first page tells."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from post_office.models import STATUS, Email

from sailing import throttle
from sailing.errors import RateLimited

FAILURES = 5
FAILURES_WITHIN = timedelta(minutes=5)


class SignInForm(AdminAuthenticationForm):
    """Email and password. Tries are counted before the password is hashed.

    Failures count by account and client together: nobody can lock an admin out who signs in from
    elsewhere (OWASP Authentication Cheat Sheet, "Account Lockout").
    """

    def clean(self) -> dict[str, Any]:
        if self.request is None:
            return super().clean()
        # As the account is looked up: spaces and letter case make no other account.
        account = self.cleaned_data.get("username", "").strip().lower()
        try:
            throttle.count(self.request, group="admin-sign-in", rate=settings.SIGNIN_RATE)
            with throttle.failures(
                self.request,
                group="admin-sign-in",
                value=account,
                most=FAILURES,
                within=FAILURES_WITHIN,
                failure=ValidationError,
            ):
                return super().clean()
        except RateLimited as error:
            raise ValidationError(error.message, code="rate_limited") from None


class SailingAdminSite(AdminSite):
    """It keeps to the site's own Content-Security-Policy: no page of it has inline script or style."""

    site_title = "Sailing"
    site_header = "Sailing"
    index_title = _("Overview")
    login_form = SignInForm
    enable_nav_sidebar = False  # three lists need no menu beside them; tables need the width

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The first page, with the number of mails that could not be sent."""
        failed = 0
        if self._registry[Email].has_view_permission(request):
            failed = Email.objects.filter(status=STATUS.failed).count()
        return super().index(request, {**(extra_context or {}), "failed_mails": failed})
