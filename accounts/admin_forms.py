"""The forms of Django admin that set a password or show a member."""

from typing import Any

from django.contrib.admin.forms import AdminPasswordChangeForm as OwnPasswordChangeForm
from django.contrib.auth.forms import AdminPasswordChangeForm, BaseUserCreationForm, UserChangeForm

from accounts import services
from accounts.models import User


class MemberCreationForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """A member added by hand: an address and a password; the rest stands on the next page."""

    class Meta:
        model = User
        fields = ("email",)


class MemberChangeForm(UserChangeForm):  # type: ignore[type-arg]
    """All that stands on a member's page."""

    class Meta:
        model = User
        fields = ("email", "password")


class TellsOwnerMixin:
    """For a form that changes a password: its owner gets a mail about it, in the same transaction."""

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)  # type: ignore[misc]  # hashes it
        if commit:
            services.change_password(user=user)
        return user


class MemberPasswordForm(TellsOwnerMixin, AdminPasswordChangeForm):  # type: ignore[type-arg]
    """A new password for a member; Django's choice of none at all is left out, as deactivating does that."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("usable_password", None)
        self.fields["password1"].required = self.fields["password2"].required = True


class OwnPasswordForm(TellsOwnerMixin, OwnPasswordChangeForm):
    """An admin's own new password."""
