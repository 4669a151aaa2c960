"""Actions on one row, or, by a job, on many: a page asks before, and stores the keys of exactly these."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from sailing import history
from sailing.admin.lists import find_model_admin
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile
from sailing.jobs.queue import REFUSED, JobFailed, require_admin

KIND = "admin.bulk_action"
MAX_ROWS = 100_000
STEP_ROWS = 100  # with a mail for each row, a step takes about a second
KEYS_FILE = "keys.txt"  # the keys of the rows of a job

Text = str | Promise


@dataclass(frozen=True)
class ActionContext:
    """Who started an action. If a job handles it (`is_bulk`), its mails count in the budgets of mailboxes."""

    user: Any
    is_bulk: bool = False


UseCase = Callable[[ActionContext, Any], Text | None]


@dataclass(eq=False)
class RowAction:
    """An action of a `RowPageMixin`, made by `row_action`. Its texts are lazy.

    `use_case`: returns the reason why it skipped a row, or None. `log_entry`: for the history and the admin.
    `erased`: what the use case raises for a row that was erased meanwhile. `is_offered`: whether the page of
    a row has a button, which has the full color (`is_primary`) or is in a menu (`is_rare`).
    """

    do_not_call_in_templates: ClassVar[bool] = True

    use_case: UseCase
    short_description: Any
    log_entry: Any
    is_offered: Callable[[Any], bool]
    permission: str = "change"
    erased: type[Exception] = ObjectDoesNotExist
    is_primary: bool = False
    is_rare: bool = False

    def __post_init__(self) -> None:
        # Read by Django, as `short_description`.
        self.__name__ = self.use_case.__name__
        self.allowed_permissions = [self.permission]

    def __call__(self, model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Handle one row, or ask before a job handles several."""
        if "confirmed" in request.POST:
            return _start(self, model_admin, request)
        keys = list(queryset.order_by("pk").values_list("pk", flat=True)[: MAX_ROWS + 1])
        if len(keys) > MAX_ROWS:
            problem = _("An action changes at most %(count)d rows. Please choose a smaller filter.")
            messages.warning(request, problem % {"count": MAX_ROWS})
        elif len(keys) > 1:
            return _ask(self, model_admin, request, keys)
        else:
            for row in queryset:
                self.apply(request, row)
        return None

    def apply(self, request: HttpRequest, row: Model) -> None:
        reason = self.handle(ActionContext(request.user), row)
        if reason is None:
            messages.success(request, str(self.log_entry))
        else:
            messages.warning(request, _("Nothing was changed: %(reason)s.") % {"reason": reason})

    def handle(self, context: ActionContext, row: Model) -> Text | None:
        """Record the action in the history of the row, or return the reason why it was skipped."""
        try:
            reason = self.use_case(context, row)
        except self.erased:
            return _("erased in the meantime")
        if reason is None:
            history.record(context.user, type(row), row, _to_english(self.log_entry), key=row.pk)
        return reason


def row_action(description: Any, **options: Any) -> Callable[[UseCase], RowAction]:
    """Turn a use case for one row into an admin action. The options are those of `RowAction`."""
    return lambda use_case: RowAction(use_case, description, **options)


def _to_english(text: Any) -> str:
    """Return a lazy text as it is stored; it is translated when it is shown."""
    with override(None):
        return str(text)


def _ask(action: RowAction, model_admin: Any, request: HttpRequest, keys: list[Any]) -> HttpResponse:
    """Store the keys of the rows, and return the page that asks. Its form posts the key of their file."""
    with transaction.atomic():
        file = JobFile.objects.create(name=KEYS_FILE, created_by_id=request.user.pk)
        files.append(file, " ".join(map(str, keys)).encode())
    context = {
        **model_admin.admin_site.each_context(request),
        "title": action.short_description,
        "count": len(keys),
        "fields": {
            "action": action.__name__,
            "select_across": "1",
            ACTION_CHECKBOX_NAME: "any",  # without one, Django calls no action
            "confirmed": file.pk,
        },
        "opts": model_admin.opts,
        "is_whole_list": request.POST.get("select_across") == "1" and not request.GET,
        "back_url": f"{request.path}?{request.GET.urlencode()}",
    }
    return TemplateResponse(request, "admin/bulk_action.html", context)


@transaction.atomic
def _start(action: RowAction, model_admin: Any, request: HttpRequest) -> HttpResponse:
    stored = JobFile.objects.filter(name=KEYS_FILE, created_by=request.user.pk)
    file = get_object_or_404(stored.select_for_update(), pk=request.POST["confirmed"])
    if file.job is None:
        count = len(_read_keys(file))
        file.job, _is_new = queue.enqueue(
            KIND,
            created_by_id=request.user.pk,
            total_rows=count,
            model=model_admin.opts.label,
            action=action.__name__,
            label=_to_english(action.short_description),
            keys=file.pk,
        )
        file.save(update_fields=["job"])
        name, text = file.job.arguments["label"], gettext_noop("Started. Rows: %(count)s.")
        history.record(request.user, Job, name, text, key=file.job.pk, count=count)
    return redirect("admin:jobs_job_change", file.job.pk)


@queue.register(KIND, label=_("Action on several rows"))
def run(job: Job) -> bool:
    """Apply an action to the next rows. The result counts them by the reason why they were skipped."""
    request = HttpRequest()
    request.user = require_admin(job)
    model_admin = find_model_admin(job.arguments["model"])
    actions = model_admin.get_actions(request) if model_admin else {}
    if job.arguments["action"] not in actions:
        raise JobFailed(REFUSED)
    action, context = actions[job.arguments["action"]][0], ActionContext(request.user, is_bulk=True)
    file = job.files.first()
    if file is None:  # deleted, a day after the job had failed
        raise JobFailed(gettext_noop("The list of the rows to change is no longer stored."))
    keys = _read_keys(file)[job.finished_rows :][:STEP_ROWS]
    rows = model_admin.model._default_manager.filter(pk__in=keys).order_by("pk")
    counts = Counter[str](job.result)
    # Locked before the use case locks anything else, to avoid deadlocks.
    for row in rows.select_for_update(no_key=True):
        counts[_to_english(action.handle(context, row) or "")] += 1
    job.result = dict(counts)
    job.finished_rows += len(keys)
    return job.finished_rows < (job.total_rows or 0)


def _read_keys(file: JobFile) -> list[str]:
    return b"".join(files.read_chunks(file)).decode().split()


def report(job: Job) -> list[tuple[str, str]]:
    """Return the result of a job so far, each text with its tone; none if it is no bulk action."""
    skipped = _("Skipped: %(count)d (%(reason)s).")
    return [
        ("waiting", skipped % {"count": count, "reason": gettext(reason)})
        if reason
        else ("good", _("Done: %(count)d.") % {"count": count})
        for reason, count in (sorted(job.result.items()) if job.kind == KIND else ())
    ]
