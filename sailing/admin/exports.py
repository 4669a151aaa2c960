"""Export the rows of a change list as CSV or XLSX.

A short list is streamed at once. A longer one is written by a job to a file, which the admin who asked for it
downloads within a day. Both read a page of rows at a time, the newest first.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog
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
    QueryDict,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from sailing import history
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState
from sailing.jobs.permissions import REFUSED, require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.spreadsheets.writing import CHUNK_ROWS, MAX_SHEET_ROWS, WRITERS, compress, write_csv

EXPORT = "export"

MAX_STREAMED_ROWS = 50_000

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

logger = structlog.get_logger(__name__)


class ExportMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin whose change list can be exported, with the permission `export_MODEL`.

    The model has `created_at`.
    """

    export_fields: Sequence[str] = ()
    change_list_template = "admin/exports/change_list.html"

    def has_export_permission(self, request: HttpRequest) -> bool:
        permission = f"{self.opts.app_label}.export_{self.opts.model_name}"
        user: Any = request.user
        return self.has_view_permission(request) and bool(user.has_perm(permission))

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"

        def route(pattern: str, view: Any, suffix: str) -> Any:
            return path(pattern, self.admin_site.admin_view(view), name=f"{name}_{suffix}")

        return [
            route("export/", self.export_view, "export"),
            route("export/<int:job_id>/", self.export_job_view, "export_job"),
            route("export/<int:job_id>/status/", self.export_status_view, "export_status"),
            route("export/<int:job_id>/file/", self.export_file_view, "export_file"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "has_export_permission": self.has_export_permission(request)}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Ask for the format, then send the file, or start the job that writes it."""
        self._check_export_permission(request)
        try:
            rows, count = self.get_export_rows(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        if request.method == "POST":
            file_format = request.POST.get("format", "")
            if file_format not in WRITERS:
                return HttpResponseBadRequest()
            if file_format != "xlsx" or count < MAX_SHEET_ROWS:
                self._record_export(request, file_format, count)
                if count > MAX_STREAMED_ROWS:
                    return self._start_export_job(request, file_format)
                return self._stream(rows, file_format)
            messages.error(request, _too_long_for_a_sheet())
        return self._page(
            request,
            "form",
            count=count,
            is_filtered=bool(request.GET),
            is_long=count > MAX_STREAMED_ROWS,
        )

    def export_job_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Show the progress of an export, and then the link to its file."""
        job = self._get_export_job(request, job_id)
        return self._page(request, "job", job=job, is_running=job.state in UNFINISHED, file=_find_file(job))

    def export_status_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Return the part of the page that shows the progress."""
        job = self._get_export_job(request, job_id)
        context = {"job": job, "is_running": job.state in UNFINISHED}
        return TemplateResponse(request, "admin/jobs/progress.html", context)

    def export_file_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Send the file of an export."""
        job = self._get_export_job(request, job_id)
        file = _find_file(job)
        if file is None:
            raise Http404
        logger.info("export_downloaded", model=self.opts.label, admin=request.user.pk, job=job.pk)
        file_format = job.arguments["format"]
        headers = {"Content-Length": str(file.size)}
        name = file.name
        if file_format == "csv":
            if "gzip" in request.headers.get("Accept-Encoding", ""):
                headers["Content-Encoding"] = "gzip"  # the browser saves a CSV file
            else:
                name += ".gz"
        response = _attachment(files.read_chunks(file), file_format, name)
        for header, value in headers.items():
            response.headers[header] = value
        return response

    def get_export_rows(self, request: HttpRequest) -> tuple[QuerySet[Any], int]:
        """Return the rows that the list of a request shows on all its pages, and their number.

        Raises IncorrectLookupParameters.
        """
        change_list = self.get_changelist_instance(request)
        return change_list.get_queryset(request), change_list.result_count

    def _check_export_permission(self, request: HttpRequest) -> None:
        if not self.has_export_permission(request):
            raise PermissionDenied

    def _get_export_job(self, request: HttpRequest, job_id: int) -> Job:
        """Return a job of this model. Only the admin who started it and superusers may see it."""
        self._check_export_permission(request)
        job = get_object_or_404(Job, pk=job_id, kind=EXPORT, arguments__model=self.opts.label_lower)
        user: Any = request.user
        if job.created_by_id != user.pk and not user.is_superuser:
            raise PermissionDenied
        return job

    def _stream(self, rows: QuerySet[Any], file_format: str) -> StreamingHttpResponse:
        parts = WRITERS[file_format](read_rows(rows, self.export_fields))
        return _attachment(parts, file_format, _file_name(self.opts.model_name, file_format))

    def _start_export_job(self, request: HttpRequest, file_format: str) -> HttpResponseRedirect:
        job = queue.enqueue_once(
            EXPORT,
            created_by_id=request.user.pk or 0,
            model=self.opts.label_lower,
            query=request.GET.urlencode(),
            format=file_format,
        )
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_export_job"
        return HttpResponseRedirect(reverse(name, args=[job.pk]))

    def _record_export(self, request: HttpRequest, file_format: str, count: int) -> None:
        """Log an export (OWASP Logging Cheat Sheet, "Which events to log"), and add it to the history."""
        logger.info("exported", model=self.opts.label, admin=request.user.pk, format=file_format, rows=count)
        user: Any = request.user
        text = gettext_noop("Rows exported as %(format)s: %(count)d.")
        name = self.opts.verbose_name_plural
        history.record(user, self.model, name, text, count=count, format=file_format.upper())

    def _page(self, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
        request.current_app = self.admin_site.name
        title = _("Export %(name)s") % {"name": self.opts.verbose_name_plural}
        return TemplateResponse(
            request,
            f"admin/exports/{name}.html",
            {**self.admin_site.each_context(request), "opts": self.opts, "title": title, **context},
        )


def authorize(job: Job | RunningJob, user_id: int | None) -> tuple[ExportMixin, HttpRequest]:
    """Return the list that an admin exports, and a request for it. Raises JobFailed."""
    request = HttpRequest()
    request.method = "GET"
    request.GET = QueryDict(job.arguments["query"])
    request.user = require_admin(user_id)
    for model, model_admin in admin.site._registry.items():
        if model._meta.label_lower == job.arguments["model"] and isinstance(model_admin, ExportMixin):
            if not model_admin.has_export_permission(request):
                break
            return model_admin, request
    raise JobFailed(REFUSED)


@queue.register(EXPORT, label=gettext_lazy("Export of a list"), authorize=authorize)
def run_export(job: RunningJob) -> Iterator[None]:
    """Write the file of an export.

    An interrupted CSV file is continued. A workbook begins again, because an entry of a ZIP archive cannot be
    continued in the middle.
    """
    model_admin, request = authorize(job, job.created_by_id)
    rows, count = model_admin.get_export_rows(request)
    file_format = job.arguments["format"]
    if file_format == "csv":
        yield from _write_csv(job, model_admin, rows, count)
        return
    if count >= MAX_SHEET_ROWS:
        raise JobFailed(_too_long_for_a_sheet())
    with job.step(is_progress=False):
        file = _create_file(job, model_admin, count)
    yield
    written = 0

    def count_rows() -> Iterator[Sequence[str]]:
        nonlocal written
        for row in read_rows(rows, model_admin.export_fields):
            yield row
            written += 1

    for part in WRITERS[file_format](count_rows()):
        with job.step(is_progress=False):
            files.append(file, part)
            job.finished_rows = min(written, count)
        yield
    with job.step(is_progress=False):
        job.finished_rows = job.total_rows = max(0, written - 1)  # without the header
    yield


def _write_csv(job: RunningJob, model_admin: ExportMixin, rows: QuerySet[Any], count: int) -> Iterator[None]:
    """Write a compressed CSV file from the cursor, a page of rows in each step."""
    fields = model_admin.export_fields
    file = JobFile.objects.filter(job_id=job.pk).first() if job.cursor else None
    if file is None:  # or it was deleted, a day after the job had failed
        with job.step():
            file = _create_file(job, model_admin, count)
            part, state = compress(b"".join(write_csv([list(fields)])), None)
            files.append(file, part)
            job.cursor = {"gzip": state, "after": None}
        yield
    is_last = False
    while not is_last:
        with job.step():
            page, after = _read_page(rows, fields, job.cursor["after"])
            is_last = after is None
            content = b"".join(write_csv(page, has_mark=False))
            part, state = compress(content, job.cursor["gzip"], is_last=is_last)
            files.append(file, part)
            job.cursor = {"gzip": state, "after": after}
            job.finished_rows += len(page)
            job.total_rows = job.finished_rows if is_last else max(count, job.finished_rows)
        yield


def _create_file(job: RunningJob, model_admin: ExportMixin, count: int) -> JobFile:
    JobFile.objects.filter(job_id=job.pk).delete()
    name = _file_name(model_admin.opts.model_name, job.arguments["format"])
    job.finished_rows, job.total_rows = 0, count
    return JobFile.objects.create(job_id=job.pk, name=name)


def read_rows(rows: QuerySet[Any], fields: Sequence[str]) -> Iterator[list[str]]:
    """Return the header and all rows, the newest first, with few rows in memory."""
    yield list(fields)
    page, after = _read_page(rows, fields, None)
    yield from page
    while after:
        page, after = _read_page(rows, fields, after)
        yield from page


def _read_page(
    rows: QuerySet[Any], fields: Sequence[str], after: Sequence[str] | None
) -> tuple[list[list[str]], list[str] | None]:
    """Return a page of rows, the newest first, and where the next page begins; None after the last one.

    `after`: what the page before it returned, which is JSON.
    """
    ordered = rows.order_by("-created_at", "-pk")
    if after:
        at, key = after
        # The first condition alone lets the database use its index.
        ordered = ordered.filter(created_at__lte=at).filter(Q(created_at__lt=at) | Q(pk__lt=key))
    found = list(ordered.values_list("created_at", "pk", *fields)[:CHUNK_ROWS])
    page = [[_format_cell(value) for value in values] for _at, _key, *values in found]
    if len(found) < CHUNK_ROWS:
        return page, None
    at, key = found[-1][:2]
    return page, [at.isoformat(), str(key)]


def _too_long_for_a_sheet() -> str:
    text = _("An XLSX file can hold at most %(limit)d rows. Please choose CSV.")
    return text % {"limit": MAX_SHEET_ROWS - 1}


def _find_file(job: Job) -> JobFile | None:
    return job.files.first() if job.state == JobState.DONE else None


def _file_name(model_name: str | None, file_format: str) -> str:
    return f"{capfirst(model_name)}-{timezone.localdate():%Y-%m-%d}.{file_format}"


def _attachment(parts: Iterator[bytes], file_format: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        parts,
        content_type=CONTENT_TYPES[file_format],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def _format_cell(value: Any) -> str:
    """Return a stored value as text: booleans as yes and no, times in UTC (ISO 8601)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return str(value or "")
