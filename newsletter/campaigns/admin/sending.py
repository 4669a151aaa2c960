"""Send, schedule, pause and cancel a campaign, and follow its progress.

Each action is one POST. Its service locks the campaign, so the second of two clicks finds that it is done
already, and shows the page without an error.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.campaigns import audience, checks, services
from newsletter.campaigns.admin.deliveries import render_delivery_badge
from newsletter.campaigns.admin.progress import BADGES, describe_progress
from newsletter.campaigns.admin.schedule_form import ScheduleForm
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    MissingLanguage,
    StopReason,
)
from newsletter.models import UserType
from sailing.admin.lists import format_time, render_badge
from sailing.operations.redaction import redact

ROWS_PER_PAGE = 25
MAX_COUNT_DIGITS = 12

STOP_TEXTS = {
    StopReason.OVERDUE: gettext_lazy(
        "The campaign “%(name)s” was not sent: its time was more than an hour ago. Send it now, schedule it"
        " again, or delete it."
    ),
    StopReason.ABANDONED: gettext_lazy(
        "The campaign “%(name)s” is paused: nothing was sent for more than an hour. Resume or cancel it."
    ),
    StopReason.RESTORED: gettext_lazy(
        "The campaign “%(name)s” was stopped when the database was restored or copied. Whoever got it after"
        " the backup would get it twice. Continue only if that is right."
    ),
}

LISTED_STATES = (DeliveryState.UNKNOWN, DeliveryState.FAILED)
"""The deliveries that the progress page lists."""

LANGUAGE_NAMES = dict(settings.LANGUAGES)

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
        gettext_noop("Paused."),
        gettext_lazy("The campaign is paused. Mails that are under way still arrive."),
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
        services.publish,
        gettext_noop("Put into the public archive."),
        gettext_lazy("The campaign is in the public archive."),
        IN_ARCHIVE,
        page="change",
    ),
    "withdraw": Action(
        services.withdraw,
        gettext_noop("Taken out of the public archive."),
        gettext_lazy("The campaign is no longer in the public archive."),
        IN_ARCHIVE,
        page="change",
    ),
}


class SendingMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Send, schedule, pause and cancel a campaign, and follow its progress.

    Every action needs the permission to send campaigns.
    """

    def get_urls(self) -> list[Any]:
        def route(pattern: str, view: Any, suffix: str) -> Any:
            return path(
                f"<int:pk>/{pattern}/", self.admin_site.admin_view(view), name=f"campaigns_campaign_{suffix}"
            )

        return [
            route("send", self.send_view, "send"),
            route("progress", self.progress_view, "progress"),
            route("progress/status", self.status_view, "status"),
            *(route(name, partial(self.action_view, name=name), name) for name in ACTIONS),
            *super().get_urls(),
        ]

    def get_notices(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return why each stopped campaign waits for an admin, with its address."""
        if not has_permission(request, "send_campaign"):
            return []
        return [
            (
                STOP_TEXTS[StopReason(campaign.stop_reason)] % {"name": campaign.name},
                reverse(
                    f"admin:campaigns_campaign_{'change' if campaign.is_editable else 'progress'}",
                    args=[campaign.pk],
                ),
            )
            for campaign in Campaign.objects.exclude(stop_reason="").order_by("pk")
        ]

    def send_view(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """Show who gets a campaign and its problems, and send or schedule it by POST."""
        if not has_permission(request, "send_campaign"):
            raise PermissionDenied
        campaign = get_object_or_404(Campaign, pk=pk)
        data = request.POST if "schedule" in request.POST else None
        form = ScheduleForm(data, initial={"at": campaign.scheduled_at})
        refused = ""
        if request.method == "POST" and campaign.is_editable and _is_complete(request, form):
            try:
                self._send(request, campaign, form)
            except services.CampaignRefused as error:
                refused = str(error)
                campaign.refresh_from_db()
                if form.is_bound and campaign.scheduled_at == form.cleaned_data["at"]:
                    return redirect_to_progress(campaign)  # the first of two clicks has scheduled it
            else:
                return redirect_to_progress(campaign)
        if not campaign.is_editable:
            return redirect_to_progress(campaign)
        return self._show_send_page(request, campaign, form, refused)

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the progress, the buttons, and the deliveries that failed or whose fate is unknown."""
        campaign = self._get_visible_campaign(request, pk)
        user: Any = request.user
        may_see_addresses = user.has_perm("newsletter.view_subscription")
        deliveries = campaign.deliveries.filter(state__in=LISTED_STATES).order_by("-state", "pk")
        page = Paginator(deliveries.prefetch_related("subscription"), ROWS_PER_PAGE).get_page(
            request.GET.get("page")
        )
        context = {
            **describe_progress(campaign),
            "may_send": has_permission(request, "send_campaign"),
            "page": page,
            "rows": [_describe_delivery(delivery, may_see_addresses) for delivery in page],
            "may_see_addresses": may_see_addresses,
        }
        return show_page(self, request, campaign, "progress", title=_("Progress"), **context)

    def status_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the part of the page that shows the progress, which a script loads every second."""
        campaign = self._get_visible_campaign(request, pk)
        return TemplateResponse(request, _get_template("status"), describe_progress(campaign))

    def action_view(self, request: HttpRequest, pk: int, *, name: str) -> HttpResponse:
        """Carry out an action by POST."""
        if not has_permission(request, "send_campaign"):
            raise PermissionDenied
        campaign = get_object_or_404(Campaign, pk=pk)
        if request.method == "POST":
            self._run_action(request, campaign, ACTIONS[name])
        page = "change" if campaign.state == CampaignState.DRAFT else ACTIONS[name].page
        return HttpResponseRedirect(reverse(f"admin:campaigns_campaign_{page}", args=[pk]))

    def _get_visible_campaign(self, request: HttpRequest, pk: int) -> Campaign:
        campaign = get_object_or_404(Campaign, pk=pk)
        if not self.has_view_permission(request, campaign):
            raise PermissionDenied
        return campaign

    def _send(self, request: HttpRequest, campaign: Campaign, form: ScheduleForm) -> None:
        """Send a campaign now or schedule it. Raises CampaignRefused."""
        conditions: dict[str, Any] = {
            "expected_count": _read_expected_count(request),
            "expected_version": request.POST.get("expected_version", ""),
        }
        if form.is_bound:
            at = form.cleaned_data["at"]
            if campaign.scheduled_at != at:  # otherwise this is the second of two clicks
                services.schedule(campaign=campaign, at=at, by=request.user, **conditions)
                self.log_change(request, campaign, gettext_noop("Scheduled."))
                logger.info("campaign_scheduled", admin=request.user.pk, campaign=campaign.pk)
            text = _("It will be sent on %(at)s (%(zone)s).")
            if _is_repeated(at):
                text = _(
                    "It will be sent on %(at)s (%(zone)s), the first time that the clocks show this time."
                )
            values = {
                "at": format_time(at),
                "zone": timezone.get_current_timezone_name(),
            }
            messages.success(request, text % values)
        else:
            services.send_now(campaign=campaign, by=request.user, **conditions)
            self.log_change(request, campaign, gettext_noop("Sending started."))
            logger.info("campaign_started", admin=request.user.pk, campaign=campaign.pk)
            messages.success(request, _("The campaign is on its way."))

    def _show_send_page(
        self, request: HttpRequest, campaign: Campaign, form: ScheduleForm, refused: str
    ) -> TemplateResponse:
        texts = list(campaign.texts.all())
        languages = campaign.list_languages()
        problems = checks.find_problems(campaign, texts)
        counts = audience.count_audience(campaign, languages)
        return show_page(
            self,
            request,
            campaign,
            "send",
            title=_("Send the campaign"),
            form=form,
            version=services.get_version(campaign),
            refused=refused,
            texts=[text for text in texts if not text.is_missing],
            errors=[_describe_problem(problem) for problem in problems if problem.severity == "error"],
            warnings=[_describe_problem(problem) for problem in problems if problem.severity == "warning"],
            rows=[
                {
                    "user_type": UserType(count.user_type).label,
                    "language": LANGUAGE_NAMES[count.language],
                    "count": count.count,
                }
                for count in counts
            ],
            total=sum(count.count for count in counts),
            filters=_describe_filters(campaign),
            leaves_out=(
                len(languages) < len(settings.LANGUAGES)
                and campaign.missing_language == MissingLanguage.LEAVE_OUT
            ),
        )

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


def has_permission(request: HttpRequest, codename: str) -> bool:
    """Return whether the admin has a permission on campaigns."""
    user: Any = request.user
    return bool(user.has_perm(f"campaigns.{codename}"))


def show_page(
    model_admin: Any, request: HttpRequest, campaign: Campaign, name: str, /, **context: Any
) -> TemplateResponse:
    """Return a page about a campaign, with links to its other pages."""
    request.current_app = model_admin.admin_site.name
    common = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "campaign": campaign,
        "subtitle": campaign.name,
        "state_badge": render_badge(BADGES[CampaignState(campaign.state)], campaign.get_state_display()),
        "time_zone": timezone.get_current_timezone_name(),
        "may_view_figures": has_permission(request, "view_campaign_figures"),
    }
    return TemplateResponse(request, _get_template(name), {**common, **context})


def redirect_to_progress(campaign: Campaign) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:campaigns_campaign_progress", args=[campaign.pk]))


def _is_complete(request: HttpRequest, form: ScheduleForm) -> bool:
    return form.is_valid() if form.is_bound else "send" in request.POST


def _is_repeated(at: datetime) -> bool:
    """Return whether the clocks of the current time zone show this time again later."""
    local = timezone.localtime(at)
    return local.utcoffset() != local.replace(fold=1).utcoffset()


def _read_expected_count(request: HttpRequest) -> int:
    """Return the number of recipients that the admin saw, or -1, which no audience has."""
    text = request.POST.get("expected_count", "")
    return int(text) if text.isdecimal() and len(text) <= MAX_COUNT_DIGITS else -1


def _describe_filters(campaign: Campaign) -> list[str]:
    """Return the filters of an audience that its counts do not show."""
    found = [campaign.get_source_display()] if campaign.source else []
    if campaign.subscribed_since:
        found.append(_("subscribed since %(date)s") % {"date": date_format(campaign.subscribed_since)})
    return found


def _describe_problem(problem: checks.Problem) -> str:
    """Return a problem as a text that begins with the language of the text it is about."""
    language = LANGUAGE_NAMES.get(problem.language)
    return f"{language}: {problem.message}" if language else str(problem.message)


def _describe_delivery(delivery: Delivery, may_see_addresses: bool) -> dict[str, Any]:
    """Return a row of the list. A mail server may repeat the address in its answer."""
    reason = delivery.last_error if may_see_addresses else redact(delivery.last_error)
    return {"delivery": delivery, "badge": render_delivery_badge(delivery), "reason": reason}


def _get_template(name: str) -> str:
    return f"admin/newsletter/campaigns/{name}.html"
