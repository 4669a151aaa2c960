"""JSON logs: one line a request, and the events of the code and its libraries.

Tokens, passwords and email addresses are redacted from every line, whichever logger writes it (OWASP
Logging Cheat Sheet, "Data to exclude").
"""

import logging
import re
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware
from structlog.typing import EventDict

from sailing.monitoring import redaction

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{20,64}")


def redact_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Redact every text of a line, its traceback included. A processor for structlog."""
    return {name: _redact_value(value) for name, value in event.items()}


def _redact_value(value: Any) -> Any:
    """Redact every text inside a value. Values that JSON does not have become their `repr`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redaction.redact(str(name)): _redact_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact_value(inner) for inner in value]
    return redaction.redact(value if isinstance(value, str) else repr(value))


def pass_to_logging(logger: Any, method: str, event: EventDict) -> tuple[Any, dict[str, Any]]:
    """Pass a line to the standard library. The last processor of structlog.

    structlog keeps the exception inside the line; Sentry's handler needs it as `exc_info`.
    """
    args, keywords = structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    if error := event.get("exc_info"):
        return args, {**keywords, "exc_info": error}
    return args, keywords


def drop_client_traceback(record: logging.LogRecord) -> bool:
    """Drop the traceback of an error that a client caused, such as a made-up Host header. A filter."""
    if record.name.startswith("django.security."):
        record.exc_info = None
    return True


_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configuration() -> dict[str, Any]:
    """Configure structlog; return Django's LOGGING, which sends every logger to standard error as JSON."""
    structlog.configure(
        processors=[*_PROCESSORS, pass_to_logging],
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
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    redact_event,
                    structlog.processors.JSONRenderer(),
                ],
                "foreign_pre_chain": _PROCESSORS,
            }
        },
        "filters": {
            "client_errors": {"()": "django.utils.log.CallbackFilter", "callback": drop_client_traceback}
        },
        "handlers": {
            "standard_error": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "filters": ["client_errors"],
            }
        },
        "root": {"handlers": ["standard_error"], "level": "INFO"},
        "loggers": {
            # The request line replaces Django's own handlers and its second line for each 4xx.
            "django": {"handlers": [], "propagate": True},
            "django.request": {"level": "CRITICAL"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # Its own handler writes no JSON, and quotes the whole URL of a failed request.
            "gunicorn.error": {"handlers": ["standard_error"], "propagate": False},
            # Quotes the mail server, which quotes addresses; Django admin shows these errors. Without a
            # handler here, post_office adds one that writes everything as plain text.
            "post_office": {"handlers": ["standard_error"], "level": "CRITICAL", "propagate": False},
        },
    }


def get_proxy_request_id(header: str) -> str | None:
    """Return the request id that the trusted proxy sent; None without a proxy, or if it is malformed."""
    return header if settings.TRUSTED_PROXY_COUNT and REQUEST_ID.fullmatch(header) else None


class RequestLogMiddleware(RequestMiddleware):
    """Log `request_finished` or `request_failed` for each request, and answer its id in `X-Request-ID`.

    The id is the trusted proxy's, so that both logs can be matched; without a proxy it is a new one.
    """

    def prepare(self, request: HttpRequest) -> None:
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
