"""The pages of an import that has not been started: choose a file, match its columns.

The browser uploads the file in slices. Without JavaScript a small file comes as a plain form.
"""

from functools import wraps
from itertools import repeat, zip_longest
from typing import Any
from urllib.parse import urlencode

import structlog
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from newsletter.admin.filters import has_import_permission
from newsletter.imports import services, uploads
from newsletter.imports.admin.forms import ChooseFileForm, ConsentForm, MappingForm, SlicedFileForm
from newsletter.imports.rows import LABELS, guess_mapping, name_columns
from sailing.admin.lists import StrictListMixin
from sailing.admin.read_only import ReadOnlyMixin
from sailing.admin.uploads import announce, get_upload, store_slice
from sailing.jobs import files
from sailing.jobs.models import UNFINISHED, Job, JobFile
from sailing.spreadsheets import UnreadableFile

PREVIEW_ROWS = 20
TEMPLATES = "admin/newsletter/imports"

logger = structlog.get_logger(__name__)


class UploadPages(ReadOnlyMixin, StrictListMixin):
    """The admin of imports, with the pages of an import that has not been started.

    All pages need the permission to import.
    """

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_import_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_import_permission(request)

    def has_confirm_permission(self, request: HttpRequest) -> bool:
        """Return whether the admin may import people as confirmed, without asking them."""
        return request.user.has_perm(uploads.CONFIRM_PERMISSION)

    def route(self, pattern: str, view: Any, name: str) -> Any:
        """Return the route to a page of this admin."""

        @wraps(view)
        def check_permission(request: HttpRequest, **arguments: Any) -> Any:
            if not has_import_permission(request):
                raise PermissionDenied
            return view(request, **arguments)

        return super().route(pattern, check_permission, name)

    def get_urls(self) -> list[Any]:
        return [
            self.route("import/", self.import_view, "import"),
            self.route("import/<int:file_id>/", self.mapping_view, "import_mapping"),
            self.route("import/<int:file_id>/totals/<int:job_id>/", self.totals_view, "import_totals"),
            self.route("import/<int:file_id>/slices/<int:number>/", store_slice, "import_slice"),
            *super().get_urls(),
        ]

    def import_view(self, request: HttpRequest) -> HttpResponseBase:
        """Choose a file. The script announces it (JSON) and uploads its slices; a form contains it."""
        if request.method != "POST":
            return self._import_page(request, "choose", form=ChooseFileForm())
        if "size" in request.POST:
            return announce(
                request,
                SlicedFileForm(request.POST),
                slice_url="admin:imports_importbatch_import_slice",
                next_url="admin:imports_importbatch_import_mapping",
            )
        form = ChooseFileForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._import_page(request, "choose", form=form)
        content = form.cleaned_data["file"].read()
        name = form.cleaned_data["file"].name
        file = files.create_upload(name=name, size=len(content), created_by_id=request.user.pk or 0)
        for number, start in enumerate(range(0, len(content), files.CHUNK_BYTES)):
            files.store_slice(file, number, content[start : start + files.CHUNK_BYTES])
        return self.redirect("import_mapping", file.pk)

    def mapping_view(self, request: HttpRequest, file_id: int) -> HttpResponseBase:
        """Match the columns and show what will happen to the first rows; start the import by POST."""
        file = get_upload(request, file_id)
        if file.job_id:
            return self._start(request, file, {})
        if "preview" in request.POST:
            return _show_choice(request, file)
        if not files.is_complete(file):
            messages.error(request, _("The file did not arrive completely. Please choose it again."))
            return self.redirect("import")
        try:
            reading = uploads.request_reading(file)
            if reading is None or reading.state in UNFINISHED:
                return self._import_page(request, "reading", file=file)
            if "source" not in reading.result:
                raise UnreadableFile(reading.result.get("problem") or _("The file could not be read."))
            header, *rows = uploads.read_start(reading.result, PREVIEW_ROWS)
        except UnreadableFile as error:
            uploads.discard(file)
            messages.error(request, str(error))
            return self.redirect("import")
        except files.DELETED:  # discarded in another tab
            raise Http404 from None
        guess = guess_mapping(header, rows)
        form = MappingForm(header, file.name, request.POST or request.GET or None, initial=guess)
        documentation = request.POST or request.session.get(_get_consent_key(file))
        consent = (
            ConsentForm(documentation, label_suffix="") if self.has_confirm_permission(request) else None
        )
        if request.method == "POST" and form.is_valid() and (consent is None or consent.is_valid()):
            documented = consent.get_consent() if consent else None
            return self._start(request, file, form.get_mapping(), documented)
        mapping = form.get_mapping()
        is_complete = bool(mapping["email"] and mapping["user_type"]) and not (form.errors.keys() & LABELS)
        job = services.request_totals(file=file, mapping=mapping) if is_complete else None
        names = name_columns(header)
        checked = services.preview(rows, mapping, header) if is_complete else repeat(None)
        return self._import_page(
            request,
            "mapping",
            form=form,
            consent=consent,
            file=file,
            header=names,
            row_count=reading.result["format"]["row_count"],
            has_preview=is_complete,
            table=[
                (row, list(zip_longest(names, cells, fillvalue="")))
                for row, cells in zip(checked, rows, strict=False)
            ],
            **_describe_totals(job),
        )

    def totals_view(self, request: HttpRequest, file_id: int, job_id: int) -> HttpResponse:
        """Return the part of the page that shows the totals."""
        file = get_upload(request, file_id)
        job = get_object_or_404(Job, pk=job_id, kind=uploads.CHECK, arguments__file=file.pk)
        context = {"may_confirm": self.has_confirm_permission(request), **_describe_totals(job)}
        return TemplateResponse(request, f"{TEMPLATES}/totals.html", context)

    def _start(
        self,
        request: HttpRequest,
        file: JobFile,
        mapping: dict[str, Any],
        consent: dict[str, Any] | None = None,
    ) -> HttpResponseBase:
        try:
            batch, is_new = services.start(file=file, mapping=mapping, consent=consent)
        except JobFile.DoesNotExist:
            raise Http404 from None
        request.session.pop(_get_consent_key(file), None)
        if is_new:
            logger.info(
                "import_started", admin=request.user.pk, batch=batch.pk, is_confirmed=consent is not None
            )
            entry = gettext_noop("Imported as confirmed.") if consent else gettext_noop("Imported.")
            self.log_addition(request, batch, entry)
        return self.redirect("change", batch.pk)

    def _import_page(self, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
        return self.show_page(
            request,
            f"{TEMPLATES}/{name}.html",
            title=_("Import subscribers"),
            may_confirm=self.has_confirm_permission(request),
            **context,
        )


def _show_choice(request: HttpRequest, file: JobFile) -> HttpResponseRedirect:
    """Show the page with the chosen columns, which are in its address. What proves a consent is not."""
    names = (*LABELS, "other_language", "nobody_left")
    chosen = {name: request.POST[name] for name in names if name in request.POST}
    consent = {name: request.POST[name] for name in ConsentForm.base_fields if name in request.POST}
    request.session[_get_consent_key(file)] = consent
    return HttpResponseRedirect(f"{request.path}?{urlencode(chosen)}")


def _get_consent_key(file: JobFile) -> str:
    """Return where the session keeps the documentation of a consent until the import starts."""
    return f"import_consent {file.pk}"


def _describe_totals(job: Job | None) -> dict[str, Any]:
    """Return what the page shows of the job that counts all rows."""
    return {"job": job, "totals": job and job.result.get("totals")}
