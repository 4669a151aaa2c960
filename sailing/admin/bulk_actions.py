"""Actions on ticked rows or on a whole filtered list: on several rows, as background jobs that can be undone.

One row is handled in the request; more of them after a page that names the action and the number of rows.

The job applies the filters of the list again, with the permissions of the admin who started it, and leaves
out rows that were not ticked, or were created after the rows were counted. It stores the keys of the changed
rows in a file, so that another job can apply the reverse action to exactly these rows. The file is deleted a
day after the job.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from sailing import history
from sailing.admin.lists import build_list_request, describe_filters, find_model_admin, get_filter_query
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.queue import REFUSED, JobFailed, require_admin

KIND = "admin.bulk_action"

STEP_ROWS = 100
"""Rows of a step. With a mail for each row, a step takes about a second."""

CONFIRM_LIFETIME = timedelta(hours=1)

CHANGED_FILE = "changed.txt"
"""The keys of the rows that a job has changed, one a line; the rows of each step are one part."""

UNDO_FILE = "undo.txt"
"""The rows that a job handles instead of a filtered list: the `CHANGED_FILE` of the job that it undoes."""


Text = str | Promise


@dataclass(frozen=True)
class ActionContext:
    """Who started an action, and how.

    `is_bulk`: for several rows, by a job. The mails of such an action count in the budgets of the mailboxes.
    """

    user: Any
    is_bulk: bool = False


UseCase = Callable[[ActionContext, Any], Text | None]


@dataclass(eq=False)
class RowAction:
    """An action of a ModelAdmin for its ticked rows, made by `row_action`.

    Django reads `__name__`, `short_description` and `allowed_permissions`.

    `use_case`: handles one row, and returns None, or the reason why it skipped the row, as a lazy text.
    `log_entry`: a lazy text for the history of the row. `done` (with `count`) and `skipped` (with `count` and
    `reason`): lazy plural texts. `erased`: what the use case raises for a row that was erased meanwhile.
    `reverse`: the name of the action that undoes this one, if there is one. `question` (a lazy plural text
    with `count`) and `effect` (one sentence): what the page says that asks before several rows are changed.
    """

    use_case: UseCase
    short_description: Any
    log_entry: Any
    done: Any
    skipped: Any
    erased: type[Exception]
    permission: str = "change"
    reverse: str = ""
    question: Any = ""
    effect: Any = ""

    def __post_init__(self) -> None:
        self.__name__ = self.use_case.__name__
        self.allowed_permissions = [self.permission]

    def __call__(
        self, model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]
    ) -> HttpResponseBase | None:
        """Handle one ticked row, or ask before a job handles several."""
        rows = list(queryset[:2])
        if len(rows) > 1 or request.POST.get("select_across") == "1":
            return confirm(self, model_admin, request, queryset)
        changed, reasons = self.apply(rows, ActionContext(request.user))
        for level, text in self.report(len(changed), reasons):
            model_admin.message_user(request, text, level)
        return None

    def apply(self, rows: Iterable[Model], context: ActionContext) -> tuple[list[Model], Counter[str]]:
        """Call the use case for each row; return the changed rows, and how many were skipped for each reason.

        The change of one row is in its admin history. Those of many are in the history of their job, as a
        number, because an entry names its row by the address. Reasons and history are stored in English, and
        translated when they are shown.
        """
        changed: list[Model] = []
        reasons: Counter[str] = Counter()
        for row in rows:
            try:
                reason = self.use_case(context, row)
            except self.erased:
                reason = _("erased in the meantime")
            with override(None):
                if reason is None:
                    changed.append(row)
                    if not context.is_bulk:
                        history.record(context.user, row._meta.model, row, str(self.log_entry), key=row.pk)
                else:
                    reasons[str(reason)] += 1
        return changed, reasons

    def report(self, changed: int, reasons: Mapping[str, int]) -> list[tuple[int, str]]:
        """Return the result as messages with their levels, in the language of the request."""
        found = [(messages.SUCCESS, self.done % {"count": changed})] if changed else []
        for reason, count in reasons.items():
            found.append((messages.WARNING, self.skipped % {"count": count, "reason": gettext(reason)}))
        return found


def row_action(description: Any, **options: Any) -> Callable[[UseCase], RowAction]:
    """Turn a use case for one row into an admin action. The options are those of `RowAction`."""

    def decorate(use_case: UseCase) -> RowAction:
        return RowAction(use_case, description, **options)

    return decorate


class ConfirmForm(forms.Form):
    """The hidden field of the page. `until`: when the rows were counted; rows created later are left out."""

    until = forms.DateTimeField(widget=forms.HiddenInput)

    def clean_until(self) -> datetime:
        until: datetime = self.cleaned_data["until"]
        if not timedelta() <= timezone.now() - until <= CONFIRM_LIFETIME:
            raise forms.ValidationError("The rows must be counted again.")
        return until


def confirm(
    action: RowAction, model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]
) -> HttpResponseBase:
    """Ask before an action on several rows. Confirmed, enqueue the job and redirect to its page."""
    is_whole_list = request.POST.get("select_across") == "1"
    ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
    form = ConfirmForm(request.POST)
    is_confirmed = form.is_valid()
    until = form.cleaned_data["until"] if is_confirmed else timezone.now()
    count = queryset.filter(created_at__lte=until).count()
    if is_confirmed:
        arguments: dict[str, Any] = {} if is_whole_list else {"ticked": sorted(ticked)}
        with transaction.atomic():
            job, is_new = queue.enqueue(
                KIND,
                created_by_id=request.user.pk or 0,
                total_rows=count,
                model=model_admin.opts.label,
                action=action.__name__,
                query=get_filter_query(request),
                until=until.isoformat(),
                **arguments,
            )
            if is_new:
                text = gettext_noop("Started. Rows: %(count)d.")
                history.record(request.user, Job, get_label(job), text, key=job.pk, count=count)
        return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[job.pk]))
    return ask(action, model_admin, request, count=count, can_be_undone=bool(action.reverse), until=until)


def ask(
    action: Any,
    model_admin: Any,
    request: HttpRequest,
    *,
    count: int,
    can_be_undone: bool = False,
    is_job: bool = True,
    until: datetime,
) -> TemplateResponse:
    """Return the page that asks before an action on several rows. Its form posts the action with `until`."""
    is_whole_list = request.POST.get("select_across") == "1"
    ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
    question = getattr(action, "question", "")
    title = str(question % {"count": count} if question else action.short_description)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "has_question": bool(question),
        "effect": getattr(action, "effect", ""),
        "button": title.removesuffix("?"),
        "opts": model_admin.opts,
        "count": count,
        "is_whole_list": is_whole_list,
        "filters": describe_filters(model_admin.get_changelist_instance(request)),
        "can_be_undone": can_be_undone,
        "is_job": is_job,
        "fields": [
            ("action", action.__name__),
            ("select_across", str(int(is_whole_list))),
            ("until", until.isoformat()),
            *((ACTION_CHECKBOX_NAME, key) for key in (ticked[:1] if is_whole_list else ticked)),
        ],
        "back_url": f"{request.path}?{get_filter_query(request)}",
    }
    return TemplateResponse(request, "admin/bulk_action.html", context)


@queue.register(KIND, label=_("Action on several rows"))
def run(job: Job) -> bool:
    """Apply an action to the next rows of a list, or of an undone job."""
    request, model_admin, action = _load(job)
    if "undo" in job.arguments:
        keys, job.cursor = _read_undone(job)
    else:
        keys, job.cursor = _read_listed(job, model_admin, request)
    # Lock all rows of the step before the use case locks anything else, to avoid deadlocks.
    rows = model_admin.model._default_manager.filter(pk__in=keys).order_by("pk")
    context = ActionContext(request.user, is_bulk=True)
    changed, reasons = action.apply(rows.select_for_update(no_key=True), context)
    if changed and (file := _get_changed_file(job)):
        files.append(file, "".join(f"{row.pk}\n" for row in changed).encode())
    job.result = {
        "changed": job.result.get("changed", 0) + len(changed),
        "reasons": dict(Counter(job.result.get("reasons", {})) + reasons),
    }
    job.finished_rows += len(keys)
    return bool(keys)


def _get_changed_file(job: Job) -> JobFile | None:
    """Return the file of a job that stores the changed rows, created with the first of them.

    None for a job that continues after its file was deleted: undoing it could only revert a part.
    """
    if job.result.get("changed"):
        return job.files.filter(name=CHANGED_FILE).first()
    return JobFile.objects.create(job=job, name=CHANGED_FILE)


def _read_listed(job: Job, model_admin: Any, request: HttpRequest) -> tuple[list[Any], Any]:
    """Return the next keys of a filtered list, and the last of them, which is the cursor."""
    try:
        rows = model_admin.get_changelist_instance(request).get_queryset(request)
    except IncorrectLookupParameters:
        raise JobFailed(gettext_noop("The filter of the list is no longer valid.")) from None
    rows = rows.filter(created_at__lte=job.arguments["until"])
    if "ticked" in job.arguments:
        rows = rows.filter(pk__in=job.arguments["ticked"])
    if job.cursor:
        rows = rows.filter(pk__gt=job.cursor)
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:STEP_ROWS])
    return keys, str(keys[-1]) if keys else job.cursor


def _read_undone(job: Job) -> tuple[list[Any], Any]:
    """Return the next keys that another job has changed, and the number of the part after them."""
    file = job.files.filter(name=UNDO_FILE).first()
    if file is None:  # deleted, a day after the job had failed
        raise JobFailed(gettext_noop("The list of the rows to change is no longer stored."))
    number = job.cursor or 0
    part = file.chunks.filter(number=number).values_list("content", flat=True).first()
    return (bytes(part).decode().split() if part else []), number + 1


def get_label(job: Job) -> str:
    """Return the name of the job's action, in the language of the request."""
    action = _find_action(job, "undone_action") or _find_action(job)
    label = str(action.short_description if action else queue.kinds[KIND].label)
    return gettext("Undo: %(action)s") % {"action": label} if "undo" in job.arguments else label


