"""Admin actions that call a use case for each row and report the results."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True)
class ActionContext:
    """Who started an action, and how.

    `is_bulk`: for several rows, by a job. The mails of such an action count in the budgets of the mailboxes.
    """

    user: Any
    is_bulk: bool = False


UseCase = Callable[[ActionContext, Any], Text | None]


class RowAction(ABC):
    """An action of a ModelAdmin.

    Django reads `__name__`, `short_description` and `allowed_permissions`. `reverse` is the name of the
    action that undoes this one, if there is one.
    """

    __name__: str

    def __init__(
        self,
        use_case: UseCase,
        description: Any,
        *,
        log_entry: Any,
        done: Any,
        skipped: Any,
        erased: type[Exception],
        permission: str = "change",
        reverse: str = "",
    ) -> None:
        update_wrapper(self, use_case)
        self.short_description = description
        self.allowed_permissions = [permission]
        self.reverse = reverse
        self._use_case = use_case
        self._log_entry = log_entry
        self._done = done
        self._skipped = skipped
        self._erased = erased

    @abstractmethod
    def __call__(
        self, model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]
    ) -> HttpResponseBase | None:
        """Handle the ticked rows."""

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
                reason = self._use_case(context, row)
            except self._erased:
                reason = _("erased in the meantime")
            with override(None):
                if reason is None:
                    changed.append(row)
                    if not context.is_bulk:
                        LogEntry.objects.log_actions(context.user.pk, [row], CHANGE, str(self._log_entry))
                else:
                    reasons[str(reason)] += 1
        return changed, reasons

    def report(self, changed: int, reasons: Mapping[str, int]) -> list[tuple[int, str]]:
        """Return the result as messages with their levels, in the language of the request."""
        found = [(messages.SUCCESS, self._done % {"count": changed})] if changed else []
        for reason, count in reasons.items():
            found.append((messages.WARNING, self._skipped % {"count": count, "reason": gettext(reason)}))
        return found
