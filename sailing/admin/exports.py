"""Export the rows of a change list as CSV or XLSX.

A job writes the file, a page of rows at a time. The admin who asked for it downloads the file within a day,
from the page of the job.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

import structlog
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from sailing import history
from sailing.admin.lists import build_list_request, describe_filters
from sailing.admin.pages import PagesMixin
from sailing.jobs import files, queue
from sailing.jobs.admin import job_pages
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.permissions import REFUSED, require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.spreadsheets.writing import CHUNK_ROWS, MAX_SHEET_ROWS, write_csv, write_xlsx

EXPORT = "export"

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

logger = structlog.get_logger(__name__)


class ExportMixin(PagesMixin):
    """A ModelAdmin whose change list can be exported, with the permission `export_MODEL`.

    `export_order`: columns that are never empty; rows that are equal in them come by their keys, downwards.
    `export_labels`: what admins call the exported values that are no fields.
    """

    export_fields: Sequence[str] = ()
    export_order: Sequence[str] = ("-created_at",)
    export_labels: ClassVar[Mapping[str, Any]] = {}
    change_list_template = "admin/exports/change_list.html"

    def has_export_permission(self, request: HttpRequest) -> bool:
        permission = f"{self.opts.app_label}.export_{self.opts.model_name}"
        user: Any = request.user
        return self.has_view_permission(request) and bool(user.has_perm(permission))

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
        """Ask for the format, then start the job that writes the file."""
        self._check_export_permission(request)
        try:
            change_list = self.get_changelist_instance(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        count = change_list.result_count
        if request.method == "POST":
            file_format = request.POST.get("format", "")
            if file_format not in CONTENT_TYPES:
                return HttpResponseBadRequest()
            if file_format != "xlsx" or count <= MAX_SHEET_ROWS:
                job, is_new = queue.enqueue_once(
                    EXPORT,
                    created_by_id=request.user.pk or 0,
                    model=self.opts.label_lower,
                    query=request.GET.urlencode(),
                    format=file_format,
                    file_name=f"{self.get_export_name(request)}-{timezone.localdate():%Y-%m-%d}.{file_format}",
                )
                if is_new:
                    self._record_export(request, file_format, count)
                return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[job.pk]))
            messages.error(request, _too_long_for_a_sheet())
        return self.show_page(
            request,
            "admin/exports/form.html",
            title=_("Export %(name)s") % {"name": self.opts.verbose_name_plural},
            count=count,
            filters=describe_filters(change_list),
            columns=self.describe_export_fields(),
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
        headers = {
            "Content-Length": str(file.size),
            "Content-Disposition": f'attachment; filename="{file.name}"',
            "Cache-Control": "no-store",
        }
        content_type = CONTENT_TYPES[job.arguments["format"]]
        return StreamingHttpResponse(files.read_chunks(file), content_type=content_type, headers=headers)

    def get_export_rows(self, request: HttpRequest) -> tuple[QuerySet[Any], int]:
        """Return the rows that the list of a request shows on all its pages, and their number.

        Raises IncorrectLookupParameters.
        """
        change_list = self.get_changelist_instance(request)
        return change_list.get_queryset(request), change_list.result_count

    def describe_export_fields(self) -> list[str]:
        """Return what admins call the columns of an export."""
        labels = {field.name: field.verbose_name for field in self.opts.fields} | dict(self.export_labels)
        return [str(labels[name]) for name in self.export_fields]

    def get_export_name(self, request: HttpRequest) -> str:
        """Return the name of the file, without the day, in the language of the request."""
        return slugify(str(self.opts.verbose_name_plural))

    def _check_export_permission(self, request: HttpRequest) -> None:
        if not self.has_export_permission(request):
            raise PermissionDenied

    def _record_export(self, request: HttpRequest, file_format: str, count: int) -> None:
        """Log an export (OWASP Logging Cheat Sheet, "Which events to log"), and add it to the history."""
        logger.info("exported", model=self.opts.label, admin=request.user.pk, format=file_format, rows=count)
        user: Any = request.user
        text = gettext_noop("Rows exported as %(format)s: %(count)d.")
        name = self.opts.verbose_name_plural
        history.record(user, self.model, name, text, count=count, format=file_format.upper())


def send_csv(content: Iterator[bytes], name: str) -> StreamingHttpResponse:
    """Send a short CSV file at once, without a job."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(content, content_type=CONTENT_TYPES["csv"], headers=headers)


def _may_download(job: Job, user: Any) -> bool:
    return bool(job.created_by_id == user.pk or user.is_superuser)


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    """Return the link to the file of an export, for its page among the jobs."""
    if not _may_download(job, request.user) or _find_file(job) is None:
        return None
    model = job.arguments["model"].replace(".", "_")
    return reverse(f"admin:{model}_export_file", args=[job.pk]), _("Download")


job_pages[EXPORT] = _get_job_page


