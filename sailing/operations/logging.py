"""JSON logs, redacted whichever logger writes (OWASP Logging Cheat Sheet, "Data to exclude")."""

import logging
from typing import Any

import structlog
from structlog.typing import EventDict

from sailing import redaction


def redact_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Redact every text of a line, its traceback included. A processor for structlog."""
    redacted: EventDict = redaction.redact_value(event)
    return redacted


def pass_to_logging(logger: Any, method: str, event: EventDict) -> tuple[Any, dict[str, Any]]:
    """Pass a line to the standard library. The last processor of structlog.

    structlog keeps the exception inside the line; Sentry's handler needs it as `exc_info`.
    """
    args, keywords = structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    error = event.get("exc_info")
    return args, {**keywords, "exc_info": error} if error else keywords


def configuration(level: str) -> dict[str, Any]:
    """Configure structlog; return Django's LOGGING, which sends every logger to standard error as JSON.

    Warnings of Python's libraries too, such as those of an email provider's.
    """
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
