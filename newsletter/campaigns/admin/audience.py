"""The audience of a campaign, in words and in numbers."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext

from newsletter.campaigns.audience import AudienceCount, count_audience, count_segment
from newsletter.campaigns.models import AudienceFields, Campaign, CampaignText, InterestMatch, Segment
from newsletter.models import AUDIENCES, Interest
from sailing.attribution import ATTRIBUTION_FIELDS


def describe_audience(campaign: Campaign) -> str:
    """Return the audience of a campaign in words."""
    parts = [
        campaign.get_user_type_display(),
        *([campaign.get_language_display()] if campaign.language else []),
        *describe_filters(campaign),
    ]
    return ", ".join(map(str, parts))


def describe_filters(campaign: Campaign) -> list[str]:
    """Return the filters of an audience that its counts do not show."""
    found = _describe_fields(campaign)
    if campaign.segment:
        found.append(gettext("in the segment “%(name)s”") % {"name": campaign.segment})
    if campaign.excluded_campaign:
        found.append(gettext("without those who got “%(name)s”") % {"name": campaign.excluded_campaign})
    return found


def _describe_fields(audience: AudienceFields) -> list[str]:
    found = [audience.get_source_display()] if audience.source else []
    if audience.subscribed_since:
        found.append(gettext("subscribed since %(date)s") % {"date": date_format(audience.subscribed_since)})
    return found


def describe_segment(segment: Segment) -> list[str]:
    """Return the criteria of a segment in words."""
    found = [
        segment.get_user_type_display(),
        *([segment.get_language_display()] if segment.language else []),
        *_describe_fields(segment),
    ]
    if segment.subscribed_before:
        text = gettext("subscribed before %(date)s")
        found.append(text % {"date": date_format(segment.subscribed_before)})
    for name in ATTRIBUTION_FIELDS:
        if value := getattr(segment, name):
            label = getattr(Segment._meta.get_field(name), "verbose_name")  # noqa: B009
            found.append(f"{label}: {value}")
    if segment.import_batch:
        found.append(gettext("import of %(file)s") % {"file": segment.import_batch})
    if segment.interest_match:
        text = gettext("interested in all of: %(names)s")
        if segment.interest_match == InterestMatch.ANY:
            text = gettext("interested in one of: %(names)s")
        found.append(text % {"names": ", ".join(map(str, segment.interests.all()))})
    if segment.min_invitations:
        found.append(gettext("people invited: at least %(number)s") % {"number": segment.min_invitations})
    if segment.received_campaign:
        found.append(gettext("only those who got “%(name)s”") % {"name": segment.received_campaign})
    if segment.missed_campaign:
        found.append(gettext("without those who got “%(name)s”") % {"name": segment.missed_campaign})
    return [str(part) for part in found]


def describe_segment_counts(segment: Segment, interests: Iterable[Interest] | None = None) -> dict[str, Any]:
    """Return who would get a campaign to a segment; `interests`: those of a segment that is not stored."""
    counts = count_segment(segment, interests)
    return {"counts": _name_groups(counts), "total": sum(each.count for each in counts)}


def _name_groups(counts: Iterable[AudienceCount]) -> list[tuple[Any, Any, int]]:
    audiences, names = dict(AUDIENCES), dict(settings.LANGUAGES)
    return [(audiences[each.user_type], names[each.language], each.count) for each in counts]


def describe_counts(campaign: Campaign, texts: Iterable[CampaignText]) -> dict[str, Any]:
    """Return the recipients per audience and language of the text."""
    counts = count_audience(campaign, [text.language for text in texts if not text.is_missing])
    return {"counts": _name_groups(counts), "total": sum(each.count for each in counts)}
