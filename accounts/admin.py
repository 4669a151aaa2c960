"""Members in Django admin."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User

# Permissions are given to an admin directly; a handful of admins needs no groups.
admin.site.unregister(Group)

RIGHTS = ("is_staff", "is_superuser", "user_permissions")


class MemberCreationForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email",)


class MemberChangeForm(UserChangeForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("email", "password")


@admin.register(User)
class MemberAdmin(UserAdmin):  # type: ignore[type-arg]
    """Members and admins. Only a superuser may make an admin, or change one: nobody lifts themselves up."""

    form = MemberChangeForm
    add_form = MemberCreationForm
    list_display = ("email", "name", "is_email_verified", "is_active", "is_staff", "created_at")
    list_filter = ("is_email_verified", "is_active", "is_staff", "is_superuser")
    search_fields = ("email", "first_name", "last_name")
    ordering = ("-created_at",)
    show_full_result_count = False
    filter_horizontal = ("user_permissions",)
    readonly_fields = ("is_email_verified", "last_login", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("email", "is_email_verified", "password")}),
        (_("Profile"), {"fields": ("first_name", "last_name", "nickname", "phone", "nationality")}),
        (_("Rights"), {"fields": ("is_active", *RIGHTS)}),
        (_("Dates"), {"fields": ("last_login", "created_at", "updated_at")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),
    )

    @admin.display(description=_("name"), ordering="last_name")
    def name(self, member: User) -> str:
        return member.get_full_name()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        superuser = getattr(request.user, "is_superuser", False)
        return self.readonly_fields if superuser else (*self.readonly_fields, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if "email" in form.changed_data:
            obj.is_email_verified = False  # the old address was
        super().save_model(request, obj, form, change)


def _may_touch(request: HttpRequest, member: User | None) -> bool:
    plain = member is None or not (member.is_staff or member.is_superuser)
    return plain or getattr(request.user, "is_superuser", False)
