"""Report errors to Sentry: where the code failed, and nothing about the person it failed for.

Only fields on an allow list are sent, so a newer SDK that collects more sends no more. The log has the
whole error, under the id of its request.
"""

import logging
import re
from typing import Any

import sentry_sdk
import structlog
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import ignore_logger

from sailing.operations.redaction import redact

ALLOWED_FIELDS = frozenset(
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

ERRORS_ABOUT_CODE = frozenset(
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
"""Errors whose message names parts of the program. Messages of other errors quote values."""

_EVENT_NAME = re.compile(r"[a-z][a-z_]{0,99}")


def start(dsn: str, **options: Any) -> None:
    """Report errors from now on. `dsn` is the project's address at Sentry; `options` go to the SDK."""
    sentry_sdk.init(
        dsn=dsn,
        integrations=[DjangoIntegration(transaction_style="function_name", signals_spans=False)],
        include_local_variables=False,  # they hold what the visitor sent
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=scrub_event,
        **options,
    )
    ignore_logger("django.security.*")  # errors of clients, such as a refused host


def scrub_event(event: Any, hint: Any) -> Any:
    """Return the event with its allowed fields, the place of the error and the id of the request."""
    scrubbed: dict[str, Any] = {name: event[name] for name in ALLOWED_FIELDS if name in event}
    if exceptions := event.get("exception", {}).get("values", ()):
        scrubbed["exception"] = {"values": [_scrub_exception(exception) for exception in exceptions]}
    if record := hint.get("log_record"):
        scrubbed["logentry"] = {"message": _get_event_name(record)}
    view = event.get("transaction", "")
    if view.replace(".", "").replace("_", "").isalnum():  # the name of a function; a path has slashes
        scrubbed["transaction"] = view
    if request_id := structlog.contextvars.get_contextvars().get("request_id"):
        scrubbed["tags"] = {"request_id": request_id}
    return scrubbed


def _scrub_exception(exception: Any) -> dict[str, Any]:
    kind, message = exception.get("type"), exception.get("value") or ""
    first_line = redact(message).partition("\n")[0]  # the lines below quote the row in the database
    return {
        "type": kind,
        "module": exception.get("module"),
        "value": first_line if kind in ERRORS_ABOUT_CODE else "",
        "stacktrace": exception.get("stacktrace"),
    }


def _get_event_name(record: logging.LogRecord) -> str:
    """Return the event that our code logged, or the name of a library's logger, whose texts hold values."""
    event = record.msg.get("event") if isinstance(record.msg, dict) else None
    return event if isinstance(event, str) and _EVENT_NAME.fullmatch(event) else record.name[:100]
