"""Imports in Django admin: what came of each file, and what can be done with its subscribers."""

import io
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice, zip_longest
from typing import Any, cast

import structlog
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from newsletter.admin.filters import has_import_permission
from newsletter.imports import services, uploads
from newsletter.imports.admin.forms import RequestForm
from newsletter.imports.admin.upload import TEMPLATES, UploadPages
from newsletter.imports.models import ImportBatch
from newsletter.imports.vocabulary import LeftOutReason
from newsletter.models import Subscription
from newsletter.services import administration
from sailing.admin.exports import send_csv
from sailing.admin.lists import render_badge
from sailing.jobs import files, queue
from sailing.jobs.admin import job_pages
from sailing.jobs.models import UNFINISHED, Job, JobFile, JobState
from sailing.mail.outbox import MailContent
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import detect_format, read_rows

SHOWN_ROWS = 20
"""Of those that were left out, on the page of an import."""

logger = structlog.get_logger(__name__)


@admin.register(ImportBatch)
class ImportBatchAdmin(UploadPages):
    """The imports: what came of each file, and what can be done with its subscribers."""

    list_display = (
        "file_name",
        "created_at",
        "created_by",
        "added_count",
        "duplicate_count",
        "repeated_count",
        "invalid_count",
        "summary",
        "state_badge",
    )
    list_select_related = ("job", "created_by")
    parent_model = Subscription
    search_fields = ("file_name",)
    search_help_text = gettext_lazy("Part of a file name")
    actions = None

    def has_invite_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perms(administration.ASK_PERMISSIONS)

    def has_undo_permission(self, request: HttpRequest, batch: ImportBatch) -> bool:
        """Return whether the admin may undo an import: an own one, or with the permission to erase."""
        is_own = batch.created_by_id == request.user.pk
        return is_own or request.user.has_perm("newsletter.delete_subscription")

    @admin.display(description=gettext_lazy("result"))
    def summary(self, batch: ImportBatch) -> str:
        """Return the counts in one line, for a phone."""
        added = _("%(count)d added") % {"count": batch.added_count}
        left_out = _("%(count)d left out") % {"count": batch.invalid_count}
        return f"{added} · {left_out}"

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
        return [
            self.route("<int:batch_id>/status/", self.status_view, "status"),
            self.route("<int:batch_id>/bad-rows/", self.bad_rows_view, "bad_rows"),
            self.route("<int:batch_id>/cancel/", partial(self.action_view, action=self._cancel), "cancel"),
            self.route("<int:batch_id>/invite/", self.invite_view, "invite"),
            self.route("<int:batch_id>/undo/", partial(self.action_view, action=self._undo), "undo"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        batch = self.get_object(request, object_id)
        if batch is None:
            raise Http404
        facts = _describe(batch)
        can_invite = not facts["is_running"] and self.has_invite_permission(request)
        invitable = sum(services.count_invitable(batch).values()) if can_invite else 0
        return self.show_page(
            request,
            f"{TEMPLATES}/batch.html",
            title=batch.file_name,
            reasons=[
                (LeftOutReason(reason).label, count)
                for reason, count in Counter(batch.left_out_reasons).most_common()
            ],
            **_show_left_out(_find_bad_rows(batch)),
            can_invite=can_invite,
            invitable=invitable,
            duration=_format_duration(-(-invitable // services.INVITATIONS_PER_HOUR)),
            can_undo=self.has_undo_permission(request, batch)
            and batch.added_count > 0
            and not batch.undone_at
            and not facts["is_import_running"],
            **facts,
        )

    def status_view(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """Return the part of the page that shows the progress and the counts."""
        batch = _get_batch(batch_id)
        return TemplateResponse(request, f"{TEMPLATES}/status.html", _describe(batch))

    def bad_rows_view(self, request: HttpRequest, batch_id: int) -> HttpResponseBase:
        """Send the file of the rows that were not imported."""
        file = _find_bad_rows(_get_batch(batch_id))
        if file is None:
            raise Http404
        return send_csv(files.read_chunks(file), f"{_('rows-to-correct')}.csv")

    def action_view(
        self, request: HttpRequest, batch_id: int, *, action: Callable[[HttpRequest, ImportBatch], None]
    ) -> HttpResponse:
        """Carry out an action on a batch by POST."""
        batch = _get_batch(batch_id)
        if request.method == "POST":
            action(request, batch)
        return self.redirect("change", batch.pk)

    def _cancel(self, request: HttpRequest, batch: ImportBatch) -> None:
        running = [batch.job, *services.list_jobs(batch, services.INVITE)]
        cancelled = [job for job in running if job and queue.cancel(job)]
        if cancelled:
            self.log_change(request, batch, gettext_noop("Canceled."))
            messages.success(request, _("It stops after the current step. What has been done stays."))

    def invite_view(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """Write the mail that asks the subscribers to confirm, try it, and send it by POST."""
        if not self.has_invite_permission(request):
            raise PermissionDenied
        batch, user = _get_batch(batch_id), cast(Any, request.user)
        counts = services.count_invitable(batch)
        if not counts:
            return self.redirect("change", batch.pk)
        form = RequestForm(batch, list(counts), request.POST or None)
        if request.method == "POST" and form.is_valid():
            services.set_request(batch=batch, texts=form.get_texts())
            if "send" in request.POST:
                self._invite(request, batch)
                return self.redirect("change", batch.pk)
            if "test" in request.POST:
                services.send_request_test(batch=batch, to=user.email, languages=list(counts))
                messages.success(request, _("A test is on its way to %(email)s.") % {"email": user.email})
            return self.redirect("invite", batch.pk)
        count = sum(counts.values())
        names = dict(settings.LANGUAGES)
        return self.show_page(
            request,
            f"{TEMPLATES}/invite.html",
            title=_("Ask them to confirm"),
            batch=batch,
            form=form,
            count=count,
            duration=_format_duration(-(-count // services.INVITATIONS_PER_HOUR)),
            languages=[
                {
                    "code": code,
                    "name": names[code],
                    "count": counts[code],
                    "fields": (form[f"subject_{code}"], form[f"text_{code}"]),
                    "preview": _build_preview(
                        services.render_request(batch=batch, to=user.email, language=code)
                    ),
                }
                for code in counts
            ],
        )

    def _invite(self, request: HttpRequest, batch: ImportBatch) -> None:
        if services.invite(batch=batch, created_by_id=request.user.pk or 0):
            logger.info("import_invited", admin=request.user.pk, batch=batch.pk)
            self.log_change(request, batch, gettext_noop("Asked to confirm."))
            messages.success(request, _("The emails go out from now on."))

    def _undo(self, request: HttpRequest, batch: ImportBatch) -> None:
        if not self.has_undo_permission(request, batch):
            raise PermissionDenied
        if services.undo(batch=batch, created_by_id=request.user.pk or 0):
            logger.info("import_undone", admin=request.user.pk, batch=batch.pk)
            self.log_change(request, batch, gettext_noop("Undone."))
            messages.success(request, _("The subscribers of this import are being removed."))


def _get_job_page(request: HttpRequest, job: Job) -> tuple[str, Any] | None:
    """Return the page of the import that a job is about."""
    if not has_import_permission(request):
        return None
    return reverse("admin:imports_importbatch_change", args=[job.arguments["batch"]]), _("Open the import")


job_pages.update(dict.fromkeys((uploads.IMPORT, services.UNDO, services.INVITE), _get_job_page))


def _describe(batch: ImportBatch) -> dict[str, Any]:
    """Return what the page of a batch shows: the job under way, or the last one, and the files."""
    jobs = [
        *services.list_jobs(batch, services.UNDO)[:1],
        *services.list_jobs(batch, services.INVITE)[:1],
        *([batch.job] if batch.job else []),
    ]
    running = next((job for job in jobs if job.state in UNFINISHED), None)
    shown = running or next(iter(jobs), None)
    return {
        "batch": batch,
        "job": shown,
        "job_label": queue.kinds[shown.kind].label if shown else "",
        "is_running": running is not None,
        "is_import_running": services.is_running(batch),
        "can_stop": running is not None and running.kind != services.UNDO,
        "has_bad_rows": _find_bad_rows(batch) is not None,
    }


def _find_bad_rows(batch: ImportBatch) -> JobFile | None:
    key = batch.job.result.get("bad_rows") if batch.job else None
    return JobFile.objects.filter(pk=key).first() if key else None


def _show_left_out(file: JobFile | None) -> dict[str, Any]:
    """Return the first rows of the file of those that were left out, as `table.html` needs them."""
    if file is None:
        return {}
    content = next(files.read_chunks(file))
    start = io.BytesIO(content[: content.rfind(b"\n") + 1])  # whole rows
    try:
        header, *rows = islice(read_rows(start, detect_format(start)), SHOWN_ROWS + 1)
    except UnreadableFile:  # the problems have made a row longer than those that are read
        return {}
    return {"header": header, "table": [(None, list(zip_longest(header, row, fillvalue=""))) for row in rows]}


def _get_batch(batch_id: int) -> ImportBatch:
    batch: ImportBatch = get_object_or_404(ImportBatch.objects.select_related("job"), pk=batch_id)
    return batch


def _build_preview(mail: MailContent) -> str:
    """Return the HTML of a mail for `mail-preview.js`: the policy forbids its styles where they are."""
    html = mail["html"].replace("<style>", "<template>").replace("</style>", "</template>")
    return html.replace(' style="', ' data-style="')


def _format_duration(hours: int) -> str:
    if hours < 48:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = -(-hours // 24)
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
