"""Actions on ticked rows or on a whole filtered list.

One row is handled in the request; more of them by a background job, after a page that names the action and
the number of rows. The keys of these rows are stored with the page, so the job handles them and no others.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation import gettext_lazy as _

from sailing import history
from sailing.admin.lists import find_model_admin
from sailing.jobs import queue
from sailing.jobs.models import Job, JobFile, JobFileChunk
from sailing.jobs.queue import REFUSED, JobFailed, require_admin

KIND = "admin.bulk_action"

MAX_ROWS = 100_000

STEP_ROWS = 100
"""Rows of a step. With a mail for each row, a step takes about a second."""

KEYS_FILE = "keys.txt"
"""The keys of the rows of a job, one a line; those of each step are one chunk."""

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
    """An action of a ModelAdmin for its ticked rows, made by `row_action`. Its texts are lazy.

    `use_case`: handles one row, and returns None, or the reason why it skipped the row. `log_entry`: for the
    history of the row. `done` (with `count`) and `skipped` (with `count` and `reason`): plural texts.
    `erased`: what the use case raises for a row that was erased meanwhile. `question` (a plural text with
    `count`) and `effect`: what the page says that asks before several rows are changed.
    """

    use_case: UseCase
    short_description: Any
    log_entry: Any
    done: Any
    skipped: Any
    erased: type[Exception]
    permission: str = "change"
    question: Any = ""
    effect: Any = ""

    def __post_init__(self) -> None:
        # Read by Django, as `short_description`.
        self.__name__ = self.use_case.__name__
        self.allowed_permissions = [self.permission]

    def __call__(
        self, model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]
    ) -> HttpResponseBase | None:
        """Handle one row, or ask before a job handles several."""
        if "confirmed" in request.POST:
            return _start(self, model_admin, request)
        keys = list(queryset.order_by("pk").values_list("pk", flat=True)[: MAX_ROWS + 1])
        if len(keys) > MAX_ROWS:
            problem = _("An action changes at most %(count)d rows. Please choose a smaller filter.")
            model_admin.message_user(request, problem % {"count": MAX_ROWS}, messages.WARNING)
        elif len(keys) > 1:
            return _ask(self, model_admin, request, keys)
        else:
            changed, reasons = self.apply(queryset, ActionContext(request.user))
            for level, text in self.report(changed, reasons):
                model_admin.message_user(request, text, level)
        return None

    def apply(self, rows: Iterable[Model], context: ActionContext) -> tuple[int, Counter[str]]:
        """Call the use case for each row; return how many were changed, and how many skipped by reason.

        The change of one row is in its admin history. Those of many are in the history of their job, as a
        number, because an entry names its row by the address. Reasons and history are stored in English, and
        translated when they are shown.
        """
        changed, reasons = 0, Counter[str]()
        for row in rows:
            try:
                reason = self.use_case(context, row)
            except self.erased:
                reason = _("erased in the meantime")
            with override(None):
                if reason is not None:
                    reasons[str(reason)] += 1
                    continue
                changed += 1
                if not context.is_bulk:
                    history.record(context.user, row._meta.model, row, str(self.log_entry), key=row.pk)
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


def _ask(action: RowAction, model_admin: Any, request: HttpRequest, keys: list[Any]) -> TemplateResponse:
    """Store the keys of the rows, and return the page that asks. Its form posts the key of their file."""
    texts = [str(key) for key in keys]
    parts = ["\n".join(texts[start : start + STEP_ROWS]) for start in range(0, len(texts), STEP_ROWS)]
    with transaction.atomic():
        file = JobFile.objects.create(name=KEYS_FILE, created_by_id=request.user.pk, size=len(keys))
        JobFileChunk.objects.bulk_create(
            JobFileChunk(file=file, number=number, content=part.encode()) for number, part in enumerate(parts)
        )
    title = str(action.question % {"count": len(keys)} if action.question else action.short_description)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "button": title.removesuffix("?"),
        "count": len(keys),
        "effect": action.effect,
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
def _start(action: RowAction, model_admin: Any, request: HttpRequest) -> HttpResponseRedirect:
    """Enqueue the job for the rows that were asked about, and redirect to its page."""
    files = JobFile.objects.filter(name=KEYS_FILE, created_by=request.user.pk)
    file = get_object_or_404(files.select_for_update(), pk=request.POST["confirmed"])
    if file.job is None:
        file.job, _is_new = queue.enqueue(
            KIND,
            created_by_id=request.user.pk,
            total_rows=file.size,
            model=model_admin.opts.label,
            action=action.__name__,
            keys=file.pk,
        )
        file.save(update_fields=["job"])
        text = gettext_noop("Started. Rows: %(count)d.")
        history.record(request.user, Job, get_label(file.job), text, key=file.job.pk, count=file.size)
    return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[file.job.pk]))


@queue.register(KIND, label=_("Action on several rows"))
def run(job: Job) -> bool:
    """Apply an action to the next rows."""
    request = HttpRequest()
    request.user = require_admin(job)
    model_admin = find_model_admin(job.arguments["model"])
    actions = model_admin.get_actions(request) if model_admin else {}
    if job.arguments["action"] not in actions:
        raise JobFailed(REFUSED)
    action = actions[job.arguments["action"]][0]
    chunk = JobFileChunk.objects.get(file__job=job, file__name=KEYS_FILE, number=job.cursor or 0)
    keys = bytes(chunk.content).decode().split()
    # Lock all rows of the step before the use case locks anything else, to avoid deadlocks.
    rows = model_admin.model._default_manager.filter(pk__in=keys).order_by("pk")
    context = ActionContext(request.user, is_bulk=True)
    changed, reasons = action.apply(rows.select_for_update(no_key=True), context)
    job.result = {
        "changed": job.result.get("changed", 0) + changed,
        "reasons": dict(Counter(job.result.get("reasons", {})) + reasons),
    }
    job.cursor = chunk.number + 1
    job.finished_rows += len(keys)
    return job.finished_rows < (job.total_rows or 0)


def get_label(job: Job) -> str:
    """Return the name of the job's action, in the language of the request."""
    action = _find_action(job)
    return str(action.short_description if action else queue.kinds[KIND].label)


def report(job: Job) -> list[dict[str, str]]:
    """Return the result of a job so far, as messages with their levels; none if it is no bulk action."""
    action = _find_action(job)
    if action is None:
        return []
    results = action.report(job.result.get("changed", 0), job.result.get("reasons", {}))
    return [{"level": messages.DEFAULT_TAGS[level], "text": text} for level, text in results]


def _find_action(job: Job) -> RowAction | None:
    """Return the action of a job, whoever may use it; None if another release has stored it."""
    model_admin = find_model_admin(job.arguments["model"]) if job.kind == KIND else None
    actions = model_admin.actions if model_admin else ()
    return next((each for each in actions if each.__name__ == job.arguments["action"]), None)
