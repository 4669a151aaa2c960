"""Password fields of forms, and the forms of the pages behind links in mails."""

from contextlib import suppress
from typing import Any

from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import ValidationError
from django.forms import BaseForm, CharField, Field, Form, PasswordInput
from django.utils.translation import gettext_lazy as _

from accounts.validation import NEW_PASSWORD_ATTRIBUTES, PasswordRules
from sailing.input_limits import MAX_PASSWORD_LENGTH, normalize_password, validate_password_length

ATTRIBUTES = {"class": "Field-control PasswordField-input", "maxlength": MAX_PASSWORD_LENGTH}


class FocusMixin(BaseForm):
    """A form whose first invalid field has the focus."""

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error(field, error)
        first = next((name for name in self.fields if name in self.errors), None)
        for name in self.fields:
            self.fields[name].widget.attrs["autofocus"] = name == first


class NewPasswordMixin:
    """A form of Django for a new password, whose fields have our labels and rules."""

    fields: dict[str, Field]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        new, repeated = self.fields["new_password1"], self.fields["new_password2"]
        new.label, repeated.label = _("New password"), _("Confirm the new password")
        new.help_text, repeated.help_text = PasswordRules().get_help_text(), ""
        for field in (new, repeated):
            field.widget.attrs |= NEW_PASSWORD_ATTRIBUTES

    def clean(self) -> dict[str, Any]:
        """Compare the passwords in Unicode NFC."""
        for name in ("new_password1", "new_password2"):
            with suppress(KeyError, ValidationError):  # the rules refuse a long one
                self.cleaned_data[name] = normalize_password(self.cleaned_data[name])
        values: dict[str, Any] = super().clean()  # type: ignore[misc]
        return values

    def validate_password_for_user(self, user: Any, password_field_name: str = "") -> None:
        """Show the errors of the rules at the first field. Django shows them at the second one."""
        super().validate_password_for_user(user, "new_password1")  # type: ignore[misc]


class PasswordForm(FocusMixin, Form):
    """Ask a member who is not signed in for the password."""

    password = CharField(
        label=_("Account password"),
        strip=False,
        widget=PasswordInput(attrs={"autocomplete": "current-password", **ATTRIBUTES}),
        validators=[validate_password_length],
        error_messages={"required": _("Password is required")},
    )


class PasswordResetForm(FocusMixin, NewPasswordMixin, SetPasswordForm):  # type: ignore[type-arg]
    error_messages = {"password_mismatch": _("Passwords do not match")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].error_messages["required"] = _("Password is required")
        self.fields["new_password2"].error_messages["required"] = _("Please confirm your password")
        for field in self.fields.values():
            field.widget.attrs |= ATTRIBUTES

    def list_rules(self) -> list[tuple[str, Any]]:
        return PasswordRules().list_rules()
