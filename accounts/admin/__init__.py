"""Members in Django admin."""

from typing import Any, ClassVar, cast

import django.contrib.auth.admin  # noqa: F401 - these modules register what is unregistered below
import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.admin import actions
from accounts.admin.forms import MemberForm, OwnPasswordForm
from accounts.models import ERASED_ADMIN, LinkPurpose, User
from accounts.services import links, membership
from sailing.admin import groups, second_factor
from sailing.admin.erasure import ErasableModelAdmin
from sailing.admin.exports import ExportMixin
from sailing.admin.lists import ConditionFilter, format_time, render_badge
from sailing.admin.pages import Entry, RowPageMixin, get_newest, list_changes, list_mails
from sailing.admin.site import SailingAdminSite

cast(SailingAdminSite, admin.site).password_change_form = OwnPasswordForm
# The groups are fixed; a member gets one as the role. The pages of a second factor would show its secret.
admin.site.unregister((Group, StaticDevice, TOTPDevice))


class AccountFilter(ConditionFilter):
    title = _("account")
    parameter_name = "account"
    conditions: ClassVar = {
        "active": (_("Active"), Q(is_active=True, is_staff=False)),
        "admin": (_("Admin"), Q(is_active=True, is_staff=True)),
        "deactivated": (_("Deactivated"), Q(is_active=False)),
    }


class EmailFilter(ConditionFilter):
    title = _("email state")
    parameter_name = "email_state"
    conditions: ClassVar = {
        "verified": (_("Verified"), Q(is_email_verified=True, email_undeliverable_at=None)),
        "unverified": (_("Unverified"), Q(is_email_verified=False, email_undeliverable_at=None)),
        "undeliverable": (_("Undeliverable"), Q(email_undeliverable_at__isnull=False)),
    }


def describe_state(member: User) -> str:
    """Return what the badges do not say: the dates."""
    texts = {
        gettext("Emails to the address have come back since %(date)s."): member.email_undeliverable_at,
        gettext("Last sign-in: %(date)s."): member.last_login,
    }
    found = [text % {"date": format_time(at, "SHORT_DATE_FORMAT")} for text, at in texts.items() if at]
    if not member.last_login:
        found.append(gettext("No sign-in yet."))
    return " ".join(found)


