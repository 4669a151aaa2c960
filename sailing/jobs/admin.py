"""Background jobs in Django admin: their progress, and buttons to cancel and to continue them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from sailing import history
from sailing.admin import bulk_actions
from sailing.admin.lists import find_model_admin, render_badge
from sailing.admin.pages import ReadOnlyMixin, SailingModelAdmin
from sailing.jobs import queue
from sailing.jobs.models import Job, JobState

BADGES = {JobState.DONE: "good", JobState.FAILED: "bad", JobState.CANCELLED: "off"}

ACTIONS: dict[str, tuple[Callable[[Job], bool], str]] = {
    "cancel": (queue.cancel, gettext_noop("The job is canceled.")),
    "retry": (queue.retry, gettext_noop("The job continues.")),
}
"""What each button of a job's page does, and what is said after it."""

job_pages: dict[str, Callable[[HttpRequest, Job], tuple[str, Any] | None]] = {}
"""By the kind of a job with a page of its own: returns its address and the text of the link, or None."""


@admin.register(Job)
class JobAdmin(ReadOnlyMixin, SailingModelAdmin):
    """Jobs. Who started one may see and change it; others need the permissions."""

    change_form_template = "admin/jobs/job.html"
    empty_text = _("No job has run in the last 30 days. Imports, exports and work of the site appear here.")
    list_display = ("label", "subject", "state_badge", "reason", "created_by", "created_at", "finished_at")
    hidden_columns = ("created_by", "finished_at")
    empty_value_display = ""
    list_filter = ("state", "created_at")
    list_select_related = ("created_by",)
    ordering = ("-created_at", "-pk")
    fields = readonly_fields = ("subject", "created_by", "started_at", "finished_at")

    def get_urls(self) -> list[Any]:
        progress = self.route("<int:pk>/progress/", self.progress_view, "progress")
        views = {name: require_POST(partial(self.action_view, name)) for name in ACTIONS}
        actions = [self.route(f"<int:pk>/{name}/", view, name) for name, view in views.items()]
        return [progress, *actions, *super().get_urls()]

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        since = timezone.now() - timedelta(days=7)
        count = Job.objects.filter(state=JobState.FAILED, finished_at__gte=since).count()
        text = ngettext(
            "%(count)d background job failed in the last 7 days.",
            "%(count)d background jobs failed in the last 7 days.",
            count,
        )
        url = f"{self.get_url('changelist')}?state__exact=failed"
        return [(text % {"count": count}, url)] if count else []

    def has_view_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        return _is_own(request, obj) or super().has_view_permission(request, obj)

    @admin.display(description=_("job"))
    def label(self, job: Job) -> str:
        if label := job.arguments.get("label"):
            return gettext(label)
        return str(queue.kinds[job.kind].label) if job.kind in queue.kinds else job.kind

    @admin.display(description=_("file"))
    def subject(self, job: Job) -> str:
        return str(job.arguments.get("file_name", ""))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, job: Job) -> str:
        state = JobState(job.state)
        return render_badge(BADGES.get(state, "waiting"), state.label)

    @admin.display(description=_("reason"))
    def reason(self, job: Job) -> str:
        return job.error and gettext(job.error)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        job = kwargs["obj"]
        model_admin = find_model_admin(job.arguments.get("model", ""))
        context |= {
            **self._describe(job),
            "title": self.label(job),
            "subtitle": None,
            "may_change": may_change(request, job),
            "list": model_admin if model_admin and model_admin.has_view_permission(request) else None,
            "page": job_pages[job.kind](request, job) if job.kind in job_pages else None,
            "can_retry": job.state in queue.RETRIABLE and queue.may_continue(job, request.user),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the progress of a job as a fragment of its page."""
        job = get_object_or_404(Job, pk=pk)
        if not self.has_view_permission(request, job):
            raise PermissionDenied
        return render(request, "admin/jobs/progress.html", self._describe(job))

    def action_view(self, name: str, request: HttpRequest, pk: int) -> HttpResponse:
        job = get_object_or_404(Job, pk=pk)
        may_continue = name != "retry" or queue.may_continue(job, request.user)
        if not (may_continue and may_change(request, job)):
            raise PermissionDenied
        action, text = ACTIONS[name]
        if action(job):
            with override(None):  # in English, as it is stored
                history.record(request.user, Job, self.label(job), text, key=job.pk)
            messages.success(request, gettext(text))
        else:
            messages.warning(request, gettext("Nothing was done: the job has changed."))
        return self.redirect("change", job.pk)

    def _describe(self, job: Job) -> dict[str, Any]:
        return {"job": job, "results": bulk_actions.report(job), "state_badge": self.state_badge(job)}


def _is_own(request: HttpRequest, job: Job | None) -> bool:
    return job is not None and job.created_by_id == request.user.pk


def may_change(request: HttpRequest, job: Job | None) -> bool:
    return _is_own(request, job) or request.user.has_perm("jobs.change_job")
