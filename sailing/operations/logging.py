"""JSON logs and reports to Sentry, redacted (OWASP Logging Cheat Sheet, "Data to exclude")."""

import logging
from typing import Any

import structlog
from structlog.typing import EventDict

from sailing import redaction


def redact_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    redacted: EventDict = redaction.redact_value(event)
    return redacted


def pass_to_logging(logger: Any, method: str, event: EventDict) -> tuple[Any, dict[str, Any]]:
    """Pass a line to the standard library, with its exception as `exc_info`, which Sentry's handler reads."""
    args, keywords = structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    error = event.get("exc_info")
    return args, {**keywords, "exc_info": error} if error else keywords


def configuration(level: str) -> dict[str, Any]:
    """Configure structlog; return LOGGING, which sends loggers and warnings to standard error as JSON."""
    logging.captureWarnings(True)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, pass_to_logging],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [structlog.contextvars.merge_contextvars],
                "processors": [
                    structlog.stdlib.add_logger_name,
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    redact_event,
                    structlog.stdlib.add_log_level,
                    structlog.processors.TimeStamper(fmt="iso", utc=True),
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "handlers": {"standard_error": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["standard_error"], "level": level},
        "loggers": {
            # The request line replaces Django's own handlers and its second line for each 4xx; a foreign Host
            # would get a traceback besides.
            "django": {"handlers": [], "propagate": True},
            "django.request": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # Its own handler writes no JSON, and quotes the whole URL of a failed request.
            "gunicorn.error": {"handlers": ["standard_error"], "propagate": False},
            # It warns of each body that it leaves out of a response to HEAD.
            "gunicorn.http.wsgi": {"level": "ERROR"},
        },
    }


def start_sentry(dsn: str) -> None:
    """Report where the code failed to the project with this address, and nothing about the person."""
    # Imported here because the SDK loads slowly.
    import sentry_sdk
    from sentry_sdk.integrations.django import DjangoIntegration
    from sentry_sdk.integrations.logging import ignore_logger

    sentry_sdk.init(
        dsn=dsn,
        integrations=[DjangoIntegration(transaction_style="function_name", signals_spans=False)],
        send_default_pii=False,
        include_local_variables=False,  # they hold what the visitor sent
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=redact_report,
    )
    ignore_logger("django.security.*")  # errors of clients, such as a refused host


def redact_report(event: Any, hint: Any) -> Any:
    """Return the event without its request and what was logged with it; its id is a tag."""
    kept = {name: event[name] for name in event.keys() - {"request", "user", "extra", "breadcrumbs"}}
    for exception in kept.get("exception", {}).get("values", ()):
        exception["value"] = ""  # it may quote what a person sent
    if record := hint.get("log_record"):
        message = record.msg["event"] if isinstance(record.msg, dict) else record.name
        kept["logentry"] = {"message": message}
    if request_id := structlog.contextvars.get_contextvars().get("request_id"):
        kept["tags"] = {"request_id": request_id}
    return redaction.redact_value(kept)
