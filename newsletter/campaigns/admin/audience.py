"""The audience of a campaign, in words and in numbers."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext

from newsletter.campaigns.audience import count_audience, count_without_text
from newsletter.campaigns.checks import explain_missing_text
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import AUDIENCES


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
    found = [campaign.get_source_display()] if campaign.source else []
    if campaign.subscribed_since:
        found.append(gettext("subscribed since %(date)s") % {"date": date_format(campaign.subscribed_since)})
    if campaign.excluded_campaign:
        found.append(gettext("without those who got “%(name)s”") % {"name": campaign.excluded_campaign})
    return found


def describe_counts(campaign: Campaign, texts: Sequence[CampaignText]) -> dict[str, Any]:
    """Return the recipients per audience and language, and the readers without a text in theirs."""
    languages = [text.language for text in texts if not text.is_missing]
    counts = count_audience(campaign, languages)
    audiences, names = dict(AUDIENCES), dict(settings.LANGUAGES)
    rows = [(audiences[each.user_type], names[each.language], each.count) for each in counts]
    without_text = count_without_text(campaign, languages, counts)
    is_decided = bool(without_text and campaign.missing_language)
    return {
        "counts": rows,
        "total": sum(each.count for each in counts),
        "without_text": without_text,
        "missing_text": explain_missing_text(campaign, languages[0], without_text) if is_decided else "",
    }


def read_without_text(values: QueryDict) -> int:
    """Return the number that the editor has from `describe_counts`, so that typing counts nobody again."""
    number = values.get("without_text", "")
    return int(number) if number.isdecimal() and len(number) < 10 else 0
