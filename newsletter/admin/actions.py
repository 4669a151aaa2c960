"""Actions on selected subscribers."""

from functools import partial

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter import services
from newsletter.models import State, Subscription
from sailing.admin.actions import Text, row_action

subscriber_action = partial(
    row_action,
    skipped=ngettext_lazy(
        "%(count)d subscriber was left alone: %(reason)s.",
        "%(count)d subscribers were left alone: %(reason)s.",
        "count",
    ),
)

NOT_ASKED = {
    State.PENDING: _("asked less than ten minutes ago, or five times within a day"),
    State.CONFIRMED: _("confirmed already"),
    State.UNSUBSCRIBED: _("unsubscribed"),
    State.BOUNCED: _("the mailbox takes no mail"),
}
"""Why a subscriber is not asked to confirm."""


@subscriber_action(
    _("Activate the selected subscribers"),
    log_entry="Activated.",
    done=ngettext_lazy(
        "%(count)d subscriber was activated.", "%(count)d subscribers were activated.", "count"
    ),
)
def activate(request: HttpRequest, subscription: Subscription) -> Text | None:
    """Activate a subscription that an admin has deactivated."""
    if services.activate(subscription=subscription):
        return None
    if subscription.is_active:
        return _("active already")
    return _("unsubscribed by the owner, who alone can come back")


@subscriber_action(
    _("Deactivate the selected subscribers"),
    log_entry="Deactivated.",
    done=ngettext_lazy(
        "%(count)d subscriber was deactivated.", "%(count)d subscribers were deactivated.", "count"
    ),
)
def deactivate(request: HttpRequest, subscription: Subscription) -> Text | None:
    """Stop the newsletters to a subscriber."""
    return None if services.deactivate(subscription=subscription) else _("inactive already")


@subscriber_action(
    _("Send the confirmation mail again"),
    log_entry="Confirmation mail sent again.",
    done=ngettext_lazy(
        "%(count)d confirmation mail is on its way.",
        "%(count)d confirmation mails are on their way.",
        "count",
    ),
)
def resend_confirmation(request: HttpRequest, subscription: Subscription) -> Text | None:
    """Send the confirmation mail again to a pending subscriber."""
    return None if services.resend_confirmation(subscription=subscription) else NOT_ASKED[subscription.state]
