"""Static files: WhiteNoise in front of Django, and their storage."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import structlog
from csp.utils import build_policy
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from whitenoise.base import WhiteNoise
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from sailing.operations.logging import get_proxy_request_id
from sailing.web.middleware import SECURITY_HEADERS, TLS_HEADERS


class StaticFiles(WhiteNoiseMiddleware):
    """A WSGI application that answers requests for static files and passes all others to Django.

    A page needs some twenty files, and Django's middleware would make each three times slower. It takes
    Django's settings from WhiteNoise's middleware and serves as WhiteNoise's WSGI application does. The
    security headers, the request id and the log line of every response are added here, because
    WhiteNoise's `add_headers_function` does not apply to 304 and 405.

    The log line is the one of `sailing.operations.logging`, written directly: through the standard library
    it takes longer than the file itself, and the rate falls from 1.2 to 0.94 of a plain WhiteNoise
    (`make bench ONLY=static-file`, bar 0.95).
    """

    FOREVER = 365 * 24 * 3600
    """Seconds for which a file with a hash in its name is fresh (RFC 9111 section 4.2.1)."""

    __call__ = WhiteNoise.__call__

    def __init__(self, application: WSGIHandler) -> None:
        super().__init__()
        self.application = application
        # With TLS_HEADERS, plain HTTP is redirected: every file that is served here goes over TLS.
        headers = {**SECURITY_HEADERS, **TLS_HEADERS, "Content-Security-Policy": build_policy()}
        self._headers = list(headers.items())
        # Mails, the feed and shared links show these pictures, in a browser from the origin of another site.
        self._public_headers = list({**headers, "Cross-Origin-Resource-Policy": "cross-origin"}.items())
        self._public_prefix = f"{self.static_prefix}media/"
        self._log = structlog.wrap_logger(
            structlog.WriteLogger(sys.stderr),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
        )
        self._manifest = f"{self.static_prefix}{BundleStaticFilesStorage.manifest_name}"

    def serve(self, static_file: StaticFile, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Serve a file. The storage's manifest is private, and plain HTTP is left to Django to redirect."""
        path = environ["PATH_INFO"]
        if path == self._manifest or _must_redirect_to_https(environ):
            return self._pass_on(environ, start_response)
        request_id = get_proxy_request_id(environ.get("HTTP_X_REQUEST_ID", "")) or str(uuid4())

        def start(status: str, headers: list[tuple[str, str]]) -> None:
            own = self._public_headers if path.startswith(self._public_prefix) else self._headers
            start_response(status, [*headers, *own, ("X-Request-ID", request_id)])
            with suppress(OSError):  # the log's disk is full, or its reader is gone
                self._log.info(
                    "request_finished",
                    code=int(status[:3]),
                    request=f"{environ['REQUEST_METHOD']} {path}",
                    request_id=request_id,
                    logger=__name__,
                )

        try:
            content: Iterable[bytes] = WhiteNoise.serve(static_file, environ, start)
        except OSError:  # the file has been deleted
            return self._pass_on(environ, start_response)
        return content

    def _pass_on(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        response: Iterable[bytes] = self.application(environ, start_response)
        return response


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hash and compress the files of Django's apps and `static/`; webpack has hashed its own."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))


def _must_redirect_to_https(environ: dict[str, Any]) -> bool:
    return settings.SECURE_SSL_REDIRECT and WSGIRequest(environ).scheme != "https"