@admin.register(User)
class MemberAdmin(ExportMixin, RowPageMixin, ErasableModelAdmin):
    """Members and admins. Only a superuser may create or change an admin: no privilege escalation.

    Only the owner can verify an address, by the link in the mail. The links are not shown, because they act
    for the owner.
    """

    form = MemberForm
    add_form_template = "admin/accounts/user/add_form.html"
    add_label = _("Add a member")
    list_display = ("email", "name", "account_badge", "verified_badge", "last_sign_in", "created_at")
    hidden_columns = ("last_sign_in", "created_at")
    list_filter = (AccountFilter, EmailFilter, "created_at", "captain_license", "favorite_position")
    export_fields = (
        "email",
        *User.PROFILE_FIELDS,
        "captain_license",
        "captain_license_number",
        "favorite_position",
        "language",
        "is_email_verified",
        "is_active",
        "created_at",
        "updated_at",
        "last_login",
    )
    search_fields = ("email", "first_name", "last_name", "nickname")
    search_help_text = _("Address or name")
    ordering = ("-created_at",)
    actions = actions.ACTIONS
    fieldsets = (
        (_("Account"), {"fields": ("email", "language")}),
        (_("Profile"), {"fields": User.PROFILE_FIELDS}),
        (_("Aboard"), {"fields": ("captain_license", "captain_license_number", "favorite_position")}),
        (_("Rights"), {"fields": ("role",)}),
    )
    add_fieldsets = ((None, {"fields": ("email", "first_name", "last_name", "language", "role")}),)

    @admin.display(description=_("name"), ordering="last_name")
    def name(self, member: User) -> str:
        return member.get_full_name()

    @admin.display(description=_("email state"), ordering="is_email_verified")
    def verified_badge(self, member: User) -> str:
        if member.email_undeliverable_at:
            return render_badge("bad", _("Undeliverable"))
        if member.is_email_verified:
            return render_badge("good", _("Verified"))
        return render_badge("waiting", _("Unverified"))

    @admin.display(description=_("account"), ordering="is_active")
    def account_badge(self, member: User) -> str:
        if not member.is_active:
            return render_badge("off", _("Deactivated"))
        return render_badge("planned", _("Admin")) if member.is_staff else render_badge("good", _("Active"))

    @admin.display(description=_("last sign-in"), ordering="last_login")
    def last_sign_in(self, member: User) -> str:
        return format_time(member.last_login) if member.last_login else gettext("Never")

    def formfield_for_choice_field(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        """Name a blank choice as the filters do."""
        choices = db_field.get_choices(include_blank=db_field.blank, blank_choice=[("", _("Not given"))])
        return super().formfield_for_choice_field(db_field, request, choices=choices, **kwargs)

    @admin.display(description=_("Role"))
    def role(self, member: User) -> str:
        return str(groups.ROLES[groups.get_role(member)])

    def get_page_context(self, request: HttpRequest, row: User) -> dict[str, Any]:
        badges = [self.account_badge(row), self.verified_badge(row)]
        if row.is_staff and second_factor.is_set_up(row):
            badges.append(render_badge("good", _("Two-step sign-in")))
        elif row.is_staff:
            badges.append(render_badge("waiting", _("No two-step sign-in")))
        return {"title": row.email, "state_badges": badges, "state_text": describe_state(row)}

    def list_history(self, request: HttpRequest, row: User) -> list[Entry]:
        joined = Entry(row.created_at, gettext("Account created"))
        return get_newest([joined, *list_mails(request, row), *list_changes(row)])

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().add_view(request, form_url, {"title": self.add_label})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fieldsets if obj else self.add_fieldsets

    def response_add(self, request: HttpRequest, obj: User, *args: Any, **kwargs: Any) -> HttpResponse:
        super().response_add(request, obj, *args, **kwargs)  # adds the message
        return self.redirect("change", obj.pk)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:  # type: ignore[override]
        # Otherwise ?password__startswith=... would reveal a hash letter by letter.
        return not lookup.startswith("password") and super().lookup_allowed(lookup, value, request)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"language": get_language()}

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Only superusers may change roles, and nobody may change their own."""
        return () if self.has_reset_permission(request, obj) else ("role",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and actions.can_manage(request.user, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj == request.user:
            return False  # another superuser has to do it
        return super().has_delete_permission(request, obj) and actions.can_manage(request.user, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        members: QuerySet[User] = super().get_queryset(request).exclude(email=ERASED_ADMIN)
        return members

    def has_reset_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(getattr(request.user, "is_superuser", False)) and obj != request.user

    def has_deactivate_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj) and obj != request.user

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.set_unusable_password()
            obj.save()
            if "role" in form.changed_data:
                groups.set_role(obj, form.cleaned_data["role"])
            links.send_link(user=obj, purpose=LinkPurpose.RESET)
            return
        changed = set(form.changed_data) - {"role"}
        if "email" in changed:
            obj.was_email_verified = obj.was_email_verified or obj.is_email_verified
            obj.is_email_verified, obj.email_undeliverable_at = False, None  # it was the old address
            changed |= {"is_email_verified", "was_email_verified", "email_undeliverable_at"}
        if changed:
            # No other fields: the member may have changed the password since this page was opened.
            obj.save(update_fields=[*changed, "updated_at"])
        if "role" in form.changed_data:
            groups.set_role(obj, form.cleaned_data["role"])
        if "email" in changed:
            # After the member's row, which all code locks first.
            obj.close_links(LinkPurpose.CHANGE_EMAIL)
            membership.sign_out_everywhere(user=obj)
