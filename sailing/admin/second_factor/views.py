"""The second factor in Django admin: the code after the password, set-up, replacement and removal."""

from typing import Any

import django_otp
import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from sailing.admin.second_factor import devices
from sailing.admin.second_factor.devices import WrongCode
from sailing.errors import RateLimited

KEY = "second_factor_key"
"""The session key of the secret during set-up. Each session has its own secret."""

MAX_CODE_LENGTH = 32

WRONG_CODE = _("This code is wrong or was used before. Please enter the next one that the app shows.")
CLOCK_HINT = _("Codes depend on the time. Let your phone set its clock automatically.")
WRONG_RECOVERY_CODE = _("This recovery code is wrong or was used before.")


class CodeField(forms.CharField):
    """A code, which may contain spaces."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": MAX_CODE_LENGTH, **kwargs})
        self.widget.attrs |= {
            "autocomplete": "one-time-code",
            "autocapitalize": "none",
            "spellcheck": "false",
        }


class VerifyingForm(forms.Form):
    """A form in which an admin enters a code of their own second factor."""

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.device: Any = None

    def verify(self, field: str, wrong: Any = WRONG_CODE) -> None:
        """Use up the code of a field, or mark it as wrong."""
        try:
            self.device = devices.verify(user=self.user, code=self.cleaned_data[field])
        except WrongCode as error:
            self.add_error(field, [wrong, CLOCK_HINT] if error.is_repeated else wrong)
        except RateLimited as error:
            self.add_error(field, error.message)


class SignInCodeForm(VerifyingForm):
    """The second step of a sign-in: a code of the app or, without it, a recovery code."""

    code = CodeField(label=_("Code from your authenticator app"), required=False)
    recovery_code = CodeField(label=_("Recovery code"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["inputmode"] = "numeric"
        self.fields["recovery_code"].widget.attrs["autocomplete"] = "off"
        entered = "recovery_code" if self.data.get("recovery_code") else "code"
        self.fields[entered].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = self.cleaned_data
        if self.errors:
            return values
        if values["recovery_code"]:
            self.verify("recovery_code", WRONG_RECOVERY_CODE)
        elif values["code"]:
            self.verify("code")
        else:
            self.add_error("code", _("Please enter the code."))
        return values


class CurrentCodeForm(VerifyingForm):
    """A code that proves that an admin has the current second factor."""

    current_code = CodeField(label=_("Current code, or a recovery code"))

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            self.verify("current_code")
        return self.cleaned_data


class SetUpForm(VerifyingForm):
    """A code of the new app, and a code of the current one if there is one."""

    current_code = CodeField(label=_("Code from the app in use, or a recovery code"))
    code = CodeField(label=_("Code from the new app"))

    def __init__(self, *args: Any, key: str, replaces: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.key = key
        self.fields["code"].widget.attrs["inputmode"] = "numeric"
        if not replaces:
            del self.fields["current_code"]
            self.fields["code"].label = _("Six digits")

    def clean(self) -> dict[str, Any]:
        if self.errors:
            return self.cleaned_data
        # Check the new code first: checking it does not use it up.
        if not devices.is_code_of(self.key, self.cleaned_data["code"]):
            wrong = _(
                "This code does not match the new secret. Please enter the code that the app shows now."
            )
            self.add_error("code", [wrong, CLOCK_HINT])
        elif "current_code" in self.fields:
            self.verify("current_code")
        return self.cleaned_data


class SecondFactorMixin(AdminSite):
    """Require the second factor in an admin site.

    The session starts with the password. Until the code is entered, it has no permission in admin and can
    open only the page that asks for the code. The rest of the site does not use the session.
    """

    def get_urls(self) -> list[URLResolver | URLPattern]:
        return [
            path("second-factor/", self.admin_view(self.second_factor), name="second_factor"),
            path("second-factor/code/", never_cache(self.second_factor_code), name="second_factor_code"),
            path(
                "second-factor/set-up/", never_cache(self.second_factor_set_up), name="second_factor_set_up"
            ),
            # Without `admin_view`: an admin who cannot enter the code must be able to log out.
            path("logout/", self.logout, name="logout"),
            *super().get_urls(),
        ]

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not self._find_missing_step(request)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method == "GET" and (step := self._find_missing_step(request)):
            query = urlencode({REDIRECT_FIELD_NAME: _next(request)})
            return HttpResponseRedirect(f"{reverse(step, current_app=self.name)}?{query}")
        return super().login(request, extra_context)

    def second_factor_code(self, request: HttpRequest) -> HttpResponseBase:
        """Ask for the code after the password."""
        if self._find_missing_step(request) != "admin:second_factor_code":
            return self._redirect_to_next_or_login(request)
        form = SignInCodeForm(request.POST or None, user=request.user)
        if form.is_valid():
            request.session.cycle_key()
            django_otp.login(request, form.device)
            return HttpResponseRedirect(_next(request))
        context = {"title": _("Two-step sign-in"), "form": form, "next": _next(request)}
        return self._page(request, "code", context)

    def second_factor_set_up(self, request: HttpRequest) -> HttpResponseBase:
        """Set up a second factor, or replace the current one."""
        if (
            not self.has_permission(request)
            and self._find_missing_step(request) != "admin:second_factor_set_up"
        ):
            return self._redirect_to_next_or_login(request)
        user = request.user
        key = request.session.setdefault(KEY, random_hex(20))
        replaces = devices.is_set_up(user)
        form = SetUpForm(request.POST or None, user=user, key=key, replaces=replaces)
        if form.is_valid():
            try:
                device, codes = devices.set_up(user=user, key=key, code=form.cleaned_data["code"])
            except WrongCode:  # the code has expired since the check
                form.add_error("code", WRONG_CODE)
            else:
                del request.session[KEY]
                request.session.cycle_key()
                django_otp.login(request, device)
                context = {"title": _("Recovery codes"), "codes": codes, "next": _next(request)}
                return self._page(request, "recovery_codes", context)
        url = TOTPDevice(user=user, key=key).config_url
        context = {
            "title": _("Replace the authenticator app") if replaces else _("Set up two-step sign-in"),
            "form": form,
            "replaces": replaces,
            "qr_code": _draw_qr_code(url),
            "key_url": url,
            "key": devices.format_key(key),
            "next": _next(request),
        }
        return self._page(request, "set_up", context)

    def second_factor(self, request: HttpRequest) -> HttpResponseBase:
        """Show the admin's own second factor, and remove it where none is required."""
        user = request.user
        if not devices.is_set_up(user):
            return HttpResponseRedirect(reverse("admin:second_factor_set_up", current_app=self.name))
        form = CurrentCodeForm(request.POST or None, user=user)
        if not settings.ADMIN_SECOND_FACTOR and form.is_valid():
            devices.remove(user=user, by=user)
            messages.success(request, _("Two-step sign-in is off."))
            return HttpResponseRedirect(reverse("admin:index", current_app=self.name))
        context = {
            "title": _("Two-step sign-in"),
            "form": None if settings.ADMIN_SECOND_FACTOR else form,
            "recovery_codes": StaticToken.objects.filter(device__user=user).count(),
        }
        return self._page(request, "manage", context)

    def _find_missing_step(self, request: HttpRequest) -> str:
        """Return the name of the page to complete after the password, or "" if there is none."""
        user: Any = request.user
        if not AdminSite.has_permission(self, request) or user.otp_device:
            return ""
        if not hasattr(user, "has_second_factor"):  # asked for several times in a request
            user.has_second_factor = devices.is_set_up(user)
        if user.has_second_factor:
            return "admin:second_factor_code"
        return "admin:second_factor_set_up" if settings.ADMIN_SECOND_FACTOR else ""

    def _redirect_to_next_or_login(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect to the requested page, or to the sign-in, which redirects to the missing step."""
        if self.has_permission(request):
            return HttpResponseRedirect(_next(request))
        return redirect_to_login(_next(request), reverse("admin:login", current_app=self.name))

    def _page(self, request: HttpRequest, name: str, context: dict[str, Any]) -> TemplateResponse:
        request.current_app = self.name
        template = f"admin/second_factor/{name}.html"
        return TemplateResponse(request, template, {**self.each_context(request), **context})


def _next(request: HttpRequest) -> str:
    """Return the requested page if it is on this site, else the admin index."""
    target: str = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=request.is_secure()):
        return target
    return reverse("admin:index")


def _draw_qr_code(url: str) -> SafeString:
    # Inline, so that the secret is in no URL, and without styles, which the site's policy forbids.
    image = segno.make(url, error="m", micro=False)
    svg = image.svg_inline(
        scale=4, border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr-code", lineclass=None
    )
    return mark_safe(svg)  # noqa: S308 - contains no user input
