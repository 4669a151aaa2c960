"""What an admin can do with chosen subscribers."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter import services
from newsletter.models import State, Subscription
from sailing.admin.actions import Text, carry_out

Subscribers = QuerySet[Subscription]

LEFT_ALONE = ngettext_lazy(
    "%(count)d subscriber was left alone: %(reason)s.",
    "%(count)d subscribers were left alone: %(reason)s.",
    "count",
)


@admin.action(description=_("Activate the selected subscribers"), permissions=["change"])
def activate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Undo deactivations."""

    def use_case(subscription: Subscription) -> Text | None:
        if services.activate(subscription=subscription):
            return None
        if subscription.is_active:
            return _("active already")
        return _("unsubscribed by the owner, who alone can come back")

    _carry_out(
        model_admin,
        request,
        queryset,
        use_case,
        entry="Activated.",
        done=ngettext_lazy(
            "%(count)d subscriber was activated.", "%(count)d subscribers were activated.", "count"
        ),
    )


@admin.action(description=_("Deactivate the selected subscribers"), permissions=["change"])
def deactivate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Send no newsletters to them."""

    def use_case(subscription: Subscription) -> Text | None:
        return None if services.deactivate(subscription=subscription) else _("inactive already")

    _carry_out(
        model_admin,
        request,
        queryset,
        use_case,
        entry="Deactivated.",
        done=ngettext_lazy(
            "%(count)d subscriber was deactivated.", "%(count)d subscribers were deactivated.", "count"
        ),
    )


@admin.action(description=_("Send the confirmation mail again"), permissions=["change"])
def resend_confirmation(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Ask those who have not answered yet once more."""
    reasons = {
        State.PENDING: _("asked less than ten minutes ago, or five times within a day"),
        State.CONFIRMED: _("confirmed already"),
        State.UNSUBSCRIBED: _("unsubscribed"),
        State.BOUNCED: _("the mailbox takes no mail"),
    }

    def use_case(subscription: Subscription) -> Text | None:
        if services.resend_confirmation(subscription=subscription):
            return None
        return reasons[subscription.state]

    _carry_out(
        model_admin,
        request,
        queryset,
        use_case,
        entry="Confirmation mail sent again.",
        done=ngettext_lazy(
            "%(count)d confirmation mail is on its way.",
            "%(count)d confirmation mails are on their way.",
            "count",
        ),
    )


def _carry_out(
    model_admin: Any,
    request: HttpRequest,
    queryset: Subscribers,
    use_case: Callable[[Subscription], Text | None],
    *,
    entry: str,
    done: Any,
) -> None:
    def unless_erased(subscription: Subscription) -> Text | None:
        try:
            return use_case(subscription)
        except Subscription.DoesNotExist:
            return _("erased meanwhile")

    carry_out(model_admin, request, queryset, unless_erased, entry=entry, done=done, left=LEFT_ALONE)
