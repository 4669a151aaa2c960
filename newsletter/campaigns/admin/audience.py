"""The audience of a campaign, in words and in numbers."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.admin.forms import EVERYBODY
from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import UserType

AUDIENCES: dict[str, Any] = {UserType.SAILOR: _("Sailors"), UserType.COMPANY: _("Companies")}


class AudienceFilter(admin.SimpleListFilter):
    """Filter by audience. A campaign for both has no user type."""

    title = _("audience")
    parameter_name = "audience"
    BOTH = "both"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*AUDIENCES.items(), (self.BOTH, EVERYBODY)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Campaign]) -> QuerySet[Campaign]:
        value = self.value()
        if value not in (*AUDIENCES, self.BOTH):
            return queryset
        return queryset.filter(user_type="" if value == self.BOTH else value)


def describe_audience(campaign: Campaign) -> str:
    """Return the audience of a campaign in words."""
    parts = [
        AUDIENCES[campaign.user_type] if campaign.user_type else EVERYBODY,
        *([campaign.get_language_display()] if campaign.language else []),
        *describe_filters(campaign),
    ]
    return ", ".join(map(str, parts))


def describe_filters(campaign: Campaign) -> list[str]:
    """Return the filters of an audience that its counts do not show."""
    found = [campaign.get_source_display()] if campaign.source else []
    if campaign.subscribed_since:
        found.append(gettext("subscribed since %(date)s") % {"date": date_format(campaign.subscribed_since)})
    return found


def describe_counts(campaign: Campaign, texts: Sequence[CampaignText]) -> dict[str, Any]:
    """Return the recipients per audience and language."""
    languages = [text.language for text in texts if not text.is_missing]
    counts = count_audience(campaign, languages)
    names = dict(settings.LANGUAGES)
    rows = [(AUDIENCES[each.user_type], names[each.language], each.count) for each in counts]
    return {"counts": rows, "total": sum(each.count for each in counts)}
