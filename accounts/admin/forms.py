"""Forms for members and their passwords."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.admin.forms import AdminPasswordChangeForm as OwnPasswordChangeForm
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.core.exceptions import ValidationError
from django.forms import ModelForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import LastSuperuser
from accounts.forms import PasswordFieldsMixin
from accounts.models import User
from accounts.services import membership, passwords
from accounts.validation import PasswordRules
from sailing.client import current_client
from sailing.errors import RateLimited
from sailing.input_limits import clean_line
from sailing.ratelimit.limits import limit_failures

SELF_PROTECTED_FIELDS = ("is_staff", "is_superuser")
"""Flags that superusers cannot clear for themselves, and that stay set for the last superuser."""


class MemberForm(ModelForm):  # type: ignore[type-arg]
    """Add or change a member. The page has buttons for the password and the deactivation."""

    class Meta:
        model = User
        fields = ("email",)
        error_messages: ClassVar = {
            "email": {"unique": gettext_lazy("An account with this email already exists.")}
        }
        labels: ClassVar = {"is_superuser": gettext_lazy("Superuser")}
        help_texts: ClassVar = {
            "is_staff": gettext_lazy("May sign in here."),
            "is_superuser": gettext_lazy("Has every right and manages the other admins."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name in (*User.PROFILE_FIELDS, "captain_license_number"):
            try:
                if values.get(name):
                    values[name] = clean_line(values[name], limit=User.get_max_length(name))
            except ValidationError as error:
                self.add_error(name, error)
        for name in ("groups", "user_permissions"):
            if name not in self.changed_data:
                values.pop(name, None)  # Django would store what the page showed, perhaps long ago
        if any(name in self.changed_data and not values.get(name) for name in SELF_PROTECTED_FIELDS):
            try:
                membership.require_other_superuser(than=[self.instance.pk])
            except LastSuperuser:
                raise ValidationError(_("The last active superuser cannot be demoted.")) from None
        return values


class NewPasswordMixin(PasswordFieldsMixin):
    """A form that changes a password and queues a mail to its owner in the same transaction."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        new, repeated = [self.fields[name] for name in self._list_password_fields()[-2:]]
        new.label, repeated.label = _("New password"), _("Repeat the password")
        new.help_text = PasswordRules().get_help_text() + " " + _("Not a commonly used password.")
        repeated.help_text = ""

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)  # type: ignore[misc]
        if commit:
            passwords.change_password(user=user)
        return user


class MemberPasswordForm(NewPasswordMixin, AdminPasswordChangeForm):  # type: ignore[type-arg]
    """Set a member's password. Unusable passwords are not offered: deactivation does the same."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        self.fields["password1"].required = self.fields["password2"].required = True


class OwnPasswordForm(NewPasswordMixin, OwnPasswordChangeForm):
    """Change the admin's own password. A wrong old one counts as a failed sign-in."""

    def clean_old_password(self) -> str:
        client, account = current_client.get(), self.user.email
        try:
            with limit_failures(client, rate=settings.SIGNIN_RATE, account=account, failure=ValidationError):
                password: str = super().clean_old_password()
        except RateLimited as error:
            raise ValidationError(error.message) from None
        return password
