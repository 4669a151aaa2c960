"""The second factor of admins: codes of an authenticator app (TOTP, RFC 6238), and recovery codes.

django-otp takes each code once, throttles failures (1, 2, 4, ... seconds) and stores secrets as clear text.
"""

import re
from base64 import b32encode
from binascii import unhexlify
from typing import Any

import django_otp
import segno
import structlog
from django import forms
from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth import get_user_model
from django.contrib.auth.views import LoginView
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from django_otp.forms import OTPAuthenticationFormMixin
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from sailing import history

KEY = "second_factor_key"  # of a session, which has its own secret during set-up
RECOVERY_CODES = 10
MAX_CODE_LENGTH = 32
CODE_ATTRIBUTES = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
WRONG_CODE = _("This code is wrong or was used before. Please enter the next one that the app shows.")

logger = structlog.get_logger(__name__)


def is_set_up(user: Any) -> bool:
    return bool(TOTPDevice.objects.filter(user=user).exists())


@transaction.atomic
def set_up(*, user: Any, key: str, code: str) -> tuple[Any, list[str]]:
    """Store a second factor; return it and its recovery codes. Raises ValidationError for a wrong code."""
    # FOR NO KEY UPDATE, so that history entries by this user do not wait.
    users = get_user_model()._default_manager.select_for_update(no_key=True)
    list(users.filter(pk=user.pk).values_list("pk"))
    device = None if is_set_up(user) else TOTPDevice.objects.create(user=user, name="app", key=key)
    if device is None or not device.verify_token(_clean_code(code)):
        text = _("This code does not match the key. Please enter the code that the app shows now.")
        raise forms.ValidationError(text)
    recovery = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [str(StaticToken.random_token()) for _number in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=recovery, token=token) for token in codes)
    history.record(user, get_user_model(), user, gettext_noop("Second factor set up."), key=user.pk)
    logger.info("second_factor_set_up", user_id=user.pk)
    return device, [f"{token[:4]}-{token[4:]}" for token in codes]


@transaction.atomic
def remove(*, user: Any) -> bool:
    """Remove the second factor of a user; return False if there was none."""
    count, _by_model = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    if count:
        logger.info("second_factor_removed", user_id=user.pk)
    return bool(count)


def _clean_code(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


class CodeFormMixin(OTPAuthenticationFormMixin):
    """A sign-in form with the field `otp_token`: a code of the app, or a recovery code."""

    otp_error_messages = {
        **OTPAuthenticationFormMixin.otp_error_messages,
        "token_required": _("Please enter the code from your authenticator app too."),
        "device_required": WRONG_CODE,
        "invalid_token": WRONG_CODE,
        "n_failed_attempts": _("There were too many wrong codes. Please wait a moment and try again."),
    }

    def clean_code(self, user: Any) -> None:
        """Use up the code of a user who has a second factor. Raises ValidationError."""
        if not is_set_up(user):
            return
        code = self.cleaned_data["otp_token"] = _clean_code(self.cleaned_data.get("otp_token", ""))
        model: Any = TOTPDevice if re.fullmatch("[0-9]{6}", code) else StaticDevice
        device = model.objects.filter(user=user).first()
        self.cleaned_data["otp_device"] = device.persistent_id if device else ""
        try:
            self.clean_otp(user)
        except forms.ValidationError:
            logger.info("second_factor_failed", user_id=user.pk)
            raise


class SetUpForm(forms.Form):
    code = forms.CharField(
        label=_("Six digits"),
        max_length=MAX_CODE_LENGTH,
        widget=forms.TextInput({**CODE_ATTRIBUTES, "inputmode": "numeric"}),
    )


class SecondFactorMixin(AdminSite):
    """Require the second factor in an admin site: without it, a session may only set it up."""

    def has_permission(self, request: HttpRequest) -> bool:
        if not super().has_permission(request):
            return False
        user: Any = request.user
        return user.is_verified() or not (settings.ADMIN_SECOND_FACTOR or is_set_up(user))

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Sign in, or lead an admin who has no second factor yet to its page."""
        is_admin = super().has_permission(request) and not self.has_permission(request)
        if request.method == "GET" and is_admin and not is_set_up(request.user):
            return HttpResponseRedirect(f"{reverse('admin:second_factor')}?{request.GET.urlencode()}")
        return super().login(request, extra_context)

    def second_factor(self, request: HttpRequest) -> HttpResponseBase:
        """Set up the second factor, and show the recovery codes once."""
        user: Any = request.user
        if not super().has_permission(request) or is_set_up(user):
            return HttpResponseRedirect(get_next_page(request))
        key = request.session.setdefault(KEY, random_hex(20))
        form = SetUpForm(request.POST or None)
        context: dict[str, Any] = {"next": get_next_page(request), "form": form}
        if form.is_valid():
            try:
                device, codes = set_up(user=user, key=key, code=form.cleaned_data["code"])
            except forms.ValidationError as error:
                form.add_error("code", error)
            else:
                del request.session[KEY]
                request.session.cycle_key()
                django_otp.login(request, device)
                context |= {"title": _("Recovery codes"), "codes": codes, **self.each_context(request)}
                return TemplateResponse(request, "admin/second_factor/recovery_codes.html", context)
        url = TOTPDevice(user=user, key=key).config_url
        secret = " ".join(re.findall(".{4}", b32encode(unhexlify(key)).decode()))
        context |= {"qr_code": _draw_qr_code(url), "key_url": url, "key": secret}
        context |= {"title": _("Set up two-step sign-in"), **self.each_context(request)}
        return TemplateResponse(request, "admin/second_factor/set_up.html", context)


def get_next_page(request: HttpRequest) -> str:
    """Return the requested page if it is on this site, else the admin index."""
    view = LoginView()
    view.setup(request)
    return view.get_success_url()


def _draw_qr_code(url: str) -> SafeString:
    # Inline, so that the secret is in no URL, and without styles, which the site's policy forbids.
    image = segno.make(url, error="m", micro=False)
    svg = image.svg_inline(
        scale=4, border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr-code", lineclass=None
    )
    return mark_safe(svg)  # noqa: S308 - contains no user input
