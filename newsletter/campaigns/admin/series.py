"""The welcome series: its steps in order, with their figures, and the buttons that turn them on and off.

As with campaigns, each action is one POST, and the second of two clicks finds that it is done already.
"""

from typing import Any

import structlog
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from newsletter.campaigns import checks, series, services
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, describe_results, has_permission
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.results import annotate_results
from newsletter.models import AUDIENCES

logger = structlog.get_logger(__name__)


class SeriesPages(CampaignPages):
    """The page of the welcome series, and the confirmation before a step is turned on."""

    def get_urls(self) -> list[Any]:
        return [
            self.route("series/", self.series_view, "series"),
            self.route("series/add/<str:user_type>/", self.add_step_view, "add_step"),
            self.route("<int:pk>/turn-on/", self.turn_on_view, "turn_on"),
            self.route("<int:pk>/turn-off/", self.turn_off_view, "turn_off"),
            *super().get_urls(),
        ]

    def series_view(self, request: HttpRequest) -> HttpResponse:
        """Show the steps of both audiences."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        audiences = [
            {"user_type": user_type, "label": label, "steps": self._list_rows(user_type)}
            for user_type, label in AUDIENCES
        ]
        return self.show_page(
            request,
            f"{TEMPLATES}/series.html",
            title=_("Welcome series"),
            audiences=audiences,
            may_add=has_permission(request, "add_campaign"),
            may_send=has_permission(request, "send_campaign"),
        )

    def add_step_view(self, request: HttpRequest, user_type: str) -> HttpResponse:
        """Add an empty step by POST, and open its editor."""
        if not has_permission(request, "add_campaign"):
            raise PermissionDenied
        if user_type not in dict(AUDIENCES):
            raise Http404
        if request.method != "POST":
            return self.redirect("series")
        step = series.create_step(user_type=user_type, by=request.user)
        self.log_addition(request, step, gettext_noop("Step added."))
        return self.redirect("change", step.pk)

    def turn_on_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who gets a step, and turn it on by POST."""
        step = self._get_step(request, pk)
        refusal = ""
        if request.method == "POST":
            refusal = self._turn_on(request, step)
        if step.state == CampaignState.SENDING:
            if request.method == "POST" and not refusal:
                messages.success(request, _("The step is on."))
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
            except services.CampaignRefused:
                pass  # the first of two clicks has done it
            else:
                self.log_change(request, step, gettext_noop("Turned off."))
                logger.info("step_turned_off", admin=request.user.pk, campaign=step.pk)
            messages.success(request, _("The step is off. Emails that are under way still arrive."))
        return self.redirect("series")

    def _get_step(self, request: HttpRequest, pk: int) -> Campaign:
        step = self.get_campaign(request, pk, "send_campaign")
        if not step.is_step:
            raise Http404
        return step

    def _turn_on(self, request: HttpRequest, step: Campaign) -> str:
        """Turn a step on; return why that is refused, or a blank text."""
        version = request.POST.get("expected_version", "")
        try:
            series.turn_on(campaign=step, expected_version=version)
        except services.CampaignRefused as error:
            step.refresh_from_db()
            # The first of two clicks may have turned it on.
            return "" if step.state == CampaignState.SENDING else str(error)
        self.log_change(request, step, gettext_noop("Turned on."))
        logger.info("step_turned_on", admin=request.user.pk, campaign=step.pk)
        return ""

    def _list_rows(self, user_type: str) -> list[dict[str, Any]]:
        return [
            {
                "campaign": step,
                "badge": self.state_badge(step),
                "is_on": step.state == CampaignState.SENDING,
                "delay": describe_delay(step),
                **describe_results(step),
            }
            for step in annotate_results(series.list_steps(user_type))
        ]


def describe_delay(step: Campaign) -> str:
    """Return when readers get a step."""
    days = step.delay_days or 0
    if not days:
        return _("right after confirming")
    if step.delay_hour is None:
        text = ngettext("%(days)s day after confirming", "%(days)s days after confirming", days)
    else:
        text = ngettext(
            "%(days)s day after confirming, at %(time)s (%(time_zone)s)",
            "%(days)s days after confirming, at %(time)s (%(time_zone)s)",
            days,
        )
    time = step.get_delay_hour_display()
    return text % {"days": days, "time": time, "time_zone": settings.TIME_ZONE}
