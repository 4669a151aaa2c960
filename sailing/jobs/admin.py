"""Background jobs in Django admin: their progress, and buttons to cancel and to continue them."""

from collections.abc import Callable
from datetime import timedelta
from operator import itemgetter
from typing import Any

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
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
from sailing.admin.lists import build_list_request, describe_filters, format_time, render_badge
from sailing.admin.read_only import ReadOnlyMixin
from sailing.admin.system import SystemListMixin
from sailing.jobs import queue
from sailing.jobs.models import Job, JobState
from sailing.jobs.permissions import may_continue
from sailing.jobs.retention import JOB_FILE_RETENTION

BADGES = {
    JobState.WAITING: "waiting",
    JobState.RUNNING: "waiting",
    JobState.DONE: "good",
    JobState.FAILED: "bad",
    JobState.CANCELLED: "off",
    JobState.UNDONE: "off",
}


ATTENTION_PERIOD = timedelta(days=7)

JobPage = Callable[[HttpRequest, Job], tuple[str, Any] | None]

job_pages: dict[str, JobPage] = {}
"""By the kind of a job with a page of its own: a function that returns the address and the text of the link,
or None for an admin who may not see the page."""


class KindFilter(admin.SimpleListFilter):
    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return sorted(((name, str(kind.label)) for name, kind in queue.kinds.items()), key=itemgetter(1))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> QuerySet[Job]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Job)
