"""Actions on subscribers."""

from django.utils.translation import gettext_lazy as _

from newsletter.models import Subscription
from newsletter.services import administration
from sailing.admin.bulk_actions import ActionContext, Text, row_action


@row_action(
    _("Ask to confirm"),
    log_entry=_("Asked to confirm."),
    permission="ask",
    is_offered=administration.may_ask,
    is_primary=True,
)
def ask_again(context: ActionContext, subscription: Subscription) -> Text | None:
    done = administration.ask_again(subscription=subscription, by_id=context.user.pk, is_bulk=context.is_bulk)
    return None if done else _("not waiting, asked recently, or must not be asked")


@row_action(
    _("Mark as reachable"),
    log_entry=_("Marked as reachable."),
    is_offered=lambda subscription: bool(subscription.bounced_at),
)
def mark_reachable(context: ActionContext, subscription: Subscription) -> Text | None:
    done = administration.mark_reachable(subscription=subscription, by_id=context.user.pk)
    return None if done else _("reachable already")


@row_action(
    _("Undo the unsubscription"), log_entry=_("Unsubscription undone."), is_offered=administration.may_restore
)
def restore(context: ActionContext, subscription: Subscription) -> Text | None:
    done = administration.restore(subscription=subscription, by_id=context.user.pk)
    return None if done else _("not unsubscribed by an admin in the last 7 days")


@row_action(
    _("Unsubscribe"), log_entry=_("Unsubscribed."), is_offered=administration.may_unsubscribe, is_rare=True
)
def unsubscribe(context: ActionContext, subscription: Subscription) -> Text | None:
    done = administration.unsubscribe(subscription=subscription, by_id=context.user.pk)
    return None if done else _("unsubscribed already")
