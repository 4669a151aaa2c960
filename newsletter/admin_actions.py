"""What an admin can do with chosen subscribers, and the honest account of it afterwards.

Each action calls a use case of `newsletter.services` for each subscriber, so that the rules hold and
the consent history is written as everywhere else.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from newsletter import services
from newsletter.models import State, Subscription

MAX_AT_ONCE = 500
"""What one request does well within its deadline; more would be cut off half way."""

Subscribers = QuerySet[Subscription]
Text = str | Promise


@admin.action(description=gettext_lazy("Activate the selected subscribers"), permissions=["change"])
def activate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Undo deactivations."""
    _carry_out(
        model_admin,
        request,
        queryset,
        services.activate,
        entry="Activated.",
        done=ngettext_lazy(
            "%(count)d subscriber was activated.", "%(count)d subscribers were activated.", "count"
        ),
        why_not=_why_not_activated,
    )


@admin.action(description=gettext_lazy("Deactivate the selected subscribers"), permissions=["change"])
def deactivate(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Send no newsletters to them."""
    _carry_out(
        model_admin,
        request,
        queryset,
        services.deactivate,
        entry="Deactivated.",
        done=ngettext_lazy(
            "%(count)d subscriber was deactivated.", "%(count)d subscribers were deactivated.", "count"
        ),
        why_not=lambda subscription: gettext_lazy("inactive already"),
    )


@admin.action(description=gettext_lazy("Send the confirmation mail again"), permissions=["change"])
def resend_confirmation(model_admin: Any, request: HttpRequest, queryset: Subscribers) -> None:
    """Ask those who have not answered yet once more."""
    _carry_out(
        model_admin,
        request,
        queryset,
        services.resend_confirmation,
        entry="Confirmation mail sent again.",
        done=ngettext_lazy(
            "%(count)d confirmation mail is on its way.",
            "%(count)d confirmation mails are on their way.",
            "count",
        ),
        why_not=_why_not_asked,
    )


def _why_not_activated(subscription: Subscription) -> Text:
    if subscription.is_active:
        return gettext_lazy("active already")
    return gettext_lazy("unsubscribed by the owner, who alone can come back")


def _why_not_asked(subscription: Subscription) -> Text:
    reasons = {
        State.PENDING: gettext_lazy("asked less than ten minutes ago, or five times within a day"),
        State.CONFIRMED: gettext_lazy("confirmed already"),
        State.UNSUBSCRIBED: gettext_lazy("unsubscribed"),
        State.BOUNCED: gettext_lazy("the mailbox takes no mail"),
    }
    return reasons[subscription.state]


def _carry_out(
    model_admin: Any,
    request: HttpRequest,
    queryset: Subscribers,
    use_case: Callable[..., bool],
    *,
    entry: str,
    done: Any,
    why_not: Callable[[Subscription], Text],
) -> None:
    # One more than allowed is enough to know, and a count of everything is not.
    subscriptions = list(queryset[: MAX_AT_ONCE + 1])
    if len(subscriptions) > MAX_AT_ONCE:
        message = _("Nothing was done: please choose at most %(limit)d subscribers at a time.")
        model_admin.message_user(request, message % {"limit": MAX_AT_ONCE}, messages.ERROR)
        return
    reasons: Counter[str] = Counter()
    for subscription in subscriptions:
        if use_case(subscription=subscription):
            model_admin.log_change(request, subscription, entry)
        else:
            reasons[str(why_not(subscription))] += 1
    if count := len(subscriptions) - reasons.total():
        model_admin.message_user(request, done % {"count": count}, messages.SUCCESS)
    for reason, count in reasons.items():
        message = ngettext(
            "%(count)d subscriber was left alone: %(reason)s.",
            "%(count)d subscribers were left alone: %(reason)s.",
            count,
        )
        model_admin.message_user(request, message % {"count": count, "reason": reason}, messages.WARNING)
