"""Send, schedule, pause and cancel a campaign, and follow its progress.

Each action is one POST. Its service locks the campaign, so the second of two clicks finds that it is done
already, and shows the page without an error.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.campaigns import checks, services
from newsletter.campaigns.admin import history
from newsletter.campaigns.admin.audience import describe_counts, describe_filters
from newsletter.campaigns.admin.deliveries import render_delivery_badge
from newsletter.campaigns.admin.forms import ScheduleForm
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, has_permission
from newsletter.campaigns.models import (
    ENDED_STATES,
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    StopReason,
)
from newsletter.campaigns.progress import STALLED, get_progress, is_stalled
from sailing.admin.lists import format_time
from sailing.operations.redaction import redact

ROWS_PER_PAGE = 25

STOP_TEXTS = {
    StopReason.OVERDUE: gettext_lazy(
        "The campaign “%(name)s” was not sent: its time was more than an hour ago. Send it now, schedule it"
        " again, or delete it."
    ),
    StopReason.RESTORED: gettext_lazy(
        "The campaign “%(name)s” was stopped when the database was restored or copied. Whoever got it after"
        " the backup would get it twice. Continue only if that is right."
    ),
}

STEP_STOP_TEXT = gettext_lazy(
    "The step “%(name)s” of the welcome series was turned off when the database was restored or copied."
    " Turn it on again, or leave it off."
)

LISTED_STATES = (DeliveryState.UNKNOWN, DeliveryState.FAILED)
"""The deliveries that the progress page lists."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Action:
    """What a button does.

    `reached`: the states in which a second click finds the campaign. `page`: where the button is.
    """

    service: Callable[..., Any]
    log_entry: str
    done: Any
    reached: Collection[CampaignState]
    page: str = "progress"


IN_ARCHIVE = (CampaignState.SENDING, CampaignState.PAUSED, CampaignState.SENT)
"""The states in which a campaign is put into the archive or taken out."""

ACTIONS = {
    "pause": Action(
        services.pause,
        history.PAUSED,
        gettext_lazy("The campaign is paused. Emails that are under way still arrive."),
        (CampaignState.PAUSED,),
    ),
    "resume": Action(
        services.resume,
        history.RESUMED,
        gettext_lazy("Sending goes on."),
        (CampaignState.SENDING, CampaignState.SENT),
    ),
    "cancel": Action(
        services.cancel,
        history.CANCELED,
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
        IN_ARCHIVE,
        page="change",
    ),
    "withdraw": Action(
        partial(services.set_public, is_public=False),
        gettext_noop("Taken out of the public archive."),
        gettext_lazy("The campaign is no longer in the public archive."),
        IN_ARCHIVE,
        page="change",
    ),
}


class SendingPages(CampaignPages):
    """Send, schedule, pause and cancel a campaign, and follow its progress.

    Every action needs the permission to send campaigns.
    """

    def get_urls(self) -> list[Any]:
        return [
            self.route("<int:pk>/send/", self.send_view, "send"),
            self.route("<int:pk>/progress/", self.progress_view, "progress"),
            self.route("<int:pk>/progress/status/", self.status_view, "status"),
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
        return [
            (STEP_STOP_TEXT % {"name": campaign.name}, self.get_url("series"))
            if campaign.is_step
            else (
                STOP_TEXTS[StopReason(campaign.stop_reason)] % {"name": campaign.name},
                self.get_url("change" if campaign.is_editable else "progress", campaign.pk),
            )
            for campaign in Campaign.objects.exclude(stop_reason="").order_by("pk")
        ]

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
                return self.redirect("progress", campaign.pk)
        if not campaign.is_editable:
            return self.redirect("progress", campaign.pk)
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

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the progress, the buttons, and the deliveries that failed or whose fate is unknown."""
        campaign = self.get_campaign(request, pk)
        may_see_addresses = request.user.has_perm("newsletter.view_subscription")
        deliveries = campaign.deliveries.filter(state__in=LISTED_STATES).order_by("-state", "pk")
        page = Paginator(deliveries.prefetch_related("subscription"), ROWS_PER_PAGE).get_page(
            request.GET.get("page")
        )
        scheduled: dict[str, Any] = {}
        if campaign.state == CampaignState.SCHEDULED:
            texts = campaign.list_texts()
            scheduled = {"texts": texts, **describe_counts(campaign, texts)}
        return self.show(
            request,
            campaign,
            "progress",
            title=_("Progress"),
            page=page,
            rows=[_describe_delivery(delivery, may_see_addresses) for delivery in page],
            may_see_addresses=may_see_addresses,
            **describe_progress(campaign),
            **scheduled,
        )

    def status_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the part of the page that shows the progress, which a script loads every second."""
        campaign = self.get_campaign(request, pk)
        context = {**self.describe(request, campaign), **describe_progress(campaign)}
        return TemplateResponse(request, f"{TEMPLATES}/status.html", context)

    def action_view(self, request: HttpRequest, pk: int, *, name: str) -> HttpResponse:
        """Carry out an action by POST."""
        campaign = self.get_campaign(request, pk, "send_campaign")
        if campaign.is_step:
            return self.redirect("series")
        if request.method == "POST":
            self._run_action(request, campaign, ACTIONS[name])
        page = "change" if campaign.state == CampaignState.DRAFT else ACTIONS[name].page
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
            self.log_change(request, campaign, history.SCHEDULED if at else history.STARTED)
            event = "campaign_scheduled" if at else "campaign_started"
            logger.info(event, admin=request.user.pk, campaign=campaign.pk)
        messages.success(request, _describe_time(at) if at else _("The campaign is on its way."))
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


def _describe_time(at: datetime) -> str:
    text = _("It will be sent on %(at)s (%(zone)s).")
    return text % {"at": format_time(at), "zone": timezone.get_current_timezone_name()}


def _describe_delivery(delivery: Delivery, may_see_addresses: bool) -> dict[str, Any]:
    """Return a row of the list. A mail server may repeat the address in its answer."""
    reason = delivery.last_error if may_see_addresses else redact(delivery.last_error)
    return {"delivery": delivery, "badge": render_delivery_badge(delivery), "reason": reason}


def describe_progress(campaign: Campaign) -> dict[str, Any]:
    """Return what the progress page shows. A scheduled campaign has no deliveries to count."""
    context: dict[str, Any] = {
        "has_ended": campaign.state in ENDED_STATES,
        "is_live": campaign.state not in (CampaignState.DRAFT, *ENDED_STATES),
    }
    if campaign.state in (CampaignState.DRAFT, CampaignState.SCHEDULED):
        return context
    progress = get_progress(campaign)
    is_paused = campaign.state == CampaignState.PAUSED
    return context | {
        "progress": progress,
        "pause": history.describe_pause(campaign) if is_paused else "",
        "canceler": history.find_canceler(campaign) if campaign.state == CampaignState.CANCELLED else "",
        "problem": STALLED if is_stalled(campaign) else "",
        # Mails may be under way when a campaign is cancelled.
        "is_live": context["is_live"] or bool(progress.sending),
        "ended": progress.total - progress.waiting - progress.sending,
        "duration": _describe_duration(campaign),
        "time_left": _describe_seconds(progress.seconds_left),
    }


def _describe_duration(campaign: Campaign) -> str:
    if not campaign.started_at or not campaign.finished_at:
        return ""
    return _describe_seconds(int((campaign.finished_at - campaign.started_at).total_seconds()))


def _describe_seconds(seconds: int | None) -> str:
    if seconds is None:
        return ""
    if seconds < 60:
        return _("less than a minute")
    now = timezone.now()
    return timesince(now - timedelta(seconds=seconds), now)
