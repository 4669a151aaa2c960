"""Actions on selected members. Only a superuser may apply them to admins."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.errors import LastSuperuser, MailLimitReached, MemberErased
from accounts.models import LinkPurpose, User
from accounts.services import links, membership
from sailing.admin import second_factor
from sailing.admin.bulk_actions import ActionContext, RowAction, Text, UseCase, row_action
from sailing.errors import RateLimited
from sailing.mail.models import MailPriority

OWN_ACCOUNT = _("this is you")


def can_manage(user: Any, member: User | None) -> bool:
    """Return whether an admin may change a member, as far as it depends on the member."""
    is_admin = member is not None and (member.is_staff or member.is_superuser)
    return not is_admin or getattr(user, "is_superuser", False)


def member_action(description: Any, **options: Any) -> Callable[[UseCase], RowAction]:
    """Turn a use case for one member into an admin action (see `row_action`)."""

    def decorate(use_case: UseCase) -> RowAction:
        @wraps(use_case)
        def use_case_if_allowed(context: ActionContext, member: User) -> Text | None:
            if not can_manage(context.user, member):
                return _("only a superuser may do this with an admin")
            return use_case(context, member)

        return row_action(description, erased=MemberErased, **options)(use_case_if_allowed)

    return decorate


def send_link(context: ActionContext, member: User, purpose: LinkPurpose) -> Text | None:
    priority = MailPriority.BULK if context.is_bulk else MailPriority.URGENT
    try:
        if links.send_link(user=member, purpose=purpose, is_budgeted=context.is_bulk, priority=priority):
            return None
    except MailLimitReached:
        return _("got such an email recently, or the limit on emails to the mailbox is reached")
    except RateLimited:
        return _("got such an email less than three minutes ago")
    return _("verified already") if member.is_active else _("deactivated")


@member_action(
    _("Send a password link"), log_entry=_("Password link sent."), is_offered=lambda member: member.is_active
)
def send_reset_mail(context: ActionContext, member: User) -> Text | None:
    """Mail a link to choose a new password. The old one works until then."""
    return send_link(context, member, LinkPurpose.RESET)


@member_action(
    _("Resend the verification email"),
    log_entry=_("Verification email resent."),
    is_offered=lambda member: member.is_active and not member.is_email_verified and not member.is_unclaimed,
)
def resend_verification(context: ActionContext, member: User) -> Text | None:
    """Send the verification mail again. It says "You signed up", so not to a member that an admin added."""
    if member.is_active and member.is_unclaimed:
        return _("has no password yet, so send a password link")
    return send_link(context, member, LinkPurpose.VERIFY)


@member_action(
    _("Sign out everywhere"),
    log_entry=_("Signed out everywhere."),
    is_offered=lambda member: member.is_active,
    is_rare=True,
)
def sign_out_everywhere(context: ActionContext, member: User) -> None:
    membership.sign_out_everywhere(user=member)


@member_action(
    _("Reset the two-step sign-in"),
    permission="reset",
    log_entry=_("Second factor removed."),
    is_offered=second_factor.is_set_up,
    is_rare=True,
)
def reset_second_factor(context: ActionContext, member: User) -> Text | None:
    if member.pk == context.user.pk:
        return OWN_ACCOUNT
    return None if second_factor.remove(user=member) else _("nothing is set up")


@member_action(_("Activate"), log_entry=_("Activated."), is_offered=lambda member: not member.is_active)
def activate(context: ActionContext, member: User) -> Text | None:
    return None if membership.activate(user=member) else _("active already")


@member_action(
    _("Deactivate"),
    permission="deactivate",
    log_entry=_("Deactivated."),
    is_offered=lambda member: member.is_active,
    is_rare=True,
)
def deactivate(context: ActionContext, member: User) -> Text | None:
    if member.pk == context.user.pk:
        return OWN_ACCOUNT
    try:
        return None if membership.deactivate(user=member) else _("deactivated already")
    except LastSuperuser:
        return _("the last superuser")


ACTIONS = (
    send_reset_mail,
    resend_verification,
    sign_out_everywhere,
    reset_second_factor,
    activate,
    deactivate,
)
