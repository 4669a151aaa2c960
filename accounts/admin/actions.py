"""Actions on selected members. Only a superuser may apply them to admins."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts import services
from accounts.errors import LastSuperuser, MemberErased
from accounts.models import User
from sailing.admin import second_factor
from sailing.admin.actions import Text, apply_to_rows
from sailing.errors import RateLimited

Members = QuerySet[User]


@admin.action(description=_("Send a mail to choose a new password"), permissions=["change"])
def send_reset_mail(model_admin: Any, request: HttpRequest, queryset: Members) -> None:
    """Mail a link to choose a new password. The old one works until then."""

    def use_case(member: User) -> Text | None:
        if services.send_reset_mail(user=member):
            return None
        return _("got such a mail less than three minutes ago") if member.is_active else _("deactivated")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Mail to choose a new password sent.",
        done=ngettext_lazy("%(count)d mail is on its way.", "%(count)d mails are on their way.", "count"),
    )


@admin.action(description=_("Send the verification mail again"), permissions=["change"])
def resend_verification(model_admin: Any, request: HttpRequest, queryset: Members) -> None:
    """Send the verification mail again to members with unverified addresses."""

    def use_case(member: User) -> Text | None:
        try:
            if services.resend_verification_as_admin(user=member):
                return None
        except RateLimited:
            return _("got such a mail less than three minutes ago")
        return _("verified already") if member.is_active else _("deactivated")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Verification mail sent again.",
        done=ngettext_lazy("%(count)d mail is on its way.", "%(count)d mails are on their way.", "count"),
    )


@admin.action(description=_("Sign the selected members out everywhere"), permissions=["change"])
def sign_out_everywhere(model_admin: Any, request: HttpRequest, queryset: Members) -> None:
    """End all their sessions, in Django admin and on the site. Their passwords stay."""

    def use_case(member: User) -> None:
        services.sign_out_everywhere(user=member)

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Signed out everywhere.",
        done=ngettext_lazy("%(count)d member was signed out.", "%(count)d members were signed out.", "count"),
    )


@admin.action(description=_("Deactivate the selected members"), permissions=["change"])
def deactivate(model_admin: Any, request: HttpRequest, queryset: Members) -> None:
    """Deactivate members, who can then no longer sign in."""

    def use_case(member: User) -> Text | None:
        if member.pk == request.user.pk:
            return _("this is you")
        try:
            return None if services.deactivate(user=member) else _("deactivated already")
        except LastSuperuser:
            return _("the last superuser")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Deactivated.",
        done=ngettext_lazy(
            "%(count)d member was deactivated.", "%(count)d members were deactivated.", "count"
        ),
    )


@admin.action(description=_("Reset the two-step sign-in of the selected admins"), permissions=["reset"])
def reset_second_factor(model_admin: Any, request: HttpRequest, queryset: Members) -> None:
    """Remove the second factor of admins who have lost their app."""

    def use_case(member: User) -> Text | None:
        if member.pk == request.user.pk:
            return _("this is you")
        return None if second_factor.remove(user=member) else _("nothing is set up")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Second factor removed.",
        done=ngettext_lazy(
            "%(count)d admin signs in with the password alone now.",
            "%(count)d admins sign in with the password alone now.",
            "count",
        ),
    )


def _apply(
    model_admin: Any,
    request: HttpRequest,
    queryset: Members,
    use_case: Callable[[User], Text | None],
    *,
    log_entry: str,
    done: Any,
) -> None:
    def use_case_if_allowed(member: User) -> Text | None:
        if not model_admin.has_change_permission(request, member):
            return _("only a superuser may do this with an admin")
        try:
            return use_case(member)
        except MemberErased:
            return _("erased meanwhile")

    apply_to_rows(
        model_admin,
        request,
        queryset,
        use_case_if_allowed,
        log_entry=log_entry,
        done=done,
        skipped=ngettext_lazy(
            "%(count)d member was left alone: %(reason)s.",
            "%(count)d members were left alone: %(reason)s.",
            "count",
        ),
    )
