"""The forms of Django admin that set a password or show a member."""

from typing import Any

from django.contrib.admin.forms import AdminPasswordChangeForm as OwnPasswordChangeForm
from django.contrib.auth.forms import AdminPasswordChangeForm, BaseUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.forms import Field, PasswordInput
from django.utils.translation import gettext as _

from accounts import services
from accounts.errors import LastSuperuser
from accounts.models import User
from sailing.input_limits import validate_password_length

ACCESS = ("is_active", "is_staff", "is_superuser")
"""The flags of a superuser's access. Superusers cannot clear their own, and the last one keeps them."""


class LimitsPasswordsMixin:
    """For a form with passwords: one beyond the limit is refused before it is hashed."""

    fields: dict[str, Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field.widget, PasswordInput):
                field.validators.append(validate_password_length)


class MemberCreationForm(LimitsPasswordsMixin, BaseUserCreationForm):  # type: ignore[type-arg]
    """A member added by hand: an address and a password; the rest stands on the next page."""

    class Meta:
        model = User
        fields = ("email",)


class MemberChangeForm(UserChangeForm):  # type: ignore[type-arg]
    """All that stands on a member's page."""

    class Meta:
        model = User
        fields = ("email", "password")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if any(name in self.changed_data and not values.get(name) for name in ACCESS):
            try:
                services.require_other_superuser(than=[self.instance.pk])
            except LastSuperuser:
                raise ValidationError(
                    _("The last active superuser cannot be demoted or deactivated.")
                ) from None
        return values


class TellsOwnerMixin:
    """For a form that changes a password: its owner gets a mail about it, in the same transaction."""

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)  # type: ignore[misc]  # hashes it
        if commit:
            services.change_password(user=user)
        return user


class MemberPasswordForm(LimitsPasswordsMixin, TellsOwnerMixin, AdminPasswordChangeForm):  # type: ignore[type-arg]
    """A new password for a member; Django's choice of none at all is left out, as deactivating does that."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        self.fields["password1"].required = self.fields["password2"].required = True


class OwnPasswordForm(LimitsPasswordsMixin, TellsOwnerMixin, OwnPasswordChangeForm):
    """An admin's own new password."""
