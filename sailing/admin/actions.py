"""Admin actions that call a use case for each selected row and report the results."""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

MAX_ROWS = 500
"""Rows that one request handles well within its deadline."""

Row = TypeVar("Row", bound=Model)
Text = str | Promise


def apply_to_rows(
    model_admin: Any,
    request: HttpRequest,
    queryset: QuerySet[Row],
    use_case: Callable[[Row], Text | None],
    *,
    log_entry: str,
    done: Any,
    skipped: Any,
) -> None:
    """Call a use case for each row, and show messages with the number of changed and of skipped rows.

    `use_case` returns None, or the reason why it skipped the row. `log_entry` is added to the history of
    each changed row. `done` (with `count`) and `skipped` (with `count` and `reason`) are lazy plural texts.
    Nothing is done for more than MAX_ROWS rows.
    """
    rows = list(queryset[: MAX_ROWS + 1])
    if len(rows) > MAX_ROWS:
        message = _("Nothing was done: please choose at most %(limit)d at a time.") % {"limit": MAX_ROWS}
        model_admin.message_user(request, message, messages.ERROR)
        return
    reasons: Counter[str] = Counter()
    for row in rows:
        reason = use_case(row)
        if reason is None:
            model_admin.log_change(request, row, log_entry)
        else:
            reasons[str(reason)] += 1
    if count := len(rows) - reasons.total():
        model_admin.message_user(request, done % {"count": count}, messages.SUCCESS)
    for reason, count in reasons.items():
        model_admin.message_user(request, skipped % {"count": count, "reason": reason}, messages.WARNING)
