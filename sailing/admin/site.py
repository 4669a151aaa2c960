"""The admin site: sign-in with rate limits, sessions, menu, home page, password change."""

from contextlib import suppress
from datetime import timedelta
from typing import Any
from unicodedata import normalize

import structlog
from django.apps import apps
from django.conf import settings
from django.contrib.admin import AdminSite, site
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import PasswordChangeView
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.forms import CharField, Form, TextInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.csrf import csrf_failure
from django.views.decorators.cache import never_cache
from django.views.i18n import set_language

from sailing.admin import second_factor, suppression, system
from sailing.client import current_client, store_language
from sailing.errors import RateLimited
from sailing.input_limits import validate_password_length
from sailing.jobs import retention
from sailing.mail import installation
from sailing.mail.addresses import normalize_email, validate_email_length
from sailing.ratelimit.limits import limit_failures

DJANGO_TEXTS = (  # which our catalogue translates in our words
    _("log entries"),
    _("action time"),
)

MENU = ("campaigns.Campaign", "newsletter.Subscription", "imports.ImportBatch", "accounts.User")
"""The models whose lists are in the menu, in its order; the home page links to the others."""

SESSION_AGE = timedelta(seconds=settings.SESSION_COOKIE_AGE)

retention.periods |= {
    "adminSession": SESSION_AGE,
    "languageCookie": timedelta(seconds=settings.LANGUAGE_COOKIE_AGE),
}

logger = structlog.get_logger(__name__)


@receiver(user_logged_in)
def fix_expiry(request: HttpRequest, **_signal: Any) -> None:
    """Let a session expire a fixed time after the sign-in: Django extends it whenever it stores something."""
    request.session.set_expiry(timezone.now() + SESSION_AGE)


@retention.register
def purge_expired_sessions() -> bool:
    return retention.delete_batch(Session.objects.filter(expire_date__lt=timezone.now()))


class SignInForm(second_factor.CodeFormMixin, AdminAuthenticationForm):
    """Attempts are counted before the password is hashed, together with those of `signIn` of GraphQL."""

    otp_token = CharField(
        label=_("Code"),
        required=False,
        max_length=second_factor.MAX_CODE_LENGTH,
        widget=TextInput(second_factor.CODE_ATTRIBUTES),
        help_text=_("From your authenticator app, or a recovery code. Leave it empty if you have neither."),
    )

    error_messages = AdminAuthenticationForm.error_messages | {
        "invalid_login": _("The email or the password is wrong, or the account is not an admin’s."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["username"].validators.append(validate_email_length)
        self.fields["password"].validators.append(validate_password_length)

    def clean(self) -> dict[str, Any]:
        account = ""  # counts the failures for what is no address, which no admin has
        with suppress(ValidationError):
            account = normalize_email(self.cleaned_data.get("username", ""))
        try:
            with limit_failures(current_client.get(), account=account, failure=ValidationError):
                values = super().clean()
        except RateLimited as error:  # also raised when too many passwords are being hashed
            raise ValidationError(error.message, code="rate_limited") from None
        except ValidationError:
            logger.info("admin_sign_in_failed")
            raise
        if user := self.get_user():
            self.clean_code(user)
            logger.info("admin_sign_in", user_id=user.pk)
        return values


class SailingAdminSite(second_factor.SecondFactorMixin, AdminSite):
    site_title = "Sailing"
    index_title = _("Home")
    empty_value_display = "–"
    login_form = SignInForm
    password_change_form: type[Form] = AdminPasswordChangeForm  # replaced by `accounts.admin`
    enable_nav_sidebar = False  # tables need the width

    def get_urls(self) -> list[URLResolver | URLPattern]:
        # Not cached by browsers, while Django lets them cache its pages about the password.
        pages: dict[str, tuple[str, Any]] = {
            "system": ("system/", system.show),
            "end_restored_work": ("system/restored/", system.end_restored_work),
            "suppression": ("suppression/", suppression.show),
            "password_change": ("password_change/", self.password_change),
            "password_change_done": ("password_change/done/", self.password_change_done),
        }
        own = [path(address, self.admin_view(view), name=name) for name, (address, view) in pages.items()]
        return [
            *own,
            path("language/", set_language, name="set_language"),
            # Without `admin_view`: for admins who have yet to set up the second factor.
            path("second-factor/", never_cache(self.second_factor), name="second_factor"),
            path("logout/", self.logout, name="logout"),
            *super().get_urls(),
        ]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add the menu, and whether the database is a copy, which sends no mails."""
        context = super().each_context(request)
        if context["has_permission"]:
            lists = [self.get_model_admin(apps.get_model(label)) for label in MENU]
            context |= {
                "menu": [each for each in lists if each.has_view_permission(request)],
                "has_system": system.is_visible(request),
                "is_copy": installation.is_copy(),
            }
        return context

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """Show what a manager looks for first, and below it links to what the menu does not have."""
        registered = (self.get_model_admin(model) for model in apps.get_models() if self.is_registered(model))
        shown: list[Any] = [each for each in registered if each.has_view_permission(request)]
        others = [each for each in shown if each.opts.label not in MENU]
        more = [(str(each.list_name), each.get_url("changelist")) for each in others]
        if suppression.is_visible(request):
            more.append((gettext("Do-not-contact list"), reverse("admin:suppression")))
        notices = [notice for each in shown for notice in each.get_attention(request)]
        context = {
            "attention": [*system.list_problems(request), *notices],
            "parts": [(each.home_template, each.get_home_context(request)) for each in shown],
            "more": sorted(more, key=lambda link: normalize("NFD", link[0])),  # Ú after U
        }
        return super().index(request, context)

    def app_index(self, request: HttpRequest, app_label: str, extra_context: Any = None) -> Any:
        """Lead to the home page: an app has no page of its own."""
        return redirect("admin:index")

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Sign in. Afterwards admin is in the admin's own language, unless the browser has another one."""
        response = super().login(request, {"title": _("Sign in to the manager’s desk")})
        if request.user.is_authenticated and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            store_language(response, request.user.language)
        return response

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Change the admin's own password. Overridden because Django's view has its form hard-coded."""
        view = PasswordChangeView.as_view(
            form_class=self.password_change_form,
            success_url=reverse_lazy("admin:password_change_done"),
            extra_context=self.each_context(request) | {"title": _("Change password")},
        )
        return view(request)


def handle_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show the sign-in again if another tab has outdated its form, or go on if that has signed in."""
    # Another origin, or a browser without cookies, has another reason.
    if request.path != reverse("admin:login") or not reason.startswith("CSRF token"):
        return csrf_failure(request, reason)
    return redirect(
        second_factor.get_next_page(request) if site.has_permission(request) else request.get_full_path()
    )
