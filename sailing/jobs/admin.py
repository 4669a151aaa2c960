"""Background jobs in Django admin: their progress, and buttons to cancel and to continue them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from sailing import history
from sailing.admin import bulk_actions
from sailing.admin.lists import find_model_admin, render_badge
from sailing.admin.read_only import ReadOnlyMixin
from sailing.admin.system import SystemListMixin
from sailing.jobs import queue
from sailing.jobs.models import Job, JobState

BADGES = {JobState.DONE: "good", JobState.FAILED: "bad", JobState.CANCELLED: "off"}

ATTENTION_PERIOD = timedelta(days=7)

ACTIONS = {
    "cancel": gettext_noop("The job is canceled."),
    "retry": gettext_noop("The job continues."),
}
"""The buttons of a job's page, with what is said after them."""

job_pages: dict[str, Callable[[HttpRequest, Job], tuple[str, Any] | None]] = {}
"""By the kind of a job with a page of its own: returns its address and the text of the link, or None."""


@admin.register(Job)
class JobAdmin(ReadOnlyMixin, SystemListMixin):
    """Jobs. Their admins may see and change them; others need the permissions to view or to change jobs."""

    change_form_template = "admin/jobs/job.html"
    empty_text = _("No job has run in the last 30 days. Imports, exports and work of the site appear here.")
    list_display = ("label", "subject", "state_badge", "reason", "started_by", "created_at", "finished_at")
    hidden_columns = ("started_by", "finished_at")
    empty_value_display = ""
    list_filter = ("state", ("created_by", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("created_by",)
    ordering = ("-created_at", "-pk")
    fields = readonly_fields = ("subject", "started_by", "created_at", "started_at", "finished_at")

    def get_urls(self) -> list[URLPattern]:
        progress = self.route("<int:pk>/progress/", self.progress_view, "progress")
        actions = [self.route(f"<int:pk>/{name}/", partial(self.action_view, name), name) for name in ACTIONS]
        return [progress, *actions, *super().get_urls()]

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of the jobs that failed lately."""
        since = timezone.now() - ATTENTION_PERIOD
        count = Job.objects.filter(state=JobState.FAILED, finished_at__gte=since).count()
        text = ngettext(
            "%(count)d background job failed in the last 7 days.",
            "%(count)d background jobs failed in the last 7 days.",
            count,
        )
        url = f"{reverse('admin:jobs_job_changelist')}?state__exact=failed"
        return [(text % {"count": count}, url)] if count else []

    def has_view_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        return _is_own(request, obj) or super().has_view_permission(request, obj)

    @admin.display(description=_("job"))
    def label(self, job: Job) -> str:
        if job.kind == bulk_actions.KIND:
            return bulk_actions.get_label(job)
        return str(queue.kinds[job.kind].label) if job.kind in queue.kinds else job.kind

    @admin.display(description=_("file or list"))
    def subject(self, job: Job) -> str:
        """Return the name of the file that a job reads or writes, or else of the list that it works on."""
        model_admin = find_model_admin(job.arguments.get("model", ""))
        name = model_admin.opts.verbose_name_plural if model_admin else ""
        return str(job.arguments.get("file_name") or capfirst(str(name)))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, job: Job) -> str:
        state, share = JobState(job.state), ""
        if job.is_unfinished and job.total_rows:
            number = min(100, job.finished_rows * 100 // job.total_rows)
            share = " " + gettext("%(number)d%%") % {"number": number}
        return render_badge(BADGES.get(state, "waiting"), f"{state.label}{share}")

    @admin.display(description=_("started by"))
    def started_by(self, job: Job) -> str:
        return str(job.created_by or "")

    @admin.display(description=_("reason"))
    def reason(self, job: Job) -> str:
        return job.error and gettext(job.error)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Any = None, **kwargs: Any
    ) -> HttpResponse:
        context |= {
            "job": obj,
            "results": bulk_actions.report(obj),
            "state_badge": self.state_badge(obj),
            "title": self.label(obj),
            "subtitle": None,
            "may_change": _may_change(request, obj),
            "page": job_pages[obj.kind](request, obj) if obj.kind in job_pages else None,
            "can_retry": obj.state in queue.RETRIABLE and queue.may_continue(obj, request.user),
        }
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the progress of a job as a fragment of its page, which a script loads every second."""
        job = get_object_or_404(Job, pk=pk)
        if not self.has_view_permission(request, job):
            raise PermissionDenied
        context = {"job": job, "results": bulk_actions.report(job), "state_badge": self.state_badge(job)}
        return render(request, "admin/jobs/progress.html", context)

    def action_view(self, action: str, request: HttpRequest, pk: int) -> HttpResponse:
        """Do what a button says, and show the job."""
        if request.method != "POST":
            raise Http404
        with transaction.atomic():
            # Of two buttons pressed at once, the second one sees what the first one has changed.
            job = get_object_or_404(Job.objects.select_for_update(no_key=True), pk=pk)
            if not _may_change(request, job):
                raise PermissionDenied
            is_done = _run_action(action, request, job)
            if is_done:
                history.record(request.user, Job, self.label(job), ACTIONS[action], key=job.pk)
        if is_done:
            self.message_user(request, gettext(ACTIONS[action]), messages.SUCCESS)
        else:
            self.message_user(request, _("Nothing was done: the job has changed."), messages.WARNING)
        return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[job.pk]))


def _run_action(action: str, request: HttpRequest, job: Job) -> bool:
    """Return whether an action was possible."""
    if action == "cancel":
        return queue.cancel(job)
    if not queue.may_continue(job, request.user):
        raise PermissionDenied
    return queue.retry(job)


def _is_own(request: HttpRequest, job: Job | None) -> bool:
    return job is not None and job.created_by_id == request.user.pk


def _may_change(request: HttpRequest, job: Job) -> bool:
    return _is_own(request, job) or bool(request.user.has_perm("jobs.change_job"))