class JobAdmin(ReadOnlyMixin, SystemListMixin):
    """Jobs, read-only. The admin who started a job may see it, cancel it and continue it.

    Other jobs need the permissions to view or to change jobs. To continue one also takes what the job needs.
    """

    change_form_template = "admin/jobs/job.html"
    empty_text = _("No job has run in the last 30 days. Imports, exports and work of the site appear here.")
    list_display = ("label", "subject", "state_badge", "reason", "started_by", "created_at", "duration")
    empty_value_display = ""
    list_filter = ("state", KindFilter, "created_at")
    list_select_related = ("created_by",)
    ordering = ("-created_at", "-pk")
    readonly_fields = (
        "file_name",
        "list_name",
        "started_by",
        "created_at",
        "started_at",
        "finished_at",
        "duration",
        "attempts",
    )

    def get_urls(self) -> list[URLPattern]:
        views = (
            ("progress", self.progress_view),
            ("cancel", self.cancel_view),
            ("retry", self.retry_view),
            ("undo", self.undo_view),
        )
        urls = [self.route(f"<int:pk>/{name}/", view, name) for name, view in views]
        return [*urls, *super().get_urls()]

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of the jobs that failed lately."""
        since = timezone.now() - ATTENTION_PERIOD
        count = Job.objects.filter(state=JobState.FAILED, finished_at__gte=since).count()
        if not count:
            return []
        text = ngettext(
            "%(count)d background job failed in the last 7 days.",
            "%(count)d background jobs failed in the last 7 days.",
            count,
        )
        return [(text % {"count": count}, f"{reverse('admin:jobs_job_changelist')}?state__exact=failed")]

    def has_view_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        return _is_own(request, obj) or super().has_view_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: Job | None = None) -> Any:
        """Return the fields that have a value."""

        def get_value(name: str) -> Any:
            method = getattr(self, name, None)
            return method(obj) if method else getattr(obj, name)

        return [name for name in self.readonly_fields if get_value(name)]

    @admin.display(description=_("job"))
    def label(self, job: Job) -> str:
        return get_label(job)

    @admin.display(description=_("file or list"))
    def subject(self, job: Job) -> str:
        return self.file_name(job) or self.list_name(job)

    @admin.display(description=_("list"))
    def list_name(self, job: Job) -> str:
        """Return the list that a job works on; blank if it works on none."""
        model = job.arguments.get("model")
        return capfirst(str(apps.get_model(model)._meta.verbose_name_plural)) if model else ""

    @admin.display(description=_("file"))
    def file_name(self, job: Job) -> str:
        """Return the name of the file that a job reads or writes; blank if there is none."""
        return str(job.arguments.get("file_name", ""))

    @admin.display(description=_("state"), ordering="state")
    def state_badge(self, job: Job) -> str:
        state = JobState(job.state)
        if state == JobState.RUNNING and job.total_rows:
            number = min(100, job.finished_rows * 100 // job.total_rows)
            percentage = gettext("%(number)d%%") % {"number": number}
            return render_badge(BADGES[state], f"{state.label} {percentage}")
        return render_badge(BADGES[state], state.label)

    @admin.display(description=_("reason"))
    def reason(self, job: Job) -> str:
        if job.error:
            return gettext(job.error)
        return gettext("Reason not recorded") if job.state == JobState.FAILED else ""

    @admin.display(description=_("started by"))
    def started_by(self, job: Job) -> str:
        """Return the admin, "System" for a job that no admin starts, "Not known" for an erased admin."""
        kind = queue.kinds.get(job.kind)
        is_routine = kind is not None and kind.authorize is None
        return str(job.created_by or (gettext("System") if is_routine else gettext("Not known")))

    @admin.display(description=_("duration"))
    def duration(self, job: Job) -> str:
        if job.started_at is None:
            return ""
        return describe_duration((job.finished_at or timezone.now()) - job.started_at)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context = dict(extra_context or {})
        if job := self.get_object(request, object_id):
            is_postponed = job.state == JobState.WAITING and job.next_attempt_at > timezone.now()
            context |= {
                "job": job,
                "title": get_label(job),
                "subtitle": None,
                "may_list": super().has_view_permission(request),
                "may_change": self._may_change(request, job),
                "due_at": job.next_attempt_at if is_postponed else None,
                "page": job_pages[job.kind](request, job) if job.kind in job_pages else None,
                "undoing_job": bulk_actions.find_undoing_job(job),
                "state_badge": self.state_badge(job),
                "can_undo": bulk_actions.can_undo(request, job),
                "results": _get_results(job),
                "can_retry": job.state in (JobState.FAILED, JobState.CANCELLED)
                and may_continue(job, request.user),
                # A job that gave up by itself, and not after several unexpected errors, fails again.
                "is_refused": bool(job.error) and job.attempts < queue.MAX_ATTEMPTS,
                "is_routine": job.kind in queue.kinds and queue.kinds[job.kind].interval is not None,
                **_describe_list(request, job),
                **_describe_file(job),
            }
        return super().change_view(request, object_id, form_url, context)

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the progress of a job as a fragment of its page, which a script loads every second."""
        job = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, job):
            raise PermissionDenied
        context = {"job": job, "results": _get_results(job), "state_badge": self.state_badge(job)}
        return render(request, "admin/jobs/progress.html", context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = dict(extra_context or {})
        if job := self.get_object(request, object_id):
            created_at = format_time(job.created_at)
            context["title"] = gettext("Change history: %s") % f"{get_label(job)} ({created_at})"
        return super().history_view(request, object_id, context)

    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return self._run_action(request, pk, queue.cancel, gettext_noop("The job is canceled."))

    def retry_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        def retry(job: Job) -> bool:
            if not may_continue(job, request.user):
                raise PermissionDenied
            return queue.retry(job)

        return self._run_action(request, pk, retry, gettext_noop("The job continues."))

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Enqueue the job that undoes a bulk action, and show it."""

        def undo(job: Job) -> bool:
            if not bulk_actions.can_undo(request, job):
                return False
            bulk_actions.undo(job, user=request.user)
            return True

        return self._run_action(request, pk, undo, gettext_noop("The job is being undone."))

    def _run_action(
        self, request: HttpRequest, pk: int, action: Callable[[Job], bool], done: str
    ) -> HttpResponse:
        if request.method != "POST":
            raise Http404
        with transaction.atomic():
            # Of two buttons pressed at once, the second one sees what the first one has changed.
            jobs = self.get_queryset(request).select_for_update(no_key=True)
            job = get_object_or_404(jobs, pk=pk)
            if not self._may_change(request, job):
                raise PermissionDenied
            is_done = action(job)
            if is_done:
                history.record(request.user, Job, get_label(job), done, key=job.pk)
        if is_done:
            self.message_user(request, gettext(done), messages.SUCCESS)
        else:
            self.message_user(request, _("Nothing was done: the job has changed."), messages.WARNING)
        shown = bulk_actions.find_undoing_job(job) if is_done else None
        return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[(shown or job).pk]))

    def _may_change(self, request: HttpRequest, job: Job) -> bool:
        return _is_own(request, job) or bool(request.user.has_perm("jobs.change_job"))


def _get_results(job: Job) -> list[dict[str, str]]:
    """Return what a bulk action has done so far, as messages with their levels."""
    return bulk_actions.report(job) if job.kind == bulk_actions.KIND else []


def _describe_list(request: HttpRequest, job: Job) -> dict[str, Any]:
    """Return the `filters` of the list that a job works on, in words, and the `columns` of an export.

    Return nothing if it works on no list, or on ticked rows.
    """
    if "query" not in job.arguments or "ticked" in job.arguments:
        return {}
    model_admin: Any = admin.site.get_model_admin(apps.get_model(job.arguments["model"]))
    if not model_admin.has_view_permission(request):
        return {}
    columns = {"columns": model_admin.describe_export_fields()} if _is_export(job) else {}
    listing = build_list_request(request.user, job.arguments["query"])
    try:
        return {"filters": describe_filters(model_admin.get_changelist_instance(listing)), **columns}
    except IncorrectLookupParameters:
        return columns


def _describe_file(job: Job) -> dict[str, Any]:
    """Return when the file of an export is deleted, and whether it has been."""
    if job.state != JobState.DONE or job.finished_at is None or not _is_export(job):
        return {}
    deleted_at = job.finished_at + JOB_FILE_RETENTION
    return {"deleted_at": deleted_at, "is_deleted": deleted_at <= timezone.now()}


def _is_export(job: Job) -> bool:
    return bool({"model", "file_name"} <= job.arguments.keys())


def get_label(job: Job) -> str:
    """Return the name of the job's kind in the language of the request."""
    if job.kind == bulk_actions.KIND:
        return bulk_actions.get_label(job)
    kind = queue.kinds.get(job.kind)
    return str(kind.label) if kind else job.kind


def describe_duration(duration: timedelta) -> str:
    """Return hours, minutes and seconds, such as "2 min 5 s"."""
    minutes, seconds = divmod(round(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [
        f"{number} {unit}" for number, unit in ((hours, "h"), (minutes, "min"), (seconds, "s")) if number
    ]
    return " ".join(parts) or gettext("under 1 s")


def _is_own(request: HttpRequest, job: Job | None) -> bool:
    return job is not None and job.created_by_id == request.user.pk
