"""Report errors to Sentry: where the code failed, and nothing about the person it failed for.

The log has the whole error, under the id of its request.
"""

from typing import Any

import sentry_sdk
import structlog
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import ignore_logger

from sailing.redaction import redact_value


def start(dsn: str) -> None:
    """Report errors from now on. `dsn` is the project's address at Sentry."""
    sentry_sdk.init(
        dsn=dsn,
        integrations=[DjangoIntegration(transaction_style="function_name", signals_spans=False)],
        send_default_pii=False,
        include_local_variables=False,  # they hold what the visitor sent
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=redact_event,
    )
    ignore_logger("django.security.*")  # errors of clients, such as a refused host


def redact_event(event: Any, hint: Any) -> Any:
    """Return the event without its request and what was logged with it; its id is a tag."""
    kept = {name: event[name] for name in event.keys() - {"request", "user", "extra", "breadcrumbs"}}
    for exception in kept.get("exception", {}).get("values", ()):
        exception["value"] = ""  # it may quote what a person sent
    if record := hint.get("log_record"):
        message = record.msg["event"] if isinstance(record.msg, dict) else record.name
        kept["logentry"] = {"message": message}
    if request_id := structlog.contextvars.get_contextvars().get("request_id"):
        kept["tags"] = {"request_id": request_id}
    return redact_value(kept)
