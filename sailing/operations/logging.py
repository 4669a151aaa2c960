"""JSON logs: one line a request with its duration, and the events of the code and its libraries.

Tokens, passwords and email addresses are redacted from every line, whichever logger writes it (OWASP
Logging Cheat Sheet, "Data to exclude").
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from structlog.typing import EventDict

from sailing.operations import redaction

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{20,64}")

logger = structlog.get_logger(__name__)


def redact_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Redact every text of a line, its traceback included, and cut long ones. A processor for structlog."""
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


def get_proxy_request_id(header: str) -> str | None:
    """Return the request id that the trusted proxy sent; None without a proxy, or if it is malformed."""
    return header if settings.TRUSTED_PROXY_COUNT and REQUEST_ID.fullmatch(header) else None


class RequestLogMiddleware:
    """Log `request_finished` or `request_failed` for each request, and answer its id in `X-Request-ID`.

    The id is the trusted proxy's, so that both logs can be matched; without a proxy it is a new one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        got_request_exception.connect(log_failure)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = get_proxy_request_id(request.headers.get("X-Request-ID", "")) or str(uuid.uuid4())
        request.request_id, request.started_at = request_id, time.perf_counter()  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            if not hasattr(request, "has_failed"):
                log = logger.warning if response.status_code >= 500 else logger.info
                log("request_finished", **_describe(request, response.status_code))
        finally:
            structlog.contextvars.clear_contextvars()
        response.headers["X-Request-ID"] = request_id
        return response


def log_failure(request: HttpRequest, **_signal: Any) -> None:
    """Log the exception that Django is answering with a 500. A receiver of `got_request_exception`."""
    request.has_failed = True  # type: ignore[attr-defined]
    logger.exception("request_failed", **_describe(request, 500))


def _describe(request: HttpRequest, code: int) -> dict[str, Any]:
    """Return what a line says of a request, without the query string, tokens and addresses.

    `duration_ms`: since the request reached Django, without its time in the queue.
    """
    duration = round((time.perf_counter() - request.started_at) * 1000)  # type: ignore[attr-defined]
    name = redaction.redact(f"{request.method} {request.path}")
    return {"code": code, "request": name, "duration_ms": duration}
