"""One JSON line a request, and whatever else is worth a line.

A line never carries a token, a password or a whole address (OWASP Logging Cheat Sheet, "Data to
exclude"), whoever writes it: what names a person or opens a link is masked in all of them.
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
"""What an id looks like. Whatever else a client sends under that name comes into no line."""

_EVENT = re.compile(r"[a-z][a-z_]{0,99}")


def mask(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """A processor for structlog: no text of a line, its traceback included, tells what it must not."""
    return {name: _masked_value(value) for name, value in event.items()}


def _masked_value(value: Any) -> Any:
    """Mask every text inside a value. What JSON does not know becomes the text that stands for it there."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redaction.masked(str(name)): _masked_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_masked_value(inner) for inner in value]
    return redaction.masked(value if isinstance(value, str) else repr(value))


def event_of(record: logging.LogRecord) -> str:
    """What a log line is about: the event that our code names.

    Of other loggers, whose lines are sentences with values in them, it is the logger's name.
    """
    event = record.msg.get("event") if isinstance(record.msg, dict) else None
    return event if isinstance(event, str) and _EVENT.fullmatch(event) else record.name[:100]


def hand_over(logger: Any, method: str, event: EventDict) -> tuple[Any, dict[str, Any]]:
    """The last processor of structlog: gives the line to the standard library, its error included.

    structlog leaves the error in the line, where no other handler (Sentry's, `sailing.failures`) finds it.
    """
    args, keywords = structlog.stdlib.ProcessorFormatter.wrap_for_formatter(logger, method, event)
    if error := event.get("exc_info"):
        return args, {**keywords, "exc_info": error}
    return args, keywords


_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configuration() -> dict[str, Any]:
    """Set structlog up; return Django's LOGGING, which puts every logger on standard error as JSON."""
    structlog.configure(
        processors=[*_PROCESSORS, hand_over],
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
                    mask,
                    structlog.processors.JSONRenderer(),
                ],
                "foreign_pre_chain": _PROCESSORS,
            }
        },
        "handlers": {"standard_error": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["standard_error"], "level": "INFO"},
        "loggers": {
            # Django's own handlers and its second line for each 4xx are replaced by the request line.
            "django": {"handlers": [], "propagate": True},
            "django.request": {"level": "CRITICAL"},
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            # Its own handler writes no JSON, and quotes the whole address of a request that failed.
            "gunicorn.error": {"handlers": ["standard_error"], "propagate": False},
            # Quotes the mail server, which quotes addresses; Django admin shows each error to those who may.
            # Without a handler of its own it would set one up that writes everything, and no JSON.
            "post_office": {"handlers": ["standard_error"], "level": "CRITICAL", "propagate": False},
        },
    }


def given_id(written: str) -> str | None:
    """The id that the trusted proxy gave a request; None without such a proxy, and for what is no id."""
    return written if settings.TRUSTED_PROXY_COUNT and REQUEST_ID.fullmatch(written) else None


class RequestLogMiddleware(RequestMiddleware):
    """The line `request_finished` (or `request_failed`) of each request, and its id in `X-Request-ID`.

    The id is the trusted proxy's, so that its log and ours tell of the same request; else one of our own.
    """

    def prepare(self, request: HttpRequest) -> None:
        super().prepare(request)
        if given := given_id(request.headers.get("X-Request-ID", "")):
            structlog.contextvars.bind_contextvars(request_id=given)
        request.request_id = structlog.contextvars.get_contextvars()["request_id"]  # type: ignore[attr-defined]

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        super().handle_response(request, response)
        response.headers["X-Request-ID"] = request.request_id  # type: ignore[attr-defined]

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and path, without its query, a token or an address."""
        return redaction.masked(f"{request.method} {request.path}")
