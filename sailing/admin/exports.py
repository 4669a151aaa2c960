"""Export the rows of a change list as CSV.

A job writes the file, a page of rows at a time. The admin who asked for it downloads the file within a day,
from the page of the job.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy, gettext_noop, override
from django.utils.translation import gettext as _

from sailing import history
from sailing.admin.lists import find_model_admin
from sailing.admin.pages import PagesMixin
from sailing.csv_files import write_csv
from sailing.jobs import files, queue
from sailing.jobs.admin import job_pages
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.queue import REFUSED, JobFailed, require_admin

EXPORT = "export"

STEP_ROWS = 5000

logger = structlog.get_logger(__name__)


class ExportMixin(PagesMixin):
    """A ModelAdmin whose change list can be exported, with the permission `export_MODEL`."""

    export_fields: Sequence[str] = ()
    change_list_template = "admin/exports/change_list.html"

    def has_export_permission(self, request: HttpRequest) -> bool:
        permission = f"{self.opts.app_label}.export_{self.opts.model_name}"
        return self.has_view_permission(request) and bool(request.user.has_perm(permission))

    def get_urls(self) -> list[Any]:
        return [
            self.route("export/", self.export_view, "export"),
            self.route("export/<int:job_id>/file/", self.export_file_view, "export_file"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "has_export_permission": self.has_export_permission(request)}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Show what the file will have, then start the job that writes it."""
        self._check_export_permission(request)
        try:
            change_list = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        count = change_list.result_count
        if request.method == "POST":
            job, is_new = queue.enqueue(
                EXPORT,
                created_by_id=request.user.pk,
                total_rows=count,
                model=self.opts.label_lower,
                query=request.GET.urlencode(),
                language=get_language(),
                file_name=f"{slugify(str(self.opts.verbose_name_plural))}-{timezone.localdate():%Y-%m-%d}.csv",
            )
            if is_new:
                # OWASP Logging Cheat Sheet, "Which events to log".
                logger.info("exported", model=self.opts.label, admin=request.user.pk, rows=count)
                text = gettext_noop("Rows exported: %(count)d.")
                history.record(request.user, self.model, self.opts.verbose_name_plural, text, count=count)
            return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[job.pk]))
        return self.show_page(
            request,
            "admin/exports/form.html",
            title=_("Export %(name)s") % {"name": self.opts.verbose_name_plural},
            count=count,
        )

    def export_file_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Send the file of an export, to the admin who asked for it and to superusers."""
        self._check_export_permission(request)
        jobs = Job.objects.filter(kind=EXPORT, arguments__model=self.opts.label_lower)
        job = get_object_or_404(jobs, pk=job_id)
        if not _may_download(job, request.user):
            raise PermissionDenied
        file = _find_file(job)
        if file is None:
            raise Http404
        logger.info("export_downloaded", model=self.opts.label, admin=request.user.pk, job=job.pk)
        response = send_csv(files.read_chunks(file), file.name)
        response.headers["Content-Length"] = str(file.size)
        return response

    def get_export_rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the list of a request. Raises IncorrectLookupParameters."""
        return self.get_changelist_instance(request).get_queryset(request)

    def _check_export_permission(self, request: HttpRequest) -> None:
        if not self.has_export_permission(request):
            raise PermissionDenied


def send_csv(content: Iterator[bytes], name: str) -> StreamingHttpResponse:
    """Send a CSV file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)


def _may_download(job: Job, user: Any) -> bool:
    return bool(job.created_by_id == user.pk or user.is_superuser)


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    """Return the link to the file of an export, for its page among the jobs."""
    if not _may_download(job, request.user) or _find_file(job) is None:
        return None
    model = job.arguments["model"].replace(".", "_")
    return reverse(f"admin:{model}_export_file", args=[job.pk]), _("Download")


job_pages[EXPORT] = _get_job_page


@queue.register(EXPORT, label=gettext_lazy("Export a list"))
def run_export(job: Job) -> bool:
    """Write the next rows of an export. The cursor is the key of the last row written."""
    request = HttpRequest()
    request.user = require_admin(job)
    request.GET = QueryDict(job.arguments["query"])
    model_admin = find_model_admin(job.arguments["model"])
    if model_admin is None or not model_admin.has_export_permission(request):
        raise JobFailed(REFUSED)
    try:
        rows = model_admin.get_export_rows(request).order_by("pk")
    except IncorrectLookupParameters:
        raise JobFailed(gettext_noop("The filter of the list is no longer valid.")) from None
    # New at the start, or if it was deleted, a day after the job had failed.
    file, is_new = JobFile.objects.get_or_create(job=job, defaults={"name": job.arguments["file_name"]})
    if is_new:
        job.cursor, job.finished_rows = None, 0
    fields = model_admin.export_fields
    found = list(
        (rows.filter(pk__gt=job.cursor) if job.cursor else rows).values_list("pk", *fields)[:STEP_ROWS]
    )
    page = [[_format_cell(value) for value in values] for _key, *values in found]
    with override(job.arguments["language"]):
        files.append(file, write_csv([fields, *page] if is_new else page, has_mark=is_new))
    job.finished_rows += len(page)
    if len(page) == STEP_ROWS:
        job.cursor = str(found[-1][0])
        return True
    job.total_rows = job.finished_rows
    del job.arguments["query"]  # it may hold an address, which an erasure would not find
    return False


def _find_file(job: Job) -> JobFile | None:
    return job.files.first() if job.state == JobState.DONE else None


def _format_cell(value: Any) -> str:
    """Return a stored value as text: booleans as yes and no, times in UTC (ISO 8601)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return str(value or "")
