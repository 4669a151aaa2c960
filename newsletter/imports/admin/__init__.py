"""Imports in Django admin: choose a file, say what its columns mean, see what will happen, import, undo."""

import csv
import io
from itertools import islice, zip_longest
from operator import itemgetter
from typing import Any

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.admin.filters import has_import_permission
from newsletter.imports import services
from newsletter.imports.admin.forms import ChooseFileForm, ColumnsForm, SlicedFileForm
from newsletter.imports.jobs import CONFIRM_PERMISSION
from newsletter.imports.models import ImportBatch, Outcome, count
from newsletter.imports.reading import UnreadableFile, detect_encoding, open_rows
from newsletter.imports.rows import Plan
from newsletter.imports.vocabulary import LeftOutReason, Role
from newsletter.models import AUDIENCES, State, Subscription
from sailing.admin.exports import send_csv
from sailing.admin.lists import render_badge
from sailing.admin.pages import ReadOnlyMixin, SailingModelAdmin
from sailing.jobs import files
from sailing.jobs.admin import BADGES, job_pages, may_change
from sailing.jobs.models import Job, JobFile, JobState

SHOWN_ROWS = 20
"""The first rows, which the columns are guessed by, and of those that were left out."""

logger = structlog.get_logger(__name__)


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnlyMixin, SailingModelAdmin):
    """The imports. All pages need the permission to import."""

    list_display = ("file_name", "created_at", "created_by", "result", "state_badge")
    list_select_related = ("job", "created_by")
    search_fields = ("file_name", "origin")
    search_help_text = gettext_lazy("File name or origin")
    change_form_template = "admin/newsletter/imports/batch.html"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_import_permission(request)

    def has_undo_permission(self, request: HttpRequest, batch: ImportBatch) -> bool:
        """Return whether the admin may undo an import: an own one, or with the permission to erase."""
        is_own = batch.created_by_id == request.user.pk
        return is_own or request.user.has_perm("newsletter.delete_subscription")

    @admin.display(description=gettext_lazy("result"))
    def result(self, batch: ImportBatch) -> str:
        added = _("%(count)d added") % {"count": batch.added_count}
        left_out = _("%(count)d left out") % {"count": count(batch.counts, LeftOutReason)}
        return f"{added} · {left_out}"

    @admin.display(description=gettext_lazy("state"))
    def state_badge(self, batch: ImportBatch) -> str:
        if batch.undone_at:
            return render_badge("off", _("Undone"))
        state = JobState(batch.job.state) if batch.job else JobState.DONE  # its job has been deleted since
        return render_badge(BADGES.get(state, "waiting"), state.label)

    def get_urls(self) -> list[Any]:
        needs_permission = permission_required("newsletter.add_subscription", raise_exception=True)
        pages = (
            ("import/", self.import_view, "import"),
            ("import/<int:file_id>/", self.columns_view, "import_columns"),
            ("import/<int:file_id>/slices/<int:number>/", self.slice_view, "import_slice"),
            ("import/totals/<int:job_id>/", self.totals_view, "import_totals"),
            ("bad-rows/<int:job_id>/", self.bad_rows_view, "bad_rows"),
            ("<int:batch_id>/undo/", self.undo_view, "undo"),
        )
        own = [self.route(pattern, needs_permission(view), name) for pattern, view, name in pages]
        return own + super().get_urls()

    def import_view(self, request: HttpRequest) -> HttpResponseBase:
        """Choose a file. A form contains it; a script announces it, and then sends it in slices."""
        if "size" in request.POST:
            return self._announce(request)
        form = ChooseFileForm(request.POST, request.FILES) if request.method == "POST" else ChooseFileForm()
        if not form.is_valid():
            return self._show(request, "choose", form=form)
        chosen, admin_pk = form.cleaned_data["file"], request.user.pk or 0
        file = files.store_upload(chosen, name=chosen.name, size=chosen.size, created_by_id=admin_pk)
        return self.redirect("import_columns", file.pk)

    def _announce(self, request: HttpRequest) -> JsonResponse:
        """Return the page after the upload of a file, or a problem. The slices go to addresses below it."""
        form = SlicedFileForm(request.POST)
        if not form.is_valid():
            problems = [str(message) for field in form.errors.values() for message in field]
            return JsonResponse({"problem": " ".join(problems)}, status=400)
        file = files.create_upload(**form.cleaned_data, created_by_id=request.user.pk or 0)
        return JsonResponse({"next": self.get_url("import_columns", file.pk)})

    def slice_view(self, request: HttpRequest, file_id: int, number: int) -> HttpResponse:
        """Store one slice of a file. The script repeats a slice that failed."""
        file = _get_upload(request, file_id)
        is_expected = request.method == "POST" and file.job is None
        is_stored = is_expected and files.store_slice(file, number, request.body)
        return HttpResponse(status=204 if is_stored else 400)

    def columns_view(self, request: HttpRequest, file_id: int) -> HttpResponseBase:
        """Say what the columns mean, and how the file is encoded if that is not certain."""
        file = _get_upload(request, file_id)
        arguments = file.job.arguments if file.job else {}
        if "batch" in arguments:
            return self.redirect("change", arguments["batch"])
        if not files.is_complete(file):
            messages.error(request, _("The file did not arrive completely. Please choose it again."))
            return self.redirect("import")
        try:
            text = detect_encoding(file)
            chosen = arguments.get("plan", {}) | request.GET.dict() | request.POST.dict()
            encoding = chosen["encoding"] if chosen.get("encoding") in text.choices else text.encoding
            with open_rows(file, encoding) as stored_rows:
                rows = [stored_rows.header, *islice(stored_rows, SHOWN_ROWS)]
            if len(rows) < 2:
                raise UnreadableFile(_("The file has column names, but no rows below them."))
            form = ColumnsForm(
                request.POST or None,
                rows=rows,
                name=file.name,
                may_confirm=request.user.has_perm(CONFIRM_PERMISSION),
                initial=arguments.get("choices"),
            )
            if form.is_valid():
                job = services.check(file=file, **form.get_arguments(encoding, stored_rows.delimiter))
                return self.redirect("import_totals", job.pk)
        except UnreadableFile as error:
            file.delete()
            messages.error(request, str(error))
            return self.redirect("import")
        except files.DELETED:  # discarded or imported in another tab
            raise Http404 from None
        return self._show(request, "columns", form=form, file=file, text=text, encoding=encoding)

    def totals_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Show what an import would do to the admin who uploaded its file; start it by POST."""
        job = get_object_or_404(Job, pk=job_id, kind=services.CHECK, created_by=request.user.pk)
        if request.method != "POST":
            plan = job.arguments["plan"]
            return self._show(
                request,
                "totals",
                source=services.build_batch(job),
                audience=dict(AUDIENCES).get(plan["user_type"]),
                language=dict(settings.LANGUAGES)[plan["language"]],
                **_describe(request, job, job, job.result.get("counts", {})),
            )
        try:
            batch, is_new = services.start(checked=job)
        except JobFile.DoesNotExist:
            messages.error(request, _("This check is out of date. Please import the file again."))
            return self.redirect("import")
        if is_new:
            is_confirmed = batch.consent_date is not None
            logger.info("import_started", admin=request.user.pk, batch=batch.pk, is_confirmed=is_confirmed)
            entry = gettext_noop("Imported as confirmed.") if is_confirmed else gettext_noop("Imported.")
            self.log_addition(request, batch, entry)
        return self.redirect("change", batch.pk)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show what came of a file, and what can be done with its subscribers."""
        obj = kwargs["obj"]
        undo = Job.objects.filter(kind=services.UNDO, arguments__batch=obj.pk).last()
        is_undoable = obj.added_count > 0 and not obj.undone_at and not obj.is_running
        context |= {
            "title": obj.file_name,
            "subtitle": None,
            "batch": obj,
            "waiting_count": Subscription.objects.filter(import_batch=obj).in_state(State.PENDING).count(),
            "can_undo": is_undoable and self.has_undo_permission(request, obj),
            **_describe(request, undo or obj.job, obj.job, obj.counts),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def bad_rows_view(self, request: HttpRequest, job_id: int) -> HttpResponseBase:
        """Send the file of the rows that are left out. Before an import, only its admin gets it."""
        job = get_object_or_404(Job, pk=job_id, kind__in=(services.CHECK, services.IMPORT))
        file = _find_bad_rows(job)
        if file is None or (job.kind == services.CHECK and job.created_by_id != request.user.pk):
            raise Http404
        return send_csv(files.read_chunks(file), file.name)

    def undo_view(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        batch = get_object_or_404(ImportBatch, pk=batch_id)
        if not self.has_undo_permission(request, batch):
            raise PermissionDenied
        if request.method == "POST" and services.undo(batch=batch, created_by_id=request.user.pk or 0):
            logger.info("import_undone", admin=request.user.pk, batch=batch.pk)
            self.log_change(request, batch, gettext_noop("Undone."))
            messages.success(request, _("The subscribers of this import are being removed."))
        return self.redirect("change", batch.pk)

    def _show(self, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
        template = f"admin/newsletter/imports/{name}.html"
        return self.show_page(request, template, title=_("Import subscribers"), **context)


def _get_upload(request: HttpRequest, file_id: int) -> JobFile:
    """Return an uploaded file, which only the admin who uploads it may see."""
    return get_object_or_404(JobFile, pk=file_id, created_by=request.user.pk)


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    """Return the page of the import that a job is about: before it, of its totals, for their admin."""
    is_check = job.kind == services.CHECK
    if not has_import_permission(request) or (is_check and job.created_by_id != request.user.pk):
        return None
    name, key = ("import_totals", job.pk) if is_check else ("change", job.arguments["batch"])
    return reverse(f"admin:imports_importbatch_{name}", args=[key]), _("Open the import")


job_pages.update(dict.fromkeys((services.CHECK, services.IMPORT, services.UNDO), _get_job_page))


def _describe(
    request: HttpRequest, job: Job | None, source: Job | None, counts: dict[str, int]
) -> dict[str, Any]:
    """Return what a page shows of a job, of the counts, and of the rows that `source` has left out."""
    left_out = [(reason.label, counts[reason]) for reason in LeftOutReason if reason in counts]
    always = (Outcome.WAITING, Outcome.KNOWN)
    bad_rows = _find_bad_rows(source)
    return {
        "job": job,
        "may_change_job": may_change(request, job),
        "row_count": sum(counts.values()),
        "counts": [(name.label, counts.get(name, 0)) for name in Outcome if name in always or name in counts],
        "left_out_count": count(counts, LeftOutReason),
        "reasons": sorted(left_out, key=itemgetter(1), reverse=True),
        "bad_rows": bad_rows,
        **(_read_start(bad_rows, Plan(**source.arguments["plan"])) if source and bad_rows else {}),
    }


def _find_bad_rows(job: Job | None) -> JobFile | None:
    return JobFile.objects.filter(pk=job.result.get("bad_rows", 0)).first() if job else None


def _read_start(bad_rows: JobFile, plan: Plan) -> dict[str, Any]:
    """Return the header and the first rows of a file of bad rows; nothing if they cannot be read."""
    try:
        start = next(files.read_chunks(bad_rows))
        text = start[: start.rfind(b"\n") + 1].decode("utf-8-sig")  # whole rows
        header, *rows = islice(csv.reader(io.StringIO(text), delimiter=plan.delimiter), SHOWN_ROWS + 1)
    except (csv.Error, *files.DELETED):
        return {}
    table = [list(zip_longest(header, row, fillvalue="")) for row in rows]
    return {"header": header, "table": table, "email_column": 1 + plan.columns[Role.EMAIL]}
