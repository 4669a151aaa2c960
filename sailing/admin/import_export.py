"""Import and export in Django admin: django-import-export, made safe to use.

An import shows first what it would do (the library's dry run) and then is one transaction, its entries
in the admin's history included. Between the two steps the file lies in Django's cache, a table of the
database, so that any process can take the second one.
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
from import_export.admin import ExportMixin, ImportExportMixin
from import_export.forms import ConfirmImportForm, ExportForm, ImportForm
from import_export.resources import ModelResource
from import_export.results import Result
from import_export.tmp_storages import CacheStorage

from sailing.admin.formats import CHUNK, Rows, SpreadsheetCSV, StreamedJSON

logger = structlog.get_logger(__name__)


class FileGoneError(Exception):
    """The file of an import is no longer kept: it was imported already, or chosen long ago."""


class ImportFileStorage(CacheStorage):
    """Keeps a file for an hour, or until it is imported."""

    CACHE_LIFETIME = 3600

    def read(self) -> bytes:
        data: bytes | None = super().read()
        if data is None:
            raise FileGoneError
        return data


def purge_expired_files() -> bool:
    """Delete the files whose hour is over, which hold addresses; return False, as none is left.

    Django's own cache deletes what has expired only once it is full.
    """
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    now = connection.ops.adapt_datetimefield_value(timezone.now().replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608 - a setting of ours
    return False


class ChooseFileForm(ImportForm):
    """A file that is too large never arrives (see FILE_UPLOAD_HANDLERS), so the form says why."""

    import_file = forms.FileField(
        label=gettext_lazy("File to import"),
        error_messages={"required": gettext_lazy("Choose a file of at most 2.5 MB.")},
    )


class ConfirmForm(ConfirmImportForm):
    """The hidden fields of the second step; the format is a number of the list."""

    format = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=1)


class RowExport(ModelResource):
    """Rows as the database has them: yes and no in words, times in UTC (ISO 8601)."""

    def export(self, queryset: QuerySet[Any], **kwargs: Any) -> Rows:
        # Not the library's way, which takes five times as long and holds all that it reads: a row is
        # read when it is written.
        found = queryset.values_list(*self._meta.fields).iterator(chunk_size=CHUNK)
        return Rows(self._meta.fields, ([_cell(value) for value in row] for row in found))


class ExportOnlyMixin(ExportMixin):
    """For a ModelAdmin: a button to export CSV and JSON, for who has the permission to view.

    Each export leaves a line in the log (OWASP Logging Cheat Sheet, "Which events to log": data import
    and export).
    """

    formats = [SpreadsheetCSV, StreamedJSON]
    export_form_class = ExportForm  # the library's other one needs inline script and style

    def export_action(self, request: HttpRequest) -> HttpResponseBase:
        try:
            response: HttpResponseBase = super().export_action(request)
        except IncorrectLookupParameters:
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return response

    def _do_file_export(
        self, file_format: Any, request: HttpRequest, queryset: Any, export_form: Any = None
    ) -> StreamingHttpResponse:
        """The library's own, but for an answer that goes out while it is made, in as little memory
        for a million rows as for one."""
        content = self.get_export_data(file_format, request, queryset, export_form=export_form)
        logger.info("exported", model=self.opts.label, admin=request.user.pk, format=file_format.get_title())
        name = self.get_export_filename(request, queryset, file_format)
        return StreamingHttpResponse(
            content,
            content_type=file_format.get_content_type(),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


class ExchangeMixin(ExportOnlyMixin, ImportExportMixin):
    """For a ModelAdmin: buttons to import and export CSV and JSON.

    Importing needs the permission to add (IMPORT_EXPORT_IMPORT_PERMISSION_CODE). An import stands in the
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
        except FileGoneError:
            return self._choose_again(
                request, _("The file is no longer here: it was imported already, or chosen too long ago.")
            )

    def add_data_read_fail_error_to_form(self, form: Any, e: Exception) -> None:
        if isinstance(e, ValidationError):  # in our own words
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


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds")
    return value or ""
