"""The check of the links, in the editor and before sending."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from newsletter.campaigns.link_check import find_dead_links
from newsletter.campaigns.models import CampaignText
from sailing.ratelimit.limits import check_admin_rate

LINK_CHECK_RATE = "20/h"
"""Checks of one admin. Each opens all links."""


def check_link_rate(request: HttpRequest) -> None:
    """Raise RateLimited if this admin has checked links too often."""
    check_admin_rate(request.user.pk or 0, group="campaign links", rate=LINK_CHECK_RATE)


def describe_links(texts: Iterable[CampaignText]) -> dict[str, Any]:
    """Open the links of some texts; return what `links.html` shows."""
    count, dead_links = find_dead_links(texts)
    return {"link_count": count, "dead_links": dead_links}
