"""Form of the page behind a reset link."""

from typing import Any

from django.contrib.auth.forms import SetPasswordForm
from django.utils.translation import gettext_lazy as _

from accounts.validation import PasswordRules
from sailing.input_limits import MAX_PASSWORD_LENGTH, validate_password_length


class PasswordResetForm(SetPasswordForm):  # type: ignore[type-arg]
    """Django's form for a new password, with our labels, messages and length limit."""

    error_messages = {"password_mismatch": _("Passwords do not match")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._set_texts("new_password1", label=_("New password"), required=_("Password is required"))
        self._set_texts(
            "new_password2", label=_("Confirm the new password"), required=_("Please confirm your password")
        )
        # The second field is only compared with the first.
        self.fields["new_password1"].validators.append(validate_password_length)
        self.fields["new_password1"].help_text = PasswordRules().get_help_text()
        self.rules = PasswordRules().list_rules()

    def _set_texts(self, name: str, *, label: Any, required: Any) -> None:
        field = self.fields[name]
        field.label, field.help_text = label, ""
        field.error_messages["required"] = required
        field.widget.attrs |= {"class": "field__input", "maxlength": MAX_PASSWORD_LENGTH}

    def clean(self) -> dict[str, Any]:
        self.validate_passwords("new_password1", "new_password2")
        # Django shows the errors of the rules at the second field.
        self.validate_password_for_user(self.user, "new_password1")
        for name in [name for name in self.fields if name in self.errors][:1]:
            self.fields[name].widget.attrs["autofocus"] = True
        return self.cleaned_data
