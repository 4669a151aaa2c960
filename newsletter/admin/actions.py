"""Actions on selected subscribers, and on one."""

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

STATE_REASONS = {
    State.PENDING: _("not confirmed yet"),
    State.CONFIRMED: _("confirmed already"),
    State.PAUSED: _("confirmed already, and paused"),
    State.UNSUBSCRIBED: _("unsubscribed"),
    State.BOUNCED: _("emails to the address come back"),
}
"""Why an action that needs another state skips a subscriber."""


@subscriber_action(
    _("Unsubscribe the selected subscribers"),
    log_entry=_("Unsubscribed."),
    question=ngettext_lazy(
        "Unsubscribe %(count)d subscriber?", "Unsubscribe %(count)d subscribers?", "count"
    ),
    effect=_("They get no more newsletters."),
    done=ngettext_lazy(
        "%(count)d subscriber was unsubscribed.", "%(count)d subscribers were unsubscribed.", "count"
    ),
)
def unsubscribe(context: ActionContext, subscription: Subscription) -> Text | None:
    """Stop the newsletters to a subscriber."""
    done = administration.unsubscribe(subscription=subscription, by_id=context.user.pk)
    return None if done else _("unsubscribed already")


@subscriber_action(
    _("Undo the unsubscription by an admin"),
    log_entry=_("Unsubscription undone."),
    question=ngettext_lazy("Undo %(count)d unsubscription?", "Undo %(count)d unsubscriptions?", "count"),
    effect=_("Those whom an admin has unsubscribed in the last 7 days get newsletters again."),
    done=ngettext_lazy(
        "%(count)d unsubscription was undone.", "%(count)d unsubscriptions were undone.", "count"
    ),
)
def restore(context: ActionContext, subscription: Subscription) -> Text | None:
    """Bring back a subscriber whom an admin has unsubscribed."""
    if administration.restore(subscription=subscription, by_id=context.user.pk):
        return None
    if subscription.is_active:
        return _("not unsubscribed")
    return _("unsubscribed by the owner, who alone can come back, or by an admin more than 7 days ago")


@subscriber_action(
    _("Ask to confirm"),
    log_entry=_("Asked to confirm."),
    permission="ask",
    question=ngettext_lazy(
        "Ask %(count)d subscriber to confirm?", "Ask %(count)d subscribers to confirm?", "count"
    ),
    effect=_("Those who are waiting get an email that asks to confirm."),
    done=ngettext_lazy(
        "%(count)d email that asks to confirm is on its way.",
        "%(count)d emails that ask to confirm are on their way.",
        "count",
    ),
)
def ask_again(context: ActionContext, subscription: Subscription) -> Text | None:
    """Ask a waiting subscriber again."""
    if administration.ask_again(subscription=subscription, by_id=context.user.pk, is_bulk=context.is_bulk):
        return None
    if subscription.state is not State.PENDING:
        return STATE_REASONS[subscription.state]
    if administration.has_refused(subscription.email):
        return _("opted out in an imported file, or on the do-not-contact list")
    return _("asked recently, or the limit on emails to the mailbox is reached")


@subscriber_action(
    _("Mark as reachable"),
    log_entry=_("Marked as reachable."),
    question=ngettext_lazy(
        "Mark %(count)d subscriber as reachable?", "Mark %(count)d subscribers as reachable?", "count"
    ),
    effect=_("Emails are sent to their addresses again."),
    done=ngettext_lazy(
        "%(count)d subscriber counts as reachable again.",
        "%(count)d subscribers count as reachable again.",
        "count",
    ),
)
def mark_reachable(context: ActionContext, subscription: Subscription) -> Text | None:
    """Send emails again to an address that did not work."""
    done = administration.mark_reachable(subscription=subscription, by_id=context.user.pk)
    return None if done else _("reachable already")


PAUSED = ngettext_lazy("%(count)d subscriber was paused.", "%(count)d subscribers were paused.", "count")


@subscriber_action(_("Pause for 30 days"), log_entry=_("Paused for 30 days."), done=PAUSED)
def pause_month(context: ActionContext, subscription: Subscription) -> Text | None:
    """Send a confirmed subscriber no newsletter for a month."""
    return _pause(context, subscription, days=30)


@subscriber_action(_("Pause for 90 days"), log_entry=_("Paused for 90 days."), done=PAUSED)
def pause_season(context: ActionContext, subscription: Subscription) -> Text | None:
    """Send a confirmed subscriber no newsletter for three months."""
    return _pause(context, subscription, days=90)


def _pause(context: ActionContext, subscription: Subscription, days: int) -> Text | None:
    done = administration.pause(subscription=subscription, days=days, by_id=context.user.pk)
    return None if done else STATE_REASONS[subscription.state]


@subscriber_action(
    _("End the pause"),
    log_entry=_("Pause ended."),
    done=ngettext_lazy("%(count)d pause was ended.", "%(count)d pauses were ended.", "count"),
)
def resume(context: ActionContext, subscription: Subscription) -> Text | None:
    """Send newsletters again to a subscriber whom an admin has paused."""
    done = administration.resume(subscription=subscription, by_id=context.user.pk)
    return None if done else _("not paused, or paused by the owner")
