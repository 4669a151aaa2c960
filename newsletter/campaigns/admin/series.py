"""The welcome series: its steps in order, with their figures, and the buttons that turn them on and off."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from newsletter.campaigns import checks, series, services
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, describe_results, has_permission
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results
from newsletter.models import AUDIENCES


class SeriesPages(CampaignPages):
    """The page of the welcome series, and the confirmation before a step is turned on."""

    def get_urls(self) -> list[Any]:
        return [
            self.route("series/", self.series_view, "series"),
            self.route("<int:pk>/turn-on/", self.turn_on_view, "turn_on"),
            self.route("<int:pk>/turn-off/", self.turn_off_view, "turn_off"),
            *super().get_urls(),
        ]

    def series_view(self, request: HttpRequest) -> HttpResponse:
        """Show the steps of both audiences."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self.show_page(
            request,
            f"{TEMPLATES}/series.html",
            title=_("Welcome series"),
            audiences=[
                {"label": label, **self._describe_series(user_type)} for user_type, label in AUDIENCES
            ],
            may_add=has_permission(request, "add_campaign"),
            may_send=has_permission(request, "send_campaign"),
        )

    def _describe_series(self, user_type: str) -> dict[str, Any]:
        rows = [
            {
                "campaign": step,
                "badge": self.state_badge(step),
                "is_on": step.state == CampaignState.SENDING,
                "delay": describe_delay(step),
                **describe_results(step),
            }
            for step in annotate_results(series.list_steps(user_type))
        ]
        new = {"user_type": user_type, **series.suggest_delay(user_type)}
        add_url = reverse("admin:campaigns_campaign_add", query=new)
        return {"user_type": user_type, "steps": rows, "add_url": add_url}

    def turn_on_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who gets a step, and turn it on by POST."""
        step, refusal = self._get_step(request, pk), ""
        if request.method == "POST":
            try:
                version = request.POST.get("expected_version", "")
                series.turn_on(campaign=step, expected_version=version)
                self.log_change(request, step, gettext_noop("Turned on."))
            except services.CampaignRefused as error:
                refusal = str(error)
                step.refresh_from_db()
            if step.state == CampaignState.SENDING:  # the first of two clicks may have done it
                messages.success(request, _("The step is on."))
        if step.state == CampaignState.SENDING:
            return self.redirect("series")
        texts = step.list_texts()
        problems = checks.find_problems(step, texts)
        return self.show(
            request,
            step,
            "turn_on",
            title=_("Turn on"),
            refusal=refusal,
            texts=texts,
            problems=problems,
            errors=[problem for problem in problems if problem.severity == "error"],
            delay=describe_delay(step),
            version=services.get_version(step),
        )

    def turn_off_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Turn a step off by POST."""
        step = self._get_step(request, pk)
        if request.method == "POST":
            try:
                series.turn_off(campaign=step)
                self.log_change(request, step, gettext_noop("Turned off."))
            except services.CampaignRefused:
                pass  # the first of two clicks has done it
            messages.success(request, _("The step is off. Emails that are under way still arrive."))
        return self.redirect("series")

    def _get_step(self, request: HttpRequest, pk: int) -> Campaign:
        step = self.get_campaign(request, pk, "send_campaign")
        if not step.is_step:
            raise Http404
        return step


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
    return f"{text} {at}"
