"""The history of a campaign in plain words."""

import json
from collections.abc import Iterator

from django.contrib.admin.models import CHANGE
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from newsletter.campaigns import services
from newsletter.campaigns.models import Campaign, CampaignState
from sailing.admin import row_page
from sailing.admin.lists import format_time
from sailing.admin.row_page import Entry
from sailing.history import describe_entry, find_changes, translate_labels

SCHEDULED = gettext_noop("Scheduled.")
STARTED = gettext_noop("Sending started.")
PAUSED = gettext_noop("Paused.")
RESUMED = gettext_noop("Resumed.")
CANCELED = gettext_noop("Sending canceled.")

PAUSES = (PAUSED, services.RESTORED)

TONES = {
    SCHEDULED: "waiting",
    STARTED: "good",
    PAUSED: "waiting",
    RESUMED: "good",
    CANCELED: "bad",
    services.STARTED_AS_SCHEDULED: "good",
    services.NOT_SENDABLE: "bad",
    services.OVERDUE: "bad",
    services.RESTORED: "bad",
}


def list_entries(campaign: Campaign) -> list[Entry]:
    """Return what happened to a campaign, the newest first."""
    return row_page.get_newest([*_list_changes(campaign), *_list_ends(campaign)])


def describe_pause(campaign: Campaign) -> str:
    """Return since when a paused campaign is paused, and by whom; blank if its history does not know."""
    entry = find_changes(campaign).filter(change_message__in=PAUSES).first()
    if entry is None:
        return ""
    values = {"at": format_time(entry.action_time), "name": entry.user}
    if entry.change_message != PAUSED:
        return _("paused automatically %(at)s") % values
    return _("paused %(at)s by %(name)s") % values


def find_canceler(campaign: Campaign) -> str:
    """Return the name of the admin who canceled a campaign; blank if its history does not know."""
    entry = find_changes(campaign).filter(change_message=CANCELED).first()
    return str(entry.user) if entry else ""


def _list_changes(campaign: Campaign) -> Iterator[Entry]:
    """Yield what admins did, and what happened without them, which names no admin."""
    scheduled_at = campaign.scheduled_at
    # The model knows who created it.
    for entry in find_changes(campaign).filter(action_flag=CHANGE)[: row_page.SHOWN_ENTRIES]:
        event = entry.change_message
        text = describe_entry(entry)
        details = [] if event in services.AUTOMATIC_EVENTS else [str(entry.user)]
        if event.startswith("[{"):  # a list of Django's
            fields = [field for part in json.loads(event) for field in part["changed"]["fields"]]
            text = _("Edited.")
            details.append(", ".join(translate_labels(fields)))
        elif event == SCHEDULED and scheduled_at:  # an older entry had another time
            details.append(_("for %(date)s") % {"date": format_time(scheduled_at)})
            scheduled_at = None
        yield Entry(entry.action_time, text, tuple(details), TONES.get(event, "off"))


def _list_ends(campaign: Campaign) -> Iterator[Entry]:
    """Yield what the admin history does not have: the beginning and the end of a campaign."""
    creator = (str(campaign.created_by),) if campaign.created_by else ()
    yield Entry(campaign.created_at, _("Created."), creator)
    if campaign.state == CampaignState.SENT and campaign.finished_at:
        yield Entry(campaign.finished_at, _("All emails were sent."), tone="good")
