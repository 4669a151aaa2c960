"""What the pages of campaigns share."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.template.defaultfilters import floatformat
from django.template.response import TemplateResponse
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.checks import Problem, find_problems
from newsletter.campaigns.models import Campaign, CampaignState, CampaignText, StopReason
from newsletter.models import AUDIENCES
from sailing.admin.lists import render_badge
from sailing.admin.pages import SailingModelAdmin

TEMPLATES = "admin/newsletter/campaigns"

BADGES = {
    CampaignState.DRAFT: "off",
    CampaignState.SCHEDULED: "planned",
    CampaignState.SENDING: "active",
    CampaignState.PAUSED: "waiting",
    CampaignState.SENT: "good",
    CampaignState.CANCELLED: "off",
}

STOP_TEXTS: dict[str, Any] = {
    StopReason.OVERDUE: _(
        "The campaign “%(name)s” was not sent: its time was more than an hour ago. Send it now, schedule it"
        " again, or delete it."
    ),
    StopReason.NOT_SENDABLE: _(
        "The campaign “%(name)s” was not sent at its time, because it has errors or no recipients. Correct"
        " it, then send it or schedule it again."
    ),
    StopReason.RESTORED: _(
        "“%(name)s” was stopped when the database was restored or copied. Whoever got it after the backup"
        " would get it twice. Decide whether it goes on."
    ),
}


class CampaignPages(SailingModelAdmin):
    """Base of the pages of a campaign."""

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("campaigns.send_campaign")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_deletable = obj is None or (
            obj.state in (CampaignState.DRAFT, CampaignState.CANCELLED) and not obj.recipient_count
        )
        return is_deletable and super().has_delete_permission(request, obj)

    def can_edit(self, request: HttpRequest, campaign: Campaign) -> bool:
        """Return whether an admin may change a campaign; a scheduled one takes the right to send, too."""
        if not campaign.is_editable or not self.has_change_permission(request, campaign):
            return False
        return campaign.state == CampaignState.DRAFT or self.has_send_permission(request)

    def can_send(self, request: HttpRequest, campaign: Campaign) -> bool:
        """Return whether an admin may send or schedule a campaign in its state, or turn a step on."""
        is_on = campaign.state == CampaignState.SENDING
        return campaign.is_editable and not is_on and self.has_send_permission(request)

    def get_campaign(self, request: HttpRequest, pk: int, permission: str = "view") -> Campaign:
        """Return a campaign. Raises PermissionDenied and Http404."""
        if not getattr(self, f"has_{permission}_permission")(request):
            raise PermissionDenied
        return get_object_or_404(Campaign, pk=pk)

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, campaign: Campaign) -> str:
        state = CampaignState(campaign.state)
        if campaign.is_step and state == CampaignState.SENDING:
            return render_badge("good", pgettext("step", "On"))
        if campaign.is_step and state == CampaignState.PAUSED:
            return render_badge("off", pgettext("step", "Off"))
        return render_badge(BADGES[state], state.label)

    def describe(self, request: HttpRequest, campaign: Campaign) -> dict[str, Any]:
        """Return what each page of a campaign shows."""
        return {
            "campaign": campaign,
            "original": campaign,
            "state_badge": self.state_badge(campaign),
            "stop_text": describe_stop(campaign),
            "time_zone": settings.TIME_ZONE,
            "may_send": self.has_send_permission(request),
            "can_send": self.can_send(request, campaign),
            "can_edit": self.can_edit(request, campaign),
            "can_duplicate": self.has_add_permission(request),
            "can_delete": self.has_delete_permission(request, campaign),
        }

    def show(
        self, request: HttpRequest, campaign: Campaign, template: str, *, title: Any = "", **context: Any
    ) -> TemplateResponse:
        """Return a page of a campaign. Without a title it has the campaign's name."""
        return self.show_page(
            request,
            f"{TEMPLATES}/{template}.html",
            **self.describe(request, campaign),
            title=title or campaign.name,
            subtitle=campaign.name if title else None,
            **context,
        )


def describe_stop(campaign: Campaign) -> str:
    """Return why a campaign waits for the decision of an admin; blank if it does not."""
    return STOP_TEXTS[campaign.stop_reason] % {"name": campaign.name} if campaign.stop_reason else ""


def describe_audience(campaign: Campaign) -> str:
    """Return the audience of a campaign in words."""
    found = [str(campaign.get_user_type_display())]
    if campaign.segment:
        found.append(gettext("in the segment “%(name)s”") % {"name": campaign.segment})
    if campaign.excluded_campaign:
        found.append(gettext("without those who got “%(name)s”") % {"name": campaign.excluded_campaign})
    return ", ".join(found)


def describe_counts(counts: Iterable[tuple[str, str, int]]) -> dict[str, Any]:
    """Return the numbers of recipients, by user type and language, as `audience.html` shows them."""
    audiences, languages = dict(AUDIENCES), dict(settings.LANGUAGES)
    named = [(audiences[user_type], languages[language], count) for user_type, language, count in counts]
    return {"counts": named, "total": sum(count for *_names, count in named)}


def describe_problems(campaign: Campaign, texts: Iterable[CampaignText]) -> dict[str, Any]:
    """Return the problems of a campaign, as `problems.html` shows them: once if both texts have the same."""
    groups: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in find_problems(campaign, texts):
        groups[problem.severity, str(problem.message)].append(problem)
    errors = sum(severity == "error" for severity, _message in groups)
    return {"problems": list(groups.values()), "error_count": errors, "warning_count": len(groups) - errors}


def describe_results(campaign: Any) -> dict[str, Any]:
    """Return the rates of a campaign of `annotate_results`; blank before a mail was sent."""
    sent = campaign.sent
    return {
        "click_rate": str(floatformat(campaign.clicks * 100 / sent, 1)) if sent else "",
        "unsubscribe_rate": format_share(campaign.unsubscribed, sent),
    }


def format_share(part: int, whole: int) -> str:
    """Return a percentage; blank if there is no whole."""
    return gettext("%(number)s%%") % {"number": floatformat(part * 100 / whole, 1)} if whole else ""
