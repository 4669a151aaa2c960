"""Admin actions that call a use case for each selected row and report the results."""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

MAX_ROWS = 500
"""Rows that one request handles well within its deadline."""

Text = str | Promise
UseCase = Callable[[HttpRequest, Any], Text | None]
Action = Callable[[Any, HttpRequest, QuerySet[Any]], None]


def row_action(
    description: Any, *, log_entry: str, done: Any, skipped: Any, permission: str = "change"
) -> Callable[[UseCase], Action]:
    """Turn a use case for one row into an admin action.

    The use case returns None, or the reason why it skipped the row. The action adds `log_entry` to the
    history of each changed row, and shows messages with the number of changed and of skipped rows: `done`
    (with `count`) and `skipped` (with `count` and `reason`) are lazy plural texts. It does nothing for more
    than MAX_ROWS rows.
    """

    def decorate(use_case: UseCase) -> Action:
        @admin.action(description=description, permissions=[permission])
        @wraps(use_case)
        def action(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
            rows = list(queryset[: MAX_ROWS + 1])
            if len(rows) > MAX_ROWS:
                message = _("Nothing was done: please choose at most %(limit)d at a time.")
                model_admin.message_user(request, message % {"limit": MAX_ROWS}, messages.ERROR)
                return
            reasons: Counter[str] = Counter()
            for row in rows:
                try:
                    reason = use_case(request, row)
                except ObjectDoesNotExist:
                    reason = _("erased meanwhile")
                if reason is None:
                    model_admin.log_change(request, row, log_entry)
                else:
                    reasons[str(reason)] += 1
            if count := len(rows) - reasons.total():
                model_admin.message_user(request, done % {"count": count}, messages.SUCCESS)
            for reason, count in reasons.items():
                message = skipped % {"count": count, "reason": reason}
                model_admin.message_user(request, message, messages.WARNING)

        return action

    return decorate
