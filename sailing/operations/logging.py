"""JSON logs: one line a request with its duration, and the events of the code and its libraries.

Tokens, passwords and email addresses are redacted from every line, whichever logger writes it (OWASP
Logging Cheat Sheet, "Data to exclude").
"""

import logging
import re
import time
from typing import Any

import structlog
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware
from django_structlog.signals import bind_extra_request_failed_metadata, bind_extra_request_finished_metadata
from structlog.typing import EventDict

from sailing.operations import redaction

MAX_TEXT_LENGTH = 10_000
"""In characters, of each text of a line. Libraries quote what a client sent, and tracebacks are shorter."""

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{20,64}")


def redact_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Redact every text of a line, its traceback included, and cut long ones. A processor for structlog."""
    return {name: _redact_value(value) for name, value in event.items()}


def _redact_value(value: Any) -> Any:
    """Redact every text inside a value. Values that JSON does not have become their `repr`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redaction.redact(str(name)): _redact_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact_value(inner) for inner in value]
    return _cut(redaction.redact(value if isinstance(value, str) else repr(value)))


def _cut(text: str) -> str:
    """Return a text without the middle of a long one: the end of a traceback names the error."""
    if len(text) <= MAX_TEXT_LENGTH:
        return text
    half = MAX_TEXT_LENGTH // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters cut … {text[-half:]}"


def pass_to_logging(logger: Any, method: str, event: EventDict) -> tuple[Any, dict[str, Any]]:
    """Pass a line to the standard library. The last processor of structlog.

    structlog keeps the exception inside the line; Sentry's handler needs it as `exc_info`.
    """
    args, keywords = structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    if error := event.get("exc_info"):
        return args, {**keywords, "exc_info": error}
    return args, keywords


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
        "handlers": {
            "standard_error": {
                "class": "logging.StreamHandler",
                "formatter": "json",
            }
        },
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


@receiver((bind_extra_request_finished_metadata, bind_extra_request_failed_metadata))
def add_duration(request: HttpRequest, log_kwargs: dict[str, Any], **_signal: Any) -> None:
    """Add the milliseconds since the request reached Django, without its time in the queue."""
    log_kwargs["duration_ms"] = round((time.perf_counter() - request.started_at) * 1000)  # type: ignore[attr-defined]


def get_proxy_request_id(header: str) -> str | None:
    """Return the request id that the trusted proxy sent; None without a proxy, or if it is malformed."""
    return header if settings.TRUSTED_PROXY_COUNT and REQUEST_ID.fullmatch(header) else None


class RequestLogMiddleware(RequestMiddleware):
    """Log `request_finished` or `request_failed` for each request, and answer its id in `X-Request-ID`.

    The id is the trusted proxy's, so that both logs can be matched; without a proxy it is a new one.
    """

    def prepare(self, request: HttpRequest) -> None:
        request.started_at = time.perf_counter()  # type: ignore[attr-defined]
        super().prepare(request)
        if request_id := get_proxy_request_id(request.headers.get("X-Request-ID", "")):
            structlog.contextvars.bind_contextvars(request_id=request_id)
        request.request_id = structlog.contextvars.get_contextvars()["request_id"]  # type: ignore[attr-defined]

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        super().handle_response(request, response)
        response.headers["X-Request-ID"] = request.request_id  # type: ignore[attr-defined]

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Return method and path, without the query string, tokens and addresses."""
        return redaction.redact(f"{request.method} {request.path}")
