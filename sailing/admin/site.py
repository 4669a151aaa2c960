"""The admin site: sign-in with rate limits, index page, page "System", password change."""

from typing import Any

import structlog
from django.apps import apps
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.i18n import JavaScriptCatalog, set_language

from sailing import history
from sailing.admin import suppression, system
from sailing.admin.second_factor import CodeField, CodeFormMixin, SecondFactorMixin
from sailing.client import get_client
from sailing.errors import RateLimited
from sailing.input_limits import validate_password_length
from sailing.language import store_choice
from sailing.mail import installation
from sailing.mail.addresses import normalize_email, validate_email_length
from sailing.mail.models import Installation
from sailing.ratelimit.limits import limit_failures

DJANGO_TEXTS = (
    _("View %s"),
    _("Change %s"),
    _("Add %s"),
    _("log entry"),
    _("log entries"),
    _("action time"),
    _(
        "Please enter the correct %(username)s and password for a staff account. Note that both fields may be"
        " case-sensitive."
    ),
)
"""Texts of Django that our catalogue translates: after its Czech verbs, a noun would need another case."""

SYSTEM_APPS = ("jobs", "mail")
"""The apps whose lists belong to the page "System"."""

MENU_MODELS = ("Campaign", "Subscription", "ImportBatch", "User")
"""The models whose lists are in the menu, in its order; the home page links to the others."""

logger = structlog.get_logger(__name__)


class SignInForm(CodeFormMixin, AdminAuthenticationForm):
    """Email, password, and the code of an admin with a second factor.

    Attempts are counted before the password is hashed. They share their rate limits with `signIn` of GraphQL,
    which checks the same passwords.
    """

    otp_token = CodeField(
        label=_("Code"),
        required=False,
        help_text=_("From your authenticator app, or a recovery code. Leave it empty if you have neither."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["username"].validators.append(validate_email_length)
        self.fields["password"].validators.append(validate_password_length)

    def clean(self) -> dict[str, Any]:
        if self.request is None:
            return super().clean()
        account = _normalize_account(self.cleaned_data.get("username", ""))
        try:
            with limit_failures(
                get_client(self.request),
                rate=settings.SIGNIN_RATE,
                account=account,
                failure=ValidationError,
            ):
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


def _normalize_account(username: str) -> str:
    """Return one key for all spellings of an address, to count failures by."""
    try:
        return normalize_email(username)
    except ValidationError:
        return username.strip().lower()


class SailingAdminSite(SecondFactorMixin, AdminSite):
    """An admin site without inline scripts and styles, as the Content-Security-Policy requires."""

    site_title = "Sailing"
    site_header = "Sailing"
    index_title = _("Home")
    login_form = SignInForm
    password_change_form: type[Form] = AdminPasswordChangeForm  # replaced by `accounts.admin`
    enable_nav_sidebar = False  # tables need the width

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show what a manager looks for first, and below it links to what the menu does not have.

        A ModelAdmin may take part with a `home_template`, for which `get_home_context` returns the context,
        and with `get_attention`, which returns notices as `get_notices` does.
        """
        model_admins = [each for each in self._list_model_admins() if each.has_view_permission(request)]
        lists = [
            (app["app_label"], self._get_list_name(model), model["admin_url"])
            for app in self.get_app_list(request)
            for model in app["models"]
            if model["admin_url"] and model["object_name"] not in MENU_MODELS
        ]
        lists.sort(key=lambda each: (each[0] == "admin", each[0] in SYSTEM_APPS, each[1].lower()))
        more = [(name, url) for _app, name, url in lists]
        if suppression.is_visible(request, self):
            more.append((gettext("Do-not-contact list"), reverse("admin:suppression")))
        context = {
            "more": more,
            "attention": [
                *system.list_problems(request, self),
                *(
                    notice
                    for model_admin in model_admins
                    if hasattr(model_admin, "get_attention")
                    for notice in model_admin.get_attention(request)
                ),
            ],
            "parts": [
                (model_admin.home_template, model_admin.get_home_context(request))
                for model_admin in model_admins
                if hasattr(model_admin, "home_template")
            ],
        }
        return super().index(request, {**(extra_context or {}), **context})

    def _list_model_admins(self) -> list[Any]:
        return [self.get_model_admin(model) for model in apps.get_models() if self.is_registered(model)]

    def _get_list_name(self, model: dict[str, Any]) -> str:
        return str(getattr(self.get_model_admin(model["model"]), "list_title", "") or model["name"])

    def app_index(  # type: ignore[override]
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to the home page, or to "System": an app has no page of its own."""
        return HttpResponseRedirect(reverse("admin:system" if app_label in SYSTEM_APPS else "admin:index"))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the context of every page.

        For admins it has the menu, says whether the database is a copy, which sends no mails, and has the
        notices of the models: texts with the address of a page (`get_notices` of their ModelAdmin).
        """
        context = super().each_context(request)
        if not context["has_permission"]:
            return context
        notices = [
            notice
            for model_admin in self._list_model_admins()
            if hasattr(model_admin, "get_notices")
            for notice in model_admin.get_notices(request)
        ]
        apps_by_label = {app["app_label"]: app["models"] for app in context["available_apps"]}
        listed = {
            model["object_name"]: model
            for models in apps_by_label.values()
            for model in models
            if model["admin_url"]
        }
        return {
            **context,
            "menu": [listed[name] for name in MENU_MODELS if name in listed],
            "has_system": system.is_visible(request, self),
            "is_copy": installation.is_copy(),
            "notices": notices,
        }

    def get_urls(self) -> list[URLResolver | URLPattern]:
        return [
            path("system/", self.admin_view(self.system), name="system"),
            path("system/restored/", self.admin_view(self.end_restored_work), name="end_restored_work"),
            path("suppression/", self.admin_view(self.suppression), name="suppression"),
            path("language/", set_language, name="set_language"),
            *super().get_urls(),
        ]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Sign in. Afterwards admin is in the admin's own language, unless the browser has another one."""
        context = {"title": _("Sign in to the manager’s desk"), **(extra_context or {})}
        response = super().login(request, context)
        if request.user.is_authenticated and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            store_choice(response, request.user.language)
        return response

    def i18n_javascript(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        """Return the texts of Django's scripts, some of them in our words (`locale/cs/.../djangojs.po`)."""
        return JavaScriptCatalog.as_view(packages=["django.contrib.admin", "sailing"])(request)

    def system(self, request: HttpRequest) -> TemplateResponse:
        request.current_app = self.name
        return system.render(request, self)

    def end_restored_work(self, request: HttpRequest) -> HttpResponse:
        """Do what `manage.py after_restore` does, by POST."""
        if not request.user.is_superuser:
            raise PermissionDenied
        if request.method == "POST" and installation.is_copy():
            installation.stop_restored_work()
            text = gettext_noop("Ended the work that waited in the backup.")
            history.record(request.user, Installation, _("System"), text)
            messages.success(request, _("The site sends emails from this database."))
        return HttpResponseRedirect(reverse("admin:system"))

    def suppression(self, request: HttpRequest) -> HttpResponse:
        return suppression.render(request, self)

    @method_decorator(never_cache)
    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        """Change the admin's own password. Overridden because Django's view has its form hard-coded."""
        request.current_app = self.name
        view = PasswordChangeView.as_view(
            form_class=self.password_change_form,
            success_url=reverse_lazy("admin:password_change_done"),
            template_name="registration/password_change_form.html",
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return view(request)

    @method_decorator(never_cache)
    def password_change_done(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        return super().password_change_done(request, extra_context)
