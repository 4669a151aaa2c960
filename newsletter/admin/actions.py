"""Actions on selected subscribers."""

from functools import partial

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter.models import State, Subscription
from newsletter.services import administration
from sailing.admin.bulk_actions import ActionContext, Text, row_action

subscriber_action = partial(
    row_action,
    skipped=ngettext_lazy(
        "%(count)d subscriber was left alone: %(reason)s.",
        "%(count)d subscribers were left alone: %(reason)s.",
        "count",
    ),
    erased=Subscription.DoesNotExist,
)

NOT_ASKED = {
    State.PENDING: _("asked less than ten minutes ago, or five times within a day"),
    State.CONFIRMED: _("confirmed already"),
    State.UNSUBSCRIBED: _("unsubscribed"),
    State.BOUNCED: _("the mailbox takes no mail"),
    State.DEACTIVATED: _("deactivated"),
}
"""Why a subscriber is not asked to confirm."""


@subscriber_action(
    _("Activate the selected subscribers"),
    log_entry=_("Activated."),
    reverse="deactivate",
    done=ngettext_lazy(
        "%(count)d subscriber was activated.", "%(count)d subscribers were activated.", "count"
    ),
)
def activate(context: ActionContext, subscription: Subscription) -> Text | None:
    """Activate a subscription that an admin has deactivated."""
    if administration.activate(subscription=subscription):
        return None
    if subscription.is_active:
        return _("active already")
    return _("unsubscribed by the owner, who alone can come back")


@subscriber_action(
    _("Deactivate the selected subscribers"),
    log_entry=_("Deactivated."),
    reverse="activate",
    done=ngettext_lazy(
        "%(count)d subscriber was deactivated.", "%(count)d subscribers were deactivated.", "count"
    ),
)
def deactivate(context: ActionContext, subscription: Subscription) -> Text | None:
    """Stop the newsletters to a subscriber."""
    return None if administration.deactivate(subscription=subscription) else _("inactive already")


@subscriber_action(
    _("Send the confirmation mail again"),
    log_entry=_("Confirmation mail sent again."),
    done=ngettext_lazy(
        "%(count)d confirmation mail is on its way.",
        "%(count)d confirmation mails are on their way.",
        "count",
    ),
)
def resend_confirmation(context: ActionContext, subscription: Subscription) -> Text | None:
    """Send the confirmation mail again to a pending subscriber."""
    if administration.resend_confirmation(subscription=subscription, is_budgeted=context.is_bulk):
        return None
    if context.is_bulk and subscription.state is State.PENDING:
        return _("asked recently, or the limit on mails to the mailbox is reached")
    return NOT_ASKED[subscription.state]
