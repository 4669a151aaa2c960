"""The history of one subscriber in plain words, the newest first."""

from collections.abc import Iterator
from itertools import chain

from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from newsletter.admin.filters import has_import_permission
from newsletter.models import ConsentKind, LeavingReason, Source, Subscription
from sailing.admin import row_page
from sailing.admin.row_page import Entry

TONES = {
    ConsentKind.CONFIRMED: "good",
    ConsentKind.IMPORTED_CONSENT: "good",
    ConsentKind.RESUMED: "good",
    ConsentKind.RESTORED: "good",
    ConsentKind.REACHABLE: "good",
    ConsentKind.REQUESTED: "waiting",
    ConsentKind.INVITED: "waiting",
    ConsentKind.REMINDER: "waiting",
    ConsentKind.COMPLAINED: "bad",
    ConsentKind.BOUNCED: "bad",
}


def list_entries(request: HttpRequest, subscription: Subscription) -> list[Entry]:
    """Return the newest entries of all that the admin may see."""
    from newsletter.campaigns.admin.results import list_deliveries

    return row_page.get_newest(
        chain(
            _list_imports(request, subscription),
            _list_consent_events(subscription),
            row_page.list_mails(request, subscription),
            list_deliveries(request, subscription),
            # Changes in the form. Django stores such entries as JSON lists.
            row_page.list_changes(subscription, change_message__startswith="[{"),
        )
    )


def _list_imports(request: HttpRequest, subscription: Subscription) -> Iterator[Entry]:
    if batch := subscription.import_batch:
        may_open = has_import_permission(request)
        url = reverse("admin:imports_importbatch_change", args=[batch.pk]) if may_open else ""
        yield Entry(batch.created_at, _("Imported from the file %(file)s") % {"file": batch}, url=url)
    elif subscription.is_imported:
        yield Entry(subscription.created_at, pgettext("event", "Imported"))


def _list_consent_events(subscription: Subscription) -> Iterator[Entry]:
    """Yield the consent events, with the version of the statement that the owner saw."""
    for event in subscription.consent_events.select_related("by"):
        kind = ConsentKind(event.kind)
        details = [str(event.by)] if event.by else []
        if event.reason:
            details.append(str(LeavingReason(event.reason).label))
        if event.comment:
            details.append(event.comment)
        if event.wording and kind in (ConsentKind.REQUESTED, ConsentKind.CONFIRMED):
            day = parse_date(event.wording)
            values = {
                "version": date_format(day) if day else event.wording,
                "language": event.get_language_display(),
            }
            details.append(_("consent text of %(version)s, %(language)s") % values)
        if event.source and kind is ConsentKind.REQUESTED:
            details.append(str(Source(event.source).label))
        yield Entry(event.at, str(kind.label), tuple(details), TONES.get(kind, "off"))
