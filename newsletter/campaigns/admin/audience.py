"""The audience of a campaign, in words and in numbers."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import AUDIENCES


def describe_audience(campaign: Campaign) -> str:
    """Return the audience of a campaign in words."""
    return ", ".join([str(campaign.get_user_type_display()), *describe_filters(campaign)])


def describe_filters(campaign: Campaign) -> list[str]:
    """Return the filters of an audience that its counts do not show."""
    found = []
    if campaign.segment:
        found.append(gettext("in the segment “%(name)s”") % {"name": campaign.segment})
    if campaign.excluded_campaign:
        found.append(gettext("without those who got “%(name)s”") % {"name": campaign.excluded_campaign})
    return found


def describe_counts(campaign: Campaign, texts: Iterable[CampaignText]) -> dict[str, Any]:
    """Return the recipients of a campaign as `audience.html` shows them."""
    return name_counts(count_audience(campaign, [text.language for text in texts if not text.is_missing]))


def name_counts(counts: Iterable[tuple[str, str, int]]) -> dict[str, Any]:
    """Return the numbers of recipients, by user type and language, as `audience.html` shows them."""
    audiences, languages = dict(AUDIENCES), dict(settings.LANGUAGES)
    named = [(audiences[user_type], languages[language], count) for user_type, language, count in counts]
    return {"counts": named, "total": sum(count for *_names, count in named)}
