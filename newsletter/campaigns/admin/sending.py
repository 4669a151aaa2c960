"""Send, schedule, pause and cancel a campaign.

Each action is one POST. Its service locks the campaign, so the second of two clicks finds that it is done
already, and shows the page without an error.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import structlog
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.campaigns import checks, services
from newsletter.campaigns.admin.audience import describe_counts, describe_filters
from newsletter.campaigns.admin.forms import ScheduleForm
from newsletter.campaigns.admin.pages import CampaignPages, has_permission
from newsletter.campaigns.models import STARTED_STATES, Campaign, CampaignState, StopReason
from sailing.admin.lists import format_time

STOP_TEXTS = {
    StopReason.OVERDUE: gettext_lazy(
        "The campaign “%(name)s” was not sent: its time was more than an hour ago. Send it now, schedule it"
        " again, or delete it."
    ),
    StopReason.RESTORED: gettext_lazy(
        "“%(name)s” was stopped when the database was restored or copied. Whoever got it after the backup"
        " would get it twice. Decide whether it goes on."
    ),
}

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Action:
    """What a button does. `reached`: the states in which a second click finds the campaign."""

    service: Callable[..., Any]
    log_entry: str
    done: Any
    reached: Collection[CampaignState]


ACTIONS = {
    "pause": Action(
        services.pause,
        gettext_noop("Paused."),
        gettext_lazy("The campaign is paused. Emails that are under way still arrive."),
        (CampaignState.PAUSED,),
    ),
    "resume": Action(
        services.resume,
        gettext_noop("Resumed."),
        gettext_lazy("Sending goes on."),
        (CampaignState.SENDING, CampaignState.SENT),
    ),
    "cancel": Action(
        services.cancel,
        gettext_noop("Sending canceled."),
        gettext_lazy("The campaign is canceled. Nobody else gets it."),
        (CampaignState.CANCELLED,),
    ),
    "unschedule": Action(
        services.unschedule,
        gettext_noop("Back to draft."),
        gettext_lazy("The campaign is a draft again."),
        (CampaignState.DRAFT,),
    ),
    "publish": Action(
        partial(services.set_public, is_public=True),
        gettext_noop("Put into the public archive."),
        gettext_lazy("The campaign is in the public archive."),
        (*STARTED_STATES, CampaignState.SENT),
    ),
    "withdraw": Action(
        partial(services.set_public, is_public=False),
        gettext_noop("Taken out of the public archive."),
        gettext_lazy("The campaign is no longer in the public archive."),
        (*STARTED_STATES, CampaignState.SENT),
    ),
}


class SendingPages(CampaignPages):
    """Send, schedule, pause and cancel a campaign.

    Every action needs the permission to send campaigns.
    """

    def get_urls(self) -> list[Any]:
        return [
            self.route("<int:pk>/send/", self.send_view, "send"),
            *(
                self.route(f"<int:pk>/{name}/", partial(self.action_view, name=name), name)
                for name in ACTIONS
            ),
            *super().get_urls(),
        ]

    def get_notices(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return why each stopped campaign waits for an admin, with its address."""
        if not has_permission(request, "send_campaign"):
            return []
        notices = []
        for campaign in Campaign.objects.exclude(stop_reason="").order_by("pk"):
            page = "change" if campaign.is_editable else "results"
            url = self.get_url("series") if campaign.is_step else self.get_url(page, campaign.pk)
            notices.append((STOP_TEXTS[StopReason(campaign.stop_reason)] % {"name": campaign.name}, url))
        return notices

    def send_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Show who gets a campaign and its problems, and send or schedule it by POST."""
        campaign = self.get_campaign(request, pk, "send_campaign")
        if campaign.is_step:
            return self.redirect("turn_on", campaign.pk)
        data = request.POST if "schedule" in request.POST else None
        form = ScheduleForm(data, initial={"at": campaign.scheduled_at})
        refusal = ""
        if campaign.is_editable and ("send" in request.POST or form.is_valid()):
            refusal = self._send(request, campaign, form.cleaned_data["at"] if form.is_bound else None)
            if not refusal:
                return self.redirect("results", campaign.pk)
        if not campaign.is_editable:
            return self.redirect("results", campaign.pk)
        texts = campaign.list_texts()
        counts = describe_counts(campaign, texts)
        problems = checks.find_problems(campaign, texts)
        return self.show(
            request,
            campaign,
            "send",
            title=_("Send"),
            form=form,
            version=services.get_version(campaign),
            refusal=refusal,
            texts=texts,
            problems=problems,
            errors=[problem for problem in problems if problem.severity == "error"],
            filters=describe_filters(campaign),
            **counts,
        )

    def action_view(self, request: HttpRequest, pk: int, *, name: str) -> HttpResponse:
        """Carry out an action by POST."""
        campaign = self.get_campaign(request, pk, "send_campaign")
        if campaign.is_step:
            return self.redirect("series")
        if request.method == "POST":
            self._run_action(request, campaign, ACTIONS[name])
        page = "change" if campaign.state == CampaignState.DRAFT else "results"
        return self.redirect(page, campaign.pk)

    def _send(self, request: HttpRequest, campaign: Campaign, at: datetime | None) -> str:
        """Send a campaign now or at a time; return why that is refused, or a blank text."""
        version = request.POST.get("expected_version", "")
        try:
            if at:
                services.schedule(campaign=campaign, at=at, expected_version=version)
            else:
                services.send_now(campaign=campaign, expected_version=version)
        except services.CampaignRefused as error:
            campaign.refresh_from_db()
            if at is None or campaign.scheduled_at != at:
                return str(error)
            # The first of two clicks has scheduled it.
        else:
            entry = gettext_noop("Scheduled.") if at else gettext_noop("Sending started.")
            self.log_change(request, campaign, entry)
            event = "campaign_scheduled" if at else "campaign_started"
            logger.info(event, admin=request.user.pk, campaign=campaign.pk)
        message = _("The campaign is on its way.")
        if at:
            values = {"at": format_time(at), "zone": timezone.get_current_timezone_name()}
            message = _("It will be sent on %(at)s (%(zone)s).") % values
        messages.success(request, message)
        return ""

    def _run_action(self, request: HttpRequest, campaign: Campaign, action: Action) -> None:
        try:
            action.service(campaign=campaign)
        except services.CampaignRefused as error:
            campaign.refresh_from_db()
            if campaign.state not in action.reached:
                messages.error(request, str(error))
                return
        else:
            campaign.refresh_from_db()
            self.log_change(request, campaign, action.log_entry)
            logger.info("campaign_changed", admin=request.user.pk, campaign=campaign.pk, state=campaign.state)
        messages.success(request, str(action.done))