def report(job: Job) -> list[dict[str, str]]:
    """Return the result of a job so far, as messages with their levels; none if it is no bulk action."""
    action = _find_action(job)
    if action is None:
        return []
    results = action.report(job.result.get("changed", 0), job.result.get("reasons", {}))
    return [{"level": messages.DEFAULT_TAGS[level], "text": text} for level, text in results]


def can_undo(request: HttpRequest, job: Job) -> bool:
    """Return whether the admin may undo a job: it has ended, and the keys of its rows are still stored."""
    action = _find_action(job)
    if action is None or job.is_unfinished or action.reverse not in _get_actions(job, request):
        return False
    return job.files.filter(name=CHANGED_FILE).exists()


def undo(job: Job, *, user: Any) -> None:
    """Enqueue the job that undoes another one. The caller has locked that one, and checked `can_undo`."""
    action = _find_action(job)
    reversing, _is_new = queue.enqueue(
        KIND,
        created_by_id=user.pk,
        total_rows=job.result["changed"],
        model=job.arguments["model"],
        action=action.reverse if action else "",
        undo=job.pk,
        undone_action=job.arguments["action"],
    )
    job.files.filter(name=CHANGED_FILE).update(job=reversing, name=UNDO_FILE)
    job.state = JobState.UNDONE
    job.save(update_fields=["state"])


