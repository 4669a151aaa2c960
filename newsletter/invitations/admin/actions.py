"""Actions on held invitations."""

from functools import partial

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from newsletter.invitations import services
from newsletter.invitations.models import Invitation, Review
from sailing.admin.bulk_actions import ActionContext, Text, row_action

invitation_action = partial(
    row_action,
    permission="review",
    skipped=ngettext_lazy(
        "%(count)d invitation was left alone: %(reason)s.",
        "%(count)d invitations were left alone: %(reason)s.",
        "count",
    ),
    erased=Invitation.DoesNotExist,
)

NEEDS_NO_REVIEW = _("it was not held, or this has been decided already")


@invitation_action(
    _("Accept the selected invitations"),
    log_entry=_("Accepted."),
    done=ngettext_lazy("%(count)d invitation was accepted.", "%(count)d invitations were accepted.", "count"),
)
def accept(_context: ActionContext, invitation: Invitation) -> Text | None:
    """Let a held invitation count."""
    done = services.review(invitation=invitation, decision=Review.ACCEPTED)
    return None if done else NEEDS_NO_REVIEW


@invitation_action(
    _("Refuse the selected invitations"),
    log_entry=_("Refused."),
    done=ngettext_lazy("%(count)d invitation was refused.", "%(count)d invitations were refused.", "count"),
)
def refuse(_context: ActionContext, invitation: Invitation) -> Text | None:
    """Let a held invitation never count."""
    done = services.review(invitation=invitation, decision=Review.REFUSED)
    return None if done else NEEDS_NO_REVIEW


@invitation_action(
    _("Hold the selected invitations again"),
    log_entry=_("Held again."),
    done=ngettext_lazy(
        "%(count)d invitation is held again.", "%(count)d invitations are held again.", "count"
    ),
)
def hold(_context: ActionContext, invitation: Invitation) -> Text | None:
    """Undo what was decided about an invitation."""
    done = services.review(invitation=invitation, decision=Review.HELD)
    return None if done else NEEDS_NO_REVIEW
