"""Forms for members and their passwords."""

from typing import Any, ClassVar

from django.contrib.admin.forms import AdminPasswordChangeForm
from django.core.exceptions import ValidationError
from django.forms import ChoiceField, ModelForm
from django.utils.translation import gettext_lazy as _

from accounts.errors import LastSuperuser
from accounts.forms import NewPasswordMixin
from accounts.models import User
from accounts.services import credentials, membership
from accounts.services.sign_in import require_password
from sailing.admin import groups
from sailing.client import current_client
from sailing.errors import ApiError
from sailing.input_limits import clean_line


class MemberForm(ModelForm):  # type: ignore[type-arg]
    """Add or change a member. The page has buttons for the password and the deactivation."""

    role = ChoiceField(
        label=_("Role"),
        choices=groups.ROLES.items,
        required=False,
        show_hidden_initial=True,
        help_text=_(
            "Viewers change nothing. Editors write campaigns and manage subscribers. Managers also send,"
            " export and erase. Superusers also manage members and admins."
        ),
    )

    class Meta:
        model = User
        fields = ("email",)
        error_messages: ClassVar = {"email": {"unique": _("An account with this email already exists.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if self.instance.pk:
            self.initial["role"] = groups.get_role(self.instance)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name in (*User.PROFILE_FIELDS, "captain_license_number"):
            try:
                if values.get(name):
                    values[name] = clean_line(values[name], limit=User.get_max_length(name))
            except ValidationError as error:
                self.add_error(name, error)
        if self.instance.is_superuser and "role" in self.changed_data:
            try:
                membership.require_other_superuser(than=[self.instance.pk])
            except LastSuperuser:
                raise ValidationError(_("The last active superuser cannot be demoted.")) from None
        return values


class OwnPasswordForm(NewPasswordMixin, AdminPasswordChangeForm):
    """Change the admin's own password, and queue a mail about it.

    A wrong old one counts as a failed sign-in.
    """

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        credentials.change_password(user=user)
        return user

    def clean_old_password(self) -> str:
        password: str = self.cleaned_data["old_password"]
        try:
            require_password(current_client.get(), self.user, password)
        except ApiError as error:
            raise ValidationError(error.message) from None
        return password