def find_undoing_job(job: Job) -> Job | None:
    """Return the job that undoes another one, which has ended."""
    if job.state != JobState.UNDONE:
        return None
    return Job.objects.select_related("created_by").filter(kind=KIND, arguments__undo=job.pk).first()


def _load(job: Job) -> tuple[HttpRequest, Any, RowAction]:
    """Return a request for the list as the admin of a job sees it, and the action. Raises JobFailed."""
    request = build_list_request(require_admin(job), job.arguments.get("query", ""))
    actions = _get_actions(job, request)
    if job.arguments["action"] not in actions:
        raise JobFailed(REFUSED)
    return request, find_model_admin(job.arguments["model"]), actions[job.arguments["action"]][0]


def _get_actions(job: Job, request: HttpRequest) -> dict[str, Any]:
    """Return the actions of a job's list that an admin may use; none if the list is no longer there."""
    model_admin = find_model_admin(job.arguments["model"])
    return model_admin.get_actions(request) if model_admin else {}


def _find_action(job: Job, argument: str = "action") -> RowAction | None:
    """Return the action of a job, whoever may use it; None if another release has stored it."""
    model_admin = find_model_admin(job.arguments["model"]) if job.kind == KIND else None
    actions = model_admin.actions if model_admin else ()
    return next((each for each in actions if each.__name__ == job.arguments.get(argument)), None)
