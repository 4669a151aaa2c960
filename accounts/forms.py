"""Password fields of forms, and the forms of the pages behind links in mails."""

from contextlib import suppress
from typing import Any

from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import ValidationError
from django.forms import CharField, Field, Form, PasswordInput
from django.utils.translation import gettext_lazy as _

from accounts.validation import NEW_PASSWORD_ATTRIBUTES, PasswordRules
from sailing.input_limits import MAX_PASSWORD_LENGTH, normalize_password, validate_password_length


class PasswordFieldsMixin:
    """A form that refuses too long passwords before they are hashed and compares them in Unicode NFC.

    Its fields of a new password tell the browser the rules.
    """

    fields: dict[str, Field]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self._list_password_fields():
            field = self.fields[name]
            field.validators.append(validate_password_length)
            if field.widget.attrs.get("autocomplete") == "new-password":
                field.widget.attrs |= NEW_PASSWORD_ATTRIBUTES

    def clean(self) -> dict[str, Any]:
        for name in self._list_password_fields():
            if value := self.cleaned_data.get(name):
                with suppress(ValidationError):
                    self.cleaned_data[name] = normalize_password(value)
        values: dict[str, Any] = super().clean()  # type: ignore[misc]
        return values

    def _list_password_fields(self) -> list[str]:
        return [name for name, field in self.fields.items() if isinstance(field.widget, PasswordInput)]


class PasswordForm(PasswordFieldsMixin, Form):
    """Ask a member who is not signed in for the password."""

    password = CharField(
        label=_("Password of the account"),
        strip=False,
        widget=PasswordInput(
            attrs={
                "autocomplete": "current-password",
                "class": "Field-control PasswordField-input",
                "maxlength": MAX_PASSWORD_LENGTH,
            }
        ),
        error_messages={"required": _("Password is required")},
    )


class PasswordResetForm(PasswordFieldsMixin, SetPasswordForm):  # type: ignore[type-arg]
    """Django's form for a new password, with our labels, messages and length limit."""

    error_messages = {"password_mismatch": _("Passwords do not match")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        new, repeated = self.fields["new_password1"], self.fields["new_password2"]
        new.label, repeated.label = _("New password"), _("Confirm the new password")
        new.help_text, repeated.help_text = PasswordRules().get_help_text(), ""
        new.error_messages["required"] = _("Password is required")
        repeated.error_messages["required"] = _("Please confirm your password")
        repeated.validators.remove(validate_password_length)  # it is only compared with the first
        for field in (new, repeated):
            field.widget.attrs |= {
                "class": "Field-control PasswordField-input",
                "maxlength": MAX_PASSWORD_LENGTH,
            }

    def list_rules(self) -> list[tuple[str, str]]:
        """Return the rules in the language of the page, which is set when it is rendered."""
        return PasswordRules().list_rules()

    def validate_password_for_user(self, user: Any, password_field_name: str = "") -> None:
        """Show the errors of the rules at the first field. Django shows them at the second one."""
        super().validate_password_for_user(user, "new_password1")

    def clean(self) -> dict[str, Any]:
        super().clean()
        for name in [name for name in self.fields if name in self.errors][:1]:
            self.fields[name].widget.attrs["autofocus"] = True
        return self.cleaned_data
