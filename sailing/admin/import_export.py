"""Import and export in Django admin, by django-import-export.

An import first shows a preview (the library's dry run). Confirmed, it runs in one transaction, including
its entries in the admin history. Between the two steps the file is stored in Django's cache, a table of the
database, because another process may handle the second step.
"""

from datetime import UTC, datetime
from typing import Any

import structlog
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from import_export import admin as library
from import_export.forms import ConfirmImportForm, ExportForm, ImportForm
from import_export.resources import ModelResource
from import_export.results import Result
from import_export.tmp_storages import CacheStorage

from sailing.admin.formats import CHUNK_SIZE, Rows, SpreadsheetCSV, StreamedJSON

logger = structlog.get_logger(__name__)


class FileExpired(Exception):
    """The file of an import is no longer stored: it was imported, or its time is over."""


class ImportFileStorage(CacheStorage):
    """Store a file for an hour, or until it is imported."""

    CACHE_LIFETIME = 3600

    def read(self) -> bytes:
        data: bytes | None = super().read()
        if data is None:
            raise FileExpired
        return data


def purge_expired_files() -> bool:
    """Delete the expired files, which hold addresses. Return False: none is left (`sailing.retention`).

    Django's database cache deletes expired rows only once it is full.
    """
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608 - a setting
    return False


class ChooseFileForm(ImportForm):
    """The first step. FILE_UPLOAD_HANDLERS drops too large files, so the error names the limit."""

    import_file = forms.FileField(
        label=gettext_lazy("File to import"),
        error_messages={"required": gettext_lazy("Choose a file of at most 2.5 MB.")},
    )


class ConfirmForm(ConfirmImportForm):
    """The hidden fields of the second step. The format is an index of the list of formats."""

    format = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=1)


class RowExport(ModelResource):
    """Stored values: booleans as yes and no, times in UTC (ISO 8601)."""

    def export(self, queryset: QuerySet[Any], **kwargs: Any) -> Rows:
        # The library's own export takes five times as long and holds all rows in memory.
        rows = queryset.values_list(*self._meta.fields).iterator(chunk_size=CHUNK_SIZE)
        return Rows(self._meta.fields, ([_format_cell(value) for value in row] for row in rows))


class StreamingExportMixin(library.ExportMixin):
    """Overrides a private method of the library, which has no public hook for a streamed response.

    The response takes as little memory for a million rows as for one. Each export is logged (OWASP Logging
    Cheat Sheet, "Which events to log").
    """

    def _do_file_export(
        self, file_format: Any, request: HttpRequest, queryset: Any, export_form: Any = None
    ) -> StreamingHttpResponse:
        content = self.get_export_data(file_format, request, queryset, export_form=export_form)
        logger.info("exported", model=self.opts.label, admin=request.user.pk, format=file_format.get_title())
        name = self.get_export_filename(request, queryset, file_format)
        return StreamingHttpResponse(
            content,
            content_type=file_format.get_content_type(),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


class ExportMixin(StreamingExportMixin):
    """A ModelAdmin with a button to export CSV and JSON, which needs the permission to view."""

    formats = [SpreadsheetCSV, StreamedJSON]
    export_form_class = ExportForm  # the default needs inline script and style

    def export_action(self, request: HttpRequest) -> HttpResponseBase:
        try:
            response: HttpResponseBase = super().export_action(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return response


class ImportExportMixin(ExportMixin, library.ImportExportMixin):
    """A ModelAdmin with buttons to import and export CSV and JSON.

    Importing needs the permission to add (IMPORT_EXPORT_IMPORT_PERMISSION_CODE), and is recorded in the
    history of each row.
    """

    tmp_storage_class = ImportFileStorage
    import_form_class = ChooseFileForm
    confirm_form_class = ConfirmForm

    def process_import(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().process_import(request, **kwargs)
                return response
        except FileExpired:
            return self._choose_again(
                request, _("The file is no longer here: it was imported already, or chosen too long ago.")
            )

    def add_data_read_fail_error_to_form(self, form: Any, e: Exception) -> None:
        if isinstance(e, ValidationError):  # raised by `sailing.admin.formats`
            form.add_error("import_file", e)
        else:
            super().add_data_read_fail_error_to_form(form, e)

    def get_import_data_kwargs(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_import_data_kwargs(**kwargs), "rollback_on_validation_errors": True}

    def process_result(self, result: Result, request: HttpRequest) -> HttpResponse:
        if result.has_errors() or result.has_validation_errors():
            return self._choose_again(request, _("Nothing was imported: something changed meanwhile."))
        response: HttpResponse = super().process_result(result, request)
        return response

    def _choose_again(self, request: HttpRequest, problem: str) -> HttpResponse:
        again = _("Please choose the file again.")
        messages.error(request, f"{problem} {again}")
        info = self.get_model_info()
        return HttpResponseRedirect(reverse("admin:{}_{}_import".format(*info)))


def _format_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return value or ""
