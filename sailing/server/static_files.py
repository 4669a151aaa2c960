"""Static files with a hash in their names, so that browsers may keep them as long as HTTP knows."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from uuid import uuid4
from wsgiref.util import FileWrapper

import structlog
from csp.utils import build_policy
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from sailing.middleware import SECURITY_HEADERS, TLS_HEADERS
from sailing.monitoring.logging import get_proxy_request_id


class StaticFiles(WhiteNoiseMiddleware):
    """A WSGI application that answers for static files itself, and passes every other request on.

    The manifest, which lists all files, is Django's own and not for visitors.

    A page is one request and brings twenty for its files. Through Django's layers each would cost four
    times what it does here, for headers that are always the same; they and the log line are added here.
    """

    FOREVER = 365 * 24 * 3600  # seconds; a file with a hash in its name is good for a year (RFC 9111, 4.2.1)

    def __init__(self, application: WSGIHandler) -> None:
        super().__init__()
        self.application = application
        # Straight to where all lines go: the way through the standard library takes longer than the file.
        self._log = structlog.wrap_logger(
            structlog.WriteLogger(sys.stderr),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
        )
        # What comes by plain HTTP is redirected where TLS_HEADERS has anything, and so gets none of them.
        headers = {**SECURITY_HEADERS, **TLS_HEADERS, "Content-Security-Policy": build_policy()}
        self._headers = list(headers.items())
        self._manifest = f"{self.static_prefix}{BundleStaticFilesStorage.manifest_name}"

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]  # names of our files are ASCII
        file = self.find_file(path) if self.autorefresh else self.files.get(path)
        if file is None or path == self._manifest or _has_to_be_https(environ):
            return self._passed_on(environ, start_response)
        try:
            response = file.get_response(environ["REQUEST_METHOD"], environ)
        except OSError:  # it is gone, or too many are open
            return self._passed_on(environ, start_response)
        request_id = get_proxy_request_id(environ.get("HTTP_X_REQUEST_ID", "")) or str(uuid4())
        start_response(
            f"{response.status.value} {response.status.phrase}",
            [*response.headers, *self._headers, ("X-Request-ID", request_id)],
        )
        with suppress(OSError):  # nobody reads the log, or its disk is full
            self._log.info(
                "request_finished",
                code=response.status.value,
                request=f"{environ['REQUEST_METHOD']} {path}",
                request_id=request_id,
                logger=__name__,
            )
        if response.file is None:
            return []
        content: Iterable[bytes] = environ.get("wsgi.file_wrapper", FileWrapper)(response.file)
        return content

    def _passed_on(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashes and compresses what Django's apps and `static/` bring; webpack's files have their hash."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))


def _has_to_be_https(environ: dict[str, Any]) -> bool:
    """Whether Django will send the browser to the same address under https."""
    if not settings.SECURE_SSL_REDIRECT:
        return False
    return WSGIRequest(environ).scheme != "https"
