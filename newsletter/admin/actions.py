"""Actions on selected subscribers, and on one."""

from functools import partial

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter.models import Subscription
from newsletter.services import administration
from sailing.admin.bulk_actions import ActionContext, Text, row_action

subscriber_action = partial(
    row_action,
    skipped=ngettext_lazy(
        "%(count)d subscriber was left unchanged: %(reason)s.",
        "%(count)d subscribers were left unchanged: %(reason)s.",
        "count",
    ),
    erased=Subscription.DoesNotExist,
)


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
    done = administration.restore(subscription=subscription, by_id=context.user.pk)
    return None if done else _("not unsubscribed by an admin in the last 7 days")


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
    done = administration.ask_again(subscription=subscription, by_id=context.user.pk, is_bulk=context.is_bulk)
    return None if done else _("not waiting, asked recently, or must not be asked")


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
    done = administration.mark_reachable(subscription=subscription, by_id=context.user.pk)
    return None if done else _("reachable already")
