"""Export the rows of a change list as CSV: a job writes the file, which its page offers for a day."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy, gettext_noop, override
from django.utils.translation import gettext as _

from sailing import history
from sailing.admin.lists import find_model_admin
from sailing.admin.pages import SailingModelAdmin
from sailing.csv_files import write_csv
from sailing.jobs import files, queue
from sailing.jobs.admin import job_pages
from sailing.jobs.models import Job, JobFile, JobState

EXPORT = "export"
STEP_ROWS = 5000

logger = structlog.get_logger(__name__)


class UnreadChangeList(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        """Leave the rows and their number to the job."""


class ExportMixin(SailingModelAdmin):
    """A ModelAdmin whose change list can be exported, with the permission `export_MODEL`."""

    export_fields: Sequence[str] = ()

    @property
    def export_permission(self) -> str:
        return f"{self.opts.app_label}.export_{self.opts.model_name}"

    def get_urls(self) -> list[Any]:
        needs_permission = permission_required(self.export_permission, raise_exception=True)
        return [
            self.route("export/", needs_permission(self.export_view), "export"),
            self.route("export/<int:job_id>/file/", needs_permission(self.export_file_view), "export_file"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        context = {"has_export_permission": request.user.has_perm(self.export_permission)}
        return super().changelist_view(request, context)

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Show what the file will have, then start the job that writes it."""
        count = self.get_changelist_instance(request).result_count
        name = self.opts.verbose_name_plural
        if request.method != "POST":
            title = _("Export %(name)s") % {"name": name}
            return self.show_page(request, "admin/exports/form.html", title=title, count=count)
        job, is_new = queue.enqueue(
            EXPORT,
            created_by_id=request.user.pk,
            total_rows=count,
            model=self.opts.label_lower,
            query=request.GET.urlencode(),
            language=get_language(),
            file_name=f"{slugify(str(name))}-{timezone.localdate():%Y-%m-%d}.csv",
        )
        if is_new:  # OWASP Logging Cheat Sheet, "Which events to log"
            logger.info("exported", model=self.opts.label, admin=request.user.pk, rows=count)
            text = gettext_noop("Rows exported: %(count)s.")
            history.record(request.user, self.model, name, text, count=count)
        return redirect("admin:jobs_job_change", job.pk)

    def export_file_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        found = _find_files(request).filter(job__arguments__model=self.opts.label_lower)
        file = get_object_or_404(found, job=job_id)
        logger.info("export_downloaded", model=self.opts.label, admin=request.user.pk, job=job_id)
        response = send_csv(files.read_chunks(file), file.name)
        response.headers["Content-Length"] = str(file.size)
        return response

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ChangeList if request.path else UnreadChangeList  # that of a job has no path

    def get_export_rows(self, request: HttpRequest) -> QuerySet[Any]:
        return self.get_changelist_instance(request).get_queryset(request)


def send_csv(content: Iterator[bytes], name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)


def _find_files(request: HttpRequest) -> QuerySet[JobFile]:
    """Return the finished files that an admin may have: those asked for, or all as a superuser."""
    found = JobFile.objects.filter(job__kind=EXPORT, job__state=JobState.DONE)
    return found if request.user.is_superuser else found.filter(job__created_by=request.user.pk)


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    if not _find_files(request).filter(job=job).exists():
        return None
    model = job.arguments["model"].replace(".", "_")
    return reverse(f"admin:{model}_export_file", args=[job.pk]), _("Download")


job_pages[EXPORT] = _get_job_page


@queue.register(EXPORT, label=gettext_lazy("Export a list"))
def run_export(job: Job) -> bool:
    """Write the next rows of an export. The cursor is the key of the last row written."""
    model_admin = find_model_admin(job.arguments["model"])
    if model_admin is None:
        raise queue.JobFailed(queue.REFUSED)
    request = HttpRequest()
    request.user = queue.require_admin(job, model_admin.export_permission)
    request.GET = QueryDict(job.arguments["query"])
    # New at the start, or if it was deleted, a day after the job had failed.
    file, is_new = JobFile.objects.get_or_create(job=job, defaults={"name": job.arguments["file_name"]})
    if is_new:
        job.cursor, job.finished_rows = None, 0
    fields = model_admin.export_fields
    try:
        rows = model_admin.get_export_rows(request).order_by("pk").values_list("pk", *fields)
    except (IncorrectLookupParameters, Http404):
        raise queue.JobFailed(gettext_noop("The filter of the list is no longer valid.")) from None
    found = list((rows.filter(pk__gt=job.cursor) if job.cursor else rows)[:STEP_ROWS])
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


def _format_cell(value: Any) -> str:
    """Return a stored value as text: booleans as yes and no, times in UTC (ISO 8601)."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return str(value or "")