def authorize(job: Job | RunningJob, user_id: int | None) -> tuple[ExportMixin, HttpRequest]:
    """Return the list that an admin exports, and a request for it. Raises JobFailed."""
    request = build_list_request(require_admin(user_id), job.arguments["query"])
    model_admin: Any = admin.site.get_model_admin(apps.get_model(job.arguments["model"]))
    if not model_admin.has_export_permission(request):
        raise JobFailed(REFUSED)
    return model_admin, request


@queue.register(EXPORT, label=gettext_lazy("Export a list"), authorize=authorize)
def run_export(job: RunningJob) -> Iterator[None]:
    """Write the file of an export.

    An interrupted CSV file is continued. A workbook begins again, because an entry of a ZIP archive cannot be
    continued in the middle.
    """
    model_admin, request = authorize(job, job.created_by_id)
    try:
        rows, count = model_admin.get_export_rows(request)
    except IncorrectLookupParameters:
        raise JobFailed(gettext_noop("The filter of the list is no longer valid.")) from None
    file_format = job.arguments["format"]
    if file_format == "csv":
        yield from _write_csv(job, model_admin, rows, count)
        return
    if count > MAX_SHEET_ROWS:
        raise JobFailed(_too_long_for_a_sheet())
    with job.step(is_progress=False):
        file = _create_file(job, count)
    yield
    written = 0

    def count_rows() -> Iterator[Sequence[str]]:
        nonlocal written
        for row in read_rows(rows, model_admin.export_fields, model_admin.export_order):
            yield row
            written += 1

    for part in write_xlsx(count_rows()):
        with job.step(is_progress=False):
            files.append(file, part)
            job.finished_rows = min(written, count)
        yield
    with job.step(is_progress=False):
        job.finished_rows = job.total_rows = max(0, written - 1)  # without the header
    yield


def _write_csv(job: RunningJob, model_admin: ExportMixin, rows: QuerySet[Any], count: int) -> Iterator[None]:
    """Write a CSV file from the cursor, which is the last row, a page of rows in each step."""
    fields = model_admin.export_fields
    file = JobFile.objects.filter(job_id=job.pk).first() if job.cursor else None
    if file is None:  # or it was deleted, a day after the job had failed
        job.cursor = None
    is_last = False
    while not is_last:
        with job.step():
            page, after = _read_page(rows, fields, model_admin.export_order, job.cursor)
            is_last = after is None
            if file is None:
                file = _create_file(job, count)
                content = write_csv([list(fields), *page])
            else:
                content = write_csv(page, has_mark=False)
            files.append(file, b"".join(content))
            job.cursor = after
            job.finished_rows += len(page)
            job.total_rows = job.finished_rows if is_last else max(count, job.finished_rows)
        yield


def _create_file(job: RunningJob, count: int) -> JobFile:
    JobFile.objects.filter(job_id=job.pk).delete()
    job.finished_rows, job.total_rows = 0, count
    return JobFile.objects.create(job_id=job.pk, name=job.arguments["file_name"])


def read_rows(rows: QuerySet[Any], fields: Sequence[str], order: Sequence[str]) -> Iterator[list[str]]:
    """Return the header and all rows in an order, with few rows in memory."""
    yield list(fields)
    page, after = _read_page(rows, fields, order, None)
    yield from page
    while after:
        page, after = _read_page(rows, fields, order, after)
        yield from page


def _read_page(
    rows: QuerySet[Any], fields: Sequence[str], order: Sequence[str], after: Sequence[str] | None
) -> tuple[list[list[str]], list[str] | None]:
    """Return a page of rows, and where the next page begins; None after the last one.

    `after`: what the page before it returned, which is JSON.
    """
    order = [*order, "-pk"]
    ordered = rows.order_by(*order)
    if after:
        ordered = ordered.filter(_is_after(order, after))
    names = [name.removeprefix("-") for name in order]
    found = list(ordered.values_list(*names, *fields)[:CHUNK_ROWS])
    page = [[_format_cell(value) for value in values[len(names) :]] for values in found]
    if len(found) < CHUNK_ROWS:
        return page, None
    return page, [str(value) for value in found[-1][: len(names)]]


def _is_after(order: Sequence[str], values: Sequence[str]) -> Q:
    """Return the condition of the rows that come after one with some values of the columns of an order."""
    name, lookup = order[0].removeprefix("-"), "lt" if order[0].startswith("-") else "gt"
    beyond = Q((f"{name}__{lookup}", values[0]))
    if len(order) == 1:
        return beyond
    # The first condition alone lets the database use its index.
    return Q((f"{name}__{lookup}e", values[0])) & (beyond | _is_after(order[1:], values[1:]))


def _too_long_for_a_sheet() -> str:
    text = _("An XLSX file can hold at most %(limit)d rows. Please choose CSV.")
    return text % {"limit": MAX_SHEET_ROWS}


def _find_file(job: Job) -> JobFile | None:
    return job.files.first() if job.state == JobState.DONE else None


def _format_cell(value: Any) -> str:
    """Return a stored value as text: booleans as yes and no, times in UTC (ISO 8601)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return str(value or "")
