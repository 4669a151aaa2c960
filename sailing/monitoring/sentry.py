"""Reports errors to Sentry: where the code failed, and nothing about the person it failed for.

What is not known to tell of the program alone is left out, so that a newer SDK which finds out more sends
no more. The whole of an error is in the log, under the id of its request.
"""

from typing import Any

import sentry_sdk
import structlog
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import ignore_logger

from sailing.monitoring.logging import event_of
from sailing.monitoring.redaction import masked

KEPT = frozenset(
    {
        "event_id",
        "timestamp",
        "level",
        "platform",
        "logger",
        "release",
        "environment",
        "server_name",
        "sdk",
    }
)

SPEAK_OF_CODE = frozenset(
    {
        "AttributeError",
        "ImportError",
        "ImproperlyConfigured",
        "ModuleNotFoundError",
        "NameError",
        "OperationalError",
        "RecursionError",
        "TemplateDoesNotExist",
        "TemplateSyntaxError",
        "TypeError",
        "UnboundLocalError",
    }
)
"""Errors whose text names parts of the program. The text of any other quotes the value that it is about."""


def start(dsn: str, **options: Any) -> None:
    """Report from now on. Takes the project's address at Sentry, and further options of the SDK."""
    sentry_sdk.init(
        dsn=dsn,
        integrations=[DjangoIntegration(transaction_style="function_name", signals_spans=False)],
        include_local_variables=False,  # hold what a visitor sent
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=without_persons,
        **options,
    )
    ignore_logger("django.security.*")  # what clients do wrong


def without_persons(event: Any, hint: Any) -> Any:
    """The event with nothing but what `KEPT` names, where it happened, and the id of the request."""
    kept: dict[str, Any] = {name: event[name] for name in KEPT if name in event}
    failures = event.get("exception", {}).get("values", ())
    if failures:
        kept["exception"] = {"values": [_failure(failure) for failure in failures]}
    if record := hint.get("log_record"):
        kept["logentry"] = {"message": event_of(record)}
    view = event.get("transaction", "")
    if view.replace(".", "").replace("_", "").isalnum():  # a function's name; a path has slashes
        kept["transaction"] = view
    if request_id := structlog.contextvars.get_contextvars().get("request_id"):
        kept["tags"] = {"request_id": request_id}
    return kept


def _failure(failure: Any) -> dict[str, Any]:
    kind, text = failure.get("type"), failure.get("value") or ""
    first_line = masked(text).partition("\n")[0]  # a database goes on to quote the row
    return {
        "type": kind,
        "module": failure.get("module"),
        "value": first_line if kind in SPEAK_OF_CODE else "",
        "stacktrace": failure.get("stacktrace"),
    }
