"""Send, schedule, pause and cancel a campaign, and turn the steps of the welcome series on and off."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from newsletter.campaigns import series, services
from newsletter.campaigns.admin import pages
from newsletter.campaigns.admin.forms import ScheduleForm
from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results
from newsletter.models import AUDIENCES
from sailing.admin.lists import format_time

ACTIONS: dict[str, tuple[Callable[..., None], str, Any]] = {
    "pause": (
        services.pause,
        gettext_noop("Paused."),
        gettext_lazy("The campaign is paused. Emails that are under way still arrive."),
    ),
    "resume": (services.resume, gettext_noop("Resumed."), gettext_lazy("Sending goes on.")),
    "cancel": (
        services.cancel,
        gettext_noop("Sending canceled."),
        gettext_lazy("The campaign is canceled. Nobody else gets it."),
    ),
    "unschedule": (
        services.unschedule,
        gettext_noop("Back to draft."),
        gettext_lazy("The campaign is a draft again."),
    ),
    "publish": (
        partial(services.set_public, is_public=True),
        gettext_noop("Put into the public archive."),
        gettext_lazy("The campaign is in the public archive."),
    ),
    "withdraw": (
        partial(services.set_public, is_public=False),
        gettext_noop("Taken out of the public archive."),
        gettext_lazy("The campaign is no longer in the public archive."),
    ),
    "turn_off": (
        series.turn_off,
        gettext_noop("Turned off."),
        gettext_lazy("The step is off. Emails that are under way still arrive."),
    ),
}
"""What each button does, what the history says then, and what the admin reads."""


class SendingPages(pages.CampaignPages):
    """Pages for admins who may send campaigns: send or turn on, the actions, and the welcome series."""

    def get_urls(self) -> list[Any]:
        return [
            self.route("series/", self.series_view, "series"),
            self.route("<int:pk>/send/", self.send_view, "send"),
            *(
                self.route(f"<int:pk>/{name}/", partial(self.action_view, name=name), name)
                for name in ACTIONS
            ),
            *super().get_urls(),
        ]

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return why each stopped campaign waits for an admin, with its address."""
        if not self.has_send_permission(request):
            return []
        notices = []
        for campaign in Campaign.objects.exclude(stop_reason="").order_by("pk"):
            page = "change" if campaign.is_editable else "results"
            url = self.get_url("series") if campaign.is_step else self.get_url(page, campaign.pk)
            notices.append((pages.describe_stop(campaign), url))
        return notices

    def send_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who gets a campaign and its problems, and send or schedule it by POST; or turn a step on."""
        campaign = self.get_campaign(request, pk, "send")
        data = request.POST if "schedule" in request.POST else None
        form = ScheduleForm(data, initial={"at": campaign.scheduled_at})
        refusal, is_sent = "", False
        if request.method == "POST" and (data is None or form.is_valid()):
            try:
                self._send(request, campaign, at=form.cleaned_data["at"] if data else None)
                is_sent = True
            except services.CampaignRefused as error:
                refusal = str(error)
                campaign.refresh_from_db()
        if is_sent or not self.can_send(request, campaign):
            return self.redirect("series") if campaign.is_step else self.redirect("results", pk)
        texts = campaign.list_texts()
        context = {
            "refusal": refusal,
            "texts": texts,
            **pages.describe_problems(campaign, texts),
            "version": services.get_version(campaign),
        }
        if campaign.is_step:
            context["delay"] = describe_delay(campaign)
            return self.show(request, campaign, "turn_on", title=_("Turn on"), **context)
        context |= pages.describe_counts(count_audience(campaign, campaign.list_languages()))
        context |= {"form": form, "audience": pages.describe_audience(campaign)}
        return self.show(request, campaign, "send", title=_("Send"), **context)

    def _send(self, request: HttpRequest, campaign: Campaign, *, at: datetime | None) -> None:
        """Send a campaign, now or at a time, or turn a step on. Raises CampaignRefused."""
        version = request.POST.get("expected_version", "")
        if campaign.is_step:
            series.turn_on(campaign=campaign, expected_version=version)
            entry, message = gettext_noop("Turned on."), _("The step is on.")
        elif at:
            services.schedule(campaign=campaign, at=at, expected_version=version)
            values = {"at": format_time(at), "zone": settings.TIME_ZONE}
            entry, message = gettext_noop("Scheduled."), _("It will be sent on %(at)s (%(zone)s).") % values
        else:
            services.send_now(campaign=campaign, expected_version=version)
            entry, message = gettext_noop("Sending started."), _("The campaign is on its way.")
        self.log_change(request, campaign, entry)
        messages.success(request, message)

    def action_view(self, request: HttpRequest, pk: int, *, name: str) -> HttpResponse:
        """Carry out an action by POST."""
        campaign = self.get_campaign(request, pk, "send")
        service, log_entry, done = ACTIONS[name]
        if campaign.is_step is not (name == "turn_off"):
            raise Http404
        if request.method == "POST":
            try:
                service(campaign=campaign)
                self.log_change(request, campaign, log_entry)
                messages.success(request, str(done))
            except services.CampaignRefused as error:
                messages.error(request, str(error))
        if campaign.is_step:
            return self.redirect("series")
        return self.redirect("change" if campaign.state == CampaignState.DRAFT else "results", pk)

    def series_view(self, request: HttpRequest) -> HttpResponse:
        """Show the steps of both audiences in order, with their figures."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self.show_page(
            request,
            f"{pages.TEMPLATES}/series.html",
            title=_("Welcome series"),
            audiences=[
                {"label": label, **self._describe_series(user_type)} for user_type, label in AUDIENCES
            ],
            may_add=self.has_add_permission(request),
            may_send=self.has_send_permission(request),
        )

    def _describe_series(self, user_type: str) -> dict[str, Any]:
        steps = [
            {
                "campaign": step,
                "badge": self.state_badge(step),
                "delay": describe_delay(step),
                "stop_text": pages.describe_stop(step),
                **pages.describe_results(step),
            }
            for step in annotate_results(series.list_steps(user_type))
        ]
        new = {"user_type": user_type, **series.suggest_delay(user_type)}
        add_url = reverse("admin:campaigns_campaign_add", query=new)
        return {"user_type": user_type, "steps": steps, "add_url": add_url}


def describe_delay(step: Campaign) -> str:
    """Return when readers get a step."""
    days = step.delay_days or 0
    if not days:
        return _("right after confirming")
    text = ngettext("%(days)s day after confirming", "%(days)s days after confirming", days) % {"days": days}
    if step.delay_hour is None:
        return text
    at = _("at %(time)s (%(time_zone)s)")
    at %= {"time": step.get_delay_hour_display(), "time_zone": settings.TIME_ZONE}
    return f"{text}, {at}"
