"""The pages of an import: choose a file, match its columns, follow the job, and what to do with the batch.

The browser uploads the file in slices (`static/admin-brand/upload.js`), so that it may be larger than the
body of a request. Without JavaScript a small file comes as a plain form.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import structlog
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from newsletter import import_files, imports
from newsletter.import_rows import (
    BOUNCED_COLUMN,
    COLUMN,
    LABELS,
    OPTED_OUT_COLUMN,
    VALUE,
    RowState,
    find_unused_states,
    guess_mapping,
)
from newsletter.models import ImportBatch, UserType
from sailing.admin.jobs import job_pages
from sailing.admin.lists import StrictListMixin, render_badge
from sailing.jobs import files, queue
from sailing.models import UNFINISHED, Job, JobFile, JobState
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import MAX_WORKBOOK_SIZE, describe_workbook_limits

MAX_FILE_SIZE = 200_000_000
"""Bytes. A million rows of ten columns."""

PREVIEW_ROWS = 20

logger = structlog.get_logger(__name__)


def has_import_permission(request: HttpRequest) -> bool:
    """Return whether the admin may import subscribers, and see and undo imports."""
    user: Any = request.user
    return bool(user.is_active and user.is_staff and user.has_perm("newsletter.add_subscription"))


class ChooseFileForm(forms.Form):
    """A file in a plain form. FILE_UPLOAD_HANDLERS drops larger ones."""

    file = forms.FileField(
        label=gettext_lazy("File to import"),
        error_messages={
            "required": gettext_lazy("Choose a file of at most 2.5 MB. Larger ones need JavaScript.")
        },
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.xls,.ods"}),
    )


class SlicedFileForm(forms.Form):
    """The name and the size of a file that is uploaded in slices next."""

    name = forms.CharField(max_length=1000)
    size = forms.IntegerField(
        min_value=1,
        max_value=MAX_FILE_SIZE,
        error_messages={
            "min_value": gettext_lazy("The file is empty."),
            "max_value": gettext_lazy("Choose a file of at most 200 MB."),
        },
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a large workbook before it is uploaded."""
        name, size = self.cleaned_data.get("name", ""), self.cleaned_data.get("size", 0)
        if name.lower().endswith((".xlsx", ".xls", ".ods")) and size > MAX_WORKBOOK_SIZE:
            raise forms.ValidationError(describe_workbook_limits())
        return self.cleaned_data


class MappingForm(forms.Form):
    """Where the values of each field are: in a column, or the same for all rows.

    `unused`: what seems to say who must not be mailed, if the state is not chosen.
    """

    def __init__(self, header: Sequence[str], file_name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._header, self._file_name = header, file_name
        columns = [
            (index, name.strip() or _("Column %(number)d") % {"number": index + 1})
            for index, name in enumerate(header)
        ]
        readings: dict[str, list[tuple[str, str]]] = {
            "state": [
                (COLUMN, _("The column says who is subscribed")),
                (OPTED_OUT_COLUMN, _("The column says who has left (yes, or when)")),
                (BOUNCED_COLUMN, _("The column says whose address does not work")),
            ]
        }
        for_all: dict[str, list[tuple[str, Any]]] = {
            "user_type": [(f"{VALUE}{value}", label) for value, label in UserType.choices],
            "language": [(f"{VALUE}{code}", name) for code, name in settings.LANGUAGES],
            "state": [
                (f"{VALUE}{RowState.OPTED_OUT.value}", _("Everyone in this file has left")),
                (f"{VALUE}{RowState.BOUNCED.value}", _("No address in this file works")),
            ],
        }
        blanks = {"state": _("Not in the file: ask everyone")}
        for name, label in LABELS.items():
            is_required = name in ("email", "user_type")
            blank = _("Please choose") if is_required else blanks.get(name, _("Not in the file"))
            choices: list[Any] = [("", blank)]
            choices += [
                (title, [(f"{reading}{index}", column) for index, column in columns])
                for reading, title in readings.get(name, [(COLUMN, _("In the column"))])
            ]
            if name in for_all:
                choices.append((_("The same for all rows"), for_all[name]))
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=is_required)
        self.fields["other_language"] = forms.ChoiceField(
            label=_("Other languages, or none"), choices=settings.LANGUAGES, required=False
        )
        self.unused = find_unused_states(header, file_name, self._get_mapping())
        if self.unused:
            # Not required by the browser, which would not update the preview then.
            self.fields["nobody_left"] = forms.BooleanField(
                label=_("Nobody in this file has left: ask everyone"), required=False
            )

    def clean_nobody_left(self) -> bool:
        if not self.cleaned_data["nobody_left"]:
            raise forms.ValidationError(_("Choose the state, or confirm that nobody has left."))
        return True

    def _get_mapping(self) -> dict[str, str]:
        return {name: self[name].value() or "" for name in LABELS}


class ImportMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The admin of subscribers, with the pages of an import that has not been started."""

    def get_urls(self) -> list[Any]:
        def route(pattern: str, view: Any, suffix: str) -> Any:
            return path(
                pattern, self.admin_site.admin_view(view), name=f"newsletter_subscription_import{suffix}"
            )

        return [
            route("import/", self.import_view, ""),
            route("import/<int:file_id>/", self.mapping_view, "_mapping"),
            route("import/<int:file_id>/slices/<int:number>/", self.slice_view, "_slice"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {**(extra_context or {}), "has_import_permission": has_import_permission(request)}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def import_view(self, request: HttpRequest) -> HttpResponseBase:
        """Choose a file. The script announces it (JSON) and uploads its slices; a form contains it."""
        _check_permission(request)
        if request.method != "POST":
            return self._import_page(request, "choose", form=ChooseFileForm())
        if "size" in request.POST:
            return self._announce_file(request)
        form = ChooseFileForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._import_page(request, "choose", form=form)
        content = form.cleaned_data["file"].read()
        name = form.cleaned_data["file"].name
        file = import_files.create_draft(name=name, size=len(content), created_by_id=_user_id(request))
        for number, start in enumerate(range(0, len(content), files.CHUNK_BYTES)):
            files.store_slice(file, number, content[start : start + files.CHUNK_BYTES])
        return _redirect("subscription_import_mapping", file.pk)

    def _announce_file(self, request: HttpRequest) -> HttpResponse:
        form = SlicedFileForm(request.POST)
        if not form.is_valid():
            problems = [str(message) for field in form.errors.values() for message in field]
            return JsonResponse({"problem": " ".join(problems)}, status=400)
        file = import_files.create_draft(**form.cleaned_data, created_by_id=_user_id(request))
        slices = reverse("admin:newsletter_subscription_import_slice", args=[file.pk, 0])
        return JsonResponse(
            {
                "slices": slices.removesuffix("0/"),
                "next": reverse("admin:newsletter_subscription_import_mapping", args=[file.pk]),
            }
        )

    def slice_view(self, request: HttpRequest, file_id: int, number: int) -> HttpResponse:
        """Store one slice of a file. The script repeats a slice that failed."""
        file = _get_draft_file(request, file_id)
        is_stored = (
            request.method == "POST"
            and file.job.state == JobState.DRAFT
            and files.store_slice(file, number, request.body)
        )
        return HttpResponse(status=204 if is_stored else 400)

    def mapping_view(self, request: HttpRequest, file_id: int) -> HttpResponseBase:
        """Match the columns and show what will happen to the first rows; start the import by POST."""
        file = _get_draft_file(request, file_id)
        if file.job.state != JobState.DRAFT:
            return self._start(file, {})
        if not files.is_complete(file):
            messages.error(request, _("The file did not arrive completely. Please choose it again."))
            return _redirect("subscription_import")
        try:
            if not import_files.is_read(file):
                return self._wait_for_reading(request, file)
            header, *rows = import_files.read_start(file, PREVIEW_ROWS)
        except UnreadableFile as error:
            import_files.discard_draft(file)
            messages.error(request, str(error))
            return _redirect("subscription_import")
        guess = guess_mapping(header, rows)
        form = MappingForm(header, file.name, request.POST or request.GET or None, initial=guess)
        if request.method == "POST" and form.is_valid():
            return self._start(file, form.cleaned_data)
        mapping = {name: form[name].value() or "" for name in (*LABELS, "other_language")}
        is_complete = bool(mapping["email"] and mapping["user_type"]) and not (form.errors.keys() & LABELS)
        return self._import_page(
            request,
            "mapping",
            form=form,
            file=file,
            header=header,
            row_count=import_files.get_row_count(file),
            preview=imports.preview(rows, mapping, header) if is_complete else None,
            rows=rows,
        )

    def _wait_for_reading(self, request: HttpRequest, file: JobFile) -> HttpResponse:
        job = import_files.request_reading(file)
        if job.state in UNFINISHED:
            return self._import_page(request, "reading", file=file)
        if job.state == JobState.DONE and not job.result:  # since the draft was loaded
            return _redirect("subscription_import_mapping", file.pk)
        raise UnreadableFile(job.result.get("problem") or _("The file could not be read."))

    def _start(self, file: JobFile, mapping: dict[str, Any]) -> HttpResponseBase:
        mapping = {name: value for name, value in mapping.items() if name != "nobody_left"}
        batch, is_new = imports.start(file=file, mapping=mapping)
        if is_new:
            logger.info("import_started", admin=batch.created_by_id, batch=batch.pk)
            _add_to_history(batch.created_by_id, batch, ADDITION, gettext_noop("Imported."))
        return _redirect("importbatch_change", batch.pk)

    def _import_page(self, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
        return _page(self, request, name, title=_("Import subscribers"), **context)


@admin.register(ImportBatch)
class ImportBatchAdmin(StrictListMixin):
    """The imports: what came of each file, and what can be done with its subscribers."""

    list_display = ("file_name", "created_at", "created_by", "added", "known", "bad", "state_badge")
    list_select_related = ("job", "created_by")
    search_fields = ("file_name",)
    show_full_result_count = False
    actions = None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_import_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_import_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_invite_permission(self, request: HttpRequest) -> bool:
        user: Any = request.user
        return has_import_permission(request) and bool(user.has_perms(imports.INVITE_PERMISSIONS))

    def has_undo_permission(self, request: HttpRequest, batch: ImportBatch) -> bool:
        """Return whether the admin may undo an import: an own one, or with the permission to erase."""
        user: Any = request.user
        is_own = batch.created_by_id == user.pk
        return has_import_permission(request) and (is_own or user.has_perm("newsletter.delete_subscription"))

    @admin.display(description=gettext_lazy("state"))
    def state_badge(self, batch: ImportBatch) -> str:
        badges = {JobState.DONE: "good", JobState.FAILED: "bad", JobState.CANCELLED: "off"}
        if batch.undone_at:
            badge, label = "off", _("undone")
        elif batch.job:
            state = JobState(batch.job.state)
            badge, label = badges.get(state, "waiting"), str(state.label)
        else:  # its job has been deleted since
            badge, label = "good", str(JobState.DONE.label)
        return render_badge(badge, label)

    def get_urls(self) -> list[Any]:
        def route(pattern: str, view: Any, suffix: str) -> Any:
            return path(pattern, self.admin_site.admin_view(view), name=f"newsletter_importbatch_{suffix}")

        return [
            route("<int:batch_id>/status/", self.status_view, "status"),
            route("<int:batch_id>/bad-rows/", self.bad_rows_view, "bad_rows"),
            route("<int:batch_id>/cancel/", partial(self.action_view, action=self._cancel), "cancel"),
            route("<int:batch_id>/invite/", partial(self.action_view, action=self._invite), "invite"),
            route("<int:batch_id>/undo/", partial(self.action_view, action=self._undo), "undo"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        _check_permission(request)
        batch = self.get_object(request, object_id)
        if batch is None:
            raise Http404
        return self._batch_page(request, batch)

    def status_view(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """Return the part of the page that shows the progress and the counts."""
        batch = _get_batch(request, batch_id)
        return TemplateResponse(request, "admin/newsletter/imports/status.html", _describe(batch))

    def bad_rows_view(self, request: HttpRequest, batch_id: int) -> HttpResponseBase:
        """Send the file of the rows that were not imported."""
        file = _find_bad_rows(_get_batch(request, batch_id))
        if file is None:
            raise Http404
        return StreamingHttpResponse(
            files.read_chunks(file),
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="{_("rows-to-correct")}.csv"',
                "Cache-Control": "no-store",
            },
        )

    def action_view(
        self, request: HttpRequest, batch_id: int, *, action: Callable[[HttpRequest, ImportBatch], None]
    ) -> HttpResponse:
        """Carry out an action on a batch by POST."""
        batch = _get_batch(request, batch_id)
        if request.method == "POST":
            action(request, batch)
        return _redirect("importbatch_change", batch.pk)

    def _cancel(self, request: HttpRequest, batch: ImportBatch) -> None:
        running = [batch.job, *imports.list_jobs(batch, imports.INVITE)]
        cancelled = [job for job in running if job and queue.cancel(job)]
        if cancelled:
            _add_to_history(_user_id(request), batch, CHANGE, gettext_noop("Canceled."))
            messages.success(request, _("It stops after the current step. What has been done stays."))

    def _invite(self, request: HttpRequest, batch: ImportBatch) -> None:
        if not self.has_invite_permission(request):
            raise PermissionDenied
        if imports.invite(batch=batch, created_by_id=_user_id(request)):
            logger.info("import_invited", admin=request.user.pk, batch=batch.pk)
            _add_to_history(_user_id(request), batch, CHANGE, gettext_noop("Asked to confirm."))
            messages.success(request, _("The mails go out from now on."))

    def _undo(self, request: HttpRequest, batch: ImportBatch) -> None:
        if not self.has_undo_permission(request, batch):
            raise PermissionDenied
        if imports.undo(batch=batch, created_by_id=_user_id(request)):
            logger.info("import_undone", admin=request.user.pk, batch=batch.pk)
            _add_to_history(_user_id(request), batch, CHANGE, gettext_noop("Undone."))
            messages.success(request, _("The subscribers of this import are being removed."))

    def _batch_page(self, request: HttpRequest, batch: ImportBatch) -> TemplateResponse:
        facts = _describe(batch)
        can_invite = not facts["is_running"] and not batch.undone_at
        invitable = imports.list_invitable(batch).count() if can_invite else 0
        hours = -(-invitable // imports.INVITATIONS_PER_HOUR)
        return _page(
            self,
            request,
            "batch",
            title=batch.file_name,
            invitable=invitable if self.has_invite_permission(request) else 0,
            duration=_duration(hours),
            can_undo=self.has_undo_permission(request, batch)
            and batch.added > 0
            and not batch.undone_at
            and not facts["is_import_running"],
            **facts,
        )


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    """Return the page of the import that a job is about."""
    if not has_import_permission(request):
        return None
    return reverse("admin:newsletter_importbatch_change", args=[job.arguments["batch"]]), _("Open the import")


job_pages.update(dict.fromkeys((import_files.IMPORT, imports.UNDO, imports.INVITE), _get_job_page))


def _describe(batch: ImportBatch) -> dict[str, Any]:
    """Return what the page of a batch shows: the job under way, or the last one, and the files."""
    jobs = [
        *imports.list_jobs(batch, imports.UNDO)[:1],
        *imports.list_jobs(batch, imports.INVITE)[:1],
        *([batch.job] if batch.job else []),
    ]
    running = next((job for job in jobs if job.state in UNFINISHED), None)
    shown = running or next(iter(jobs), None)
    return {
        "batch": batch,
        "job": shown,
        "job_label": queue.kinds[shown.kind].label if shown else "",
        "is_running": running is not None,
        "is_import_running": imports.is_running(batch),
        "can_stop": running is not None and running.kind != imports.UNDO,
        "has_bad_rows": _find_bad_rows(batch) is not None,
    }


def _find_bad_rows(batch: ImportBatch) -> JobFile | None:
    key = batch.job.result.get("bad_rows") if batch.job else None
    return JobFile.objects.filter(pk=key).first() if key else None


def _get_batch(request: HttpRequest, batch_id: int) -> ImportBatch:
    _check_permission(request)
    batch: ImportBatch = get_object_or_404(ImportBatch.objects.select_related("job"), pk=batch_id)
    return batch


def _get_draft_file(request: HttpRequest, file_id: int) -> JobFile:
    """Return an uploaded file, which only the admin who uploads it may see."""
    _check_permission(request)
    return get_object_or_404(
        JobFile.objects.select_related("job"),
        pk=file_id,
        job__kind=import_files.IMPORT,
        job__created_by_id=request.user.pk,
    )


def _check_permission(request: HttpRequest) -> None:
    if not has_import_permission(request):
        raise PermissionDenied


def _user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)


def _redirect(name: str, *arguments: Any) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(f"admin:newsletter_{name}", args=arguments))


def _page(model_admin: Any, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
    request.current_app = model_admin.admin_site.name
    common = {**model_admin.admin_site.each_context(request), "opts": ImportBatch._meta}
    return TemplateResponse(request, f"admin/newsletter/imports/{name}.html", {**common, **context})


def _duration(hours: int) -> str:
    if hours < 48:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = -(-hours // 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


def _add_to_history(user_id: int | None, batch: ImportBatch, flag: int, message: str) -> None:
    if user_id is not None:
        LogEntry.objects.create(
            user_id=user_id,
            content_type=ContentType.objects.get_for_model(ImportBatch),
            object_id=str(batch.pk),
            object_repr=str(batch)[:200],
            action_flag=flag,
            change_message=message,
        )
