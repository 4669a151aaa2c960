"""Actions of Django admin on chosen rows, and the honest account of them afterwards.

An action calls a use case for each row, so that its rules hold as everywhere else, and tells how many
rows it changed, how many it left alone and why.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

MAX_AT_ONCE = 500
"""What one request does well within its deadline; more would be cut off half way."""

Row = TypeVar("Row", bound=Model)
Text = str | Promise


def carry_out(
    model_admin: Any,
    request: HttpRequest,
    queryset: QuerySet[Row],
    use_case: Callable[[Row], Text | None],
    *,
    entry: str,
    done: Any,
    left: Any,
) -> None:
    """Do something to each row, up to MAX_AT_ONCE of them, and tell the admin.

    `use_case` does it to one row, or returns why not. `entry` goes into the history of each row that it
    was done to. `done` (with `count`) and `left` (with `count` and `reason`) are lazy texts with plurals.
    """
    # One more than allowed is enough to know, and a count of everything is not.
    rows = list(queryset[: MAX_AT_ONCE + 1])
    if len(rows) > MAX_AT_ONCE:
        message = _("Nothing was done: please choose at most %(limit)d at a time.") % {"limit": MAX_AT_ONCE}
        model_admin.message_user(request, message, messages.ERROR)
        return
    reasons: Counter[str] = Counter()
    for row in rows:
        reason = use_case(row)
        if reason is None:
            model_admin.log_change(request, row, entry)
        else:
            reasons[str(reason)] += 1
    if count := len(rows) - reasons.total():
        model_admin.message_user(request, done % {"count": count}, messages.SUCCESS)
    for reason, count in reasons.items():
        model_admin.message_user(request, left % {"count": count, "reason": reason}, messages.WARNING)
