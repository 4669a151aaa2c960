"""Actions on selected subscribers."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter import services
from newsletter.models import State, Subscription
from sailing.admin.actions import Text, apply_to_rows

Subscribers = QuerySet[Subscription]


@admin.action(description=_("Activate the selected subscribers"), permissions=["change"])
def activate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Activate subscriptions that an admin has deactivated."""

    def use_case(subscription: Subscription) -> Text | None:
        if services.activate(subscription=subscription):
            return None
        if subscription.is_active:
            return _("active already")
        return _("unsubscribed by the owner, who alone can come back")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Activated.",
        done=ngettext_lazy(
            "%(count)d subscriber was activated.", "%(count)d subscribers were activated.", "count"
        ),
    )


@admin.action(description=_("Deactivate the selected subscribers"), permissions=["change"])
def deactivate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Stop the newsletters to subscribers."""

    def use_case(subscription: Subscription) -> Text | None:
        return None if services.deactivate(subscription=subscription) else _("inactive already")

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Deactivated.",
        done=ngettext_lazy(
            "%(count)d subscriber was deactivated.", "%(count)d subscribers were deactivated.", "count"
        ),
    )


@admin.action(description=_("Send the confirmation mail again"), permissions=["change"])
def resend_confirmation(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Send the confirmation mail again to pending subscribers."""
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

    _apply(
        model_admin,
        request,
        queryset,
        use_case,
        log_entry="Confirmation mail sent again.",
        done=ngettext_lazy(
            "%(count)d confirmation mail is on its way.",
            "%(count)d confirmation mails are on their way.",
            "count",
        ),
    )


def _apply(
    model_admin: Any,
    request: HttpRequest,
    queryset: Subscribers,
    use_case: Callable[[Subscription], Text | None],
    *,
    log_entry: str,
    done: Any,
) -> None:
    def use_case_unless_erased(subscription: Subscription) -> Text | None:
        try:
            return use_case(subscription)
        except Subscription.DoesNotExist:
            return _("erased meanwhile")

    apply_to_rows(
        model_admin,
        request,
        queryset,
        use_case_unless_erased,
        log_entry=log_entry,
        done=done,
        skipped=ngettext_lazy(
            "%(count)d subscriber was left alone: %(reason)s.",
            "%(count)d subscribers were left alone: %(reason)s.",
            "count",
        ),
    )
